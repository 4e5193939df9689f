// SPDX-License-Identifier: MIT
#include "tools/common/inputs/state_file.h"
#include "tools/common/command/write_file.h"
#include "tools/common/inputs/json_reader.h"
#include <algorithm>

namespace dovetail {

namespace {

// A mask is a number or a list of bit names.
void readWriteMask(const Json &value, VkColorComponentFlags &mask, const std::string &path, Complaint &complaint) {
  if (!value.is_array()) {
    uint32_t number = 0;
    readValue(value, number, path, complaint);
    if (number > 0xf)
      return complaint.add(path, "a write mask has the bits 0 to 3, found " + describe(value));
    mask = number;
    return;
  }
  mask = 0;
  for (size_t index = 0; index < value.size(); ++index) {
    VkColorComponentFlagBits bit = {};
    readValue(value[index], bit, fmt::format("{}/{}", path, index), complaint);
    mask |= bit;
  }
}

void readBinding(const Json &value, VertexBinding &binding, const std::string &path, Complaint &complaint) {
  ObjectReader(value, path, complaint)
      .read("binding", binding.binding)
      .read("stride", binding.stride)
      .read("inputRate", binding.inputRate)
      .read("divisor", binding.divisor)
      .finish();
}

void readAttribute(const Json &value, VertexAttribute &attribute, const std::string &path, Complaint &complaint) {
  ObjectReader(value, path, complaint)
      .read("location", attribute.location)
      .read("binding", attribute.binding)
      .read("format", attribute.format)
      .read("offset", attribute.offset)
      .finish();
  if (attribute.location >= MaxVertexAttributes)
    complaint.add(path + "/location", fmt::format("a vertex attribute's location is below {}", MaxVertexAttributes));
}

void readColorTarget(const Json &value, ColorTarget &target, const std::string &path, Complaint &complaint) {
  if (value.is_null())
    return; // a hole: no target at this location
  ObjectReader reader(value, path, complaint);
  reader.read("format", target.format)
      .read("blendEnable", target.blendEnable)
      .read("srcColorBlendFactor", target.srcColorBlendFactor)
      .read("dstColorBlendFactor", target.dstColorBlendFactor)
      .read("colorBlendOp", target.colorBlendOp)
      .read("srcAlphaBlendFactor", target.srcAlphaBlendFactor)
      .read("dstAlphaBlendFactor", target.dstAlphaBlendFactor)
      .read("alphaBlendOp", target.alphaBlendOp)
      .readMember("writeMask",
                  [&](const Json &mask, const std::string &maskPath) {
                    readWriteMask(mask, target.writeMask, maskPath, complaint);
                  })
      .finish();
}

// Refuses vertex inputs that no pipeline can have, whatever its shaders are.
void checkVertexInput(const PipelineState &state, Complaint &complaint) {
  std::set<uint32_t> bindings, locations;
  for (size_t index = 0; index < state.vertexBindings.size(); ++index)
    if (!bindings.insert(state.vertexBindings[index].binding).second)
      complaint.add(fmt::format("/vertexBindings/{}/binding", index), "this binding is described twice");
  for (size_t index = 0; index < state.vertexAttributes.size(); ++index) {
    const VertexAttribute &attribute = state.vertexAttributes[index];
    if (!locations.insert(attribute.location).second)
      complaint.add(fmt::format("/vertexAttributes/{}/location", index), "this location is described twice");
    if (!bindings.contains(attribute.binding))
      complaint.add(fmt::format("/vertexAttributes/{}/binding", index),
                    fmt::format("there is no vertex binding {}", attribute.binding));
  }
}

void readState(const Json &root, PipelineState &state, Complaint &complaint) {
  ObjectReader(root, "", complaint)
      .readArray(
          "vertexBindings", 32, [&] { state.vertexBindings.clear(); },
          [&](const Json &value, const std::string &path, size_t) {
            readBinding(value, state.vertexBindings.emplace_back(), path, complaint);
          })
      .readArray(
          "vertexAttributes", MaxVertexAttributes, [&] { state.vertexAttributes.clear(); },
          [&](const Json &value, const std::string &path, size_t) {
            readAttribute(value, state.vertexAttributes.emplace_back(), path, complaint);
          })
      .read("topology", state.topology)
      .read("patchControlPoints", state.patchControlPoints)
      .read("tessellationDomainLowerLeft", state.tessellationDomainLowerLeft)
      .read("flatProvokingVertexLast", state.flatProvokingVertexLast)
      .read("depthClampEnable", state.depthClampEnable)
      .read("rasterizerDiscardEnable", state.rasterizerDiscardEnable)
      .read("rasterizationSamples", state.rasterizationSamples)
      .read("sampleShadingEnable", state.sampleShadingEnable)
      .read("polygonStippleEnable", state.polygonStippleEnable)
      .read("colorTwoSide", state.colorTwoSide)
      .read("flatShadeColors", state.flatShadeColors)
      .read("perSampleInterpolation", state.perSampleInterpolation)
      .read("multisampleDisable", state.multisampleDisable)
      .read("barycentricOptimization", state.barycentricOptimization)
      .read("layeredFramebuffer", state.layeredFramebuffer)
      .read("smoothing", state.smoothing)
      .read("pointSmoothing", state.pointSmoothing)
      .read("spriteCoordEnable", state.spriteCoordEnable)
      .read("spriteCoordLowerLeft", state.spriteCoordLowerLeft)
      .read("clampVertexColor", state.clampVertexColor)
      .read("clipDistanceEnable", state.clipDistanceEnable)
      .read("transformFeedbackEnable", state.transformFeedbackEnable)
      .read("squareComputeWaves", state.squareComputeWaves)
      .readArray(
          "colorTargets", MaxColorTargets, [&] { state.colorTargets.fill({}); },
          [&](const Json &value, const std::string &path, size_t index) {
            readColorTarget(value, state.colorTargets[index], path, complaint);
          })
      .read("alphaToCoverageEnable", state.alphaToCoverageEnable)
      .read("alphaToOneEnable", state.alphaToOneEnable)
      .read("broadcastColor0", state.broadcastColor0)
      .read("clampColor", state.clampColor)
      .read("alphaTestFunc", state.alphaTestFunc)
      .read("depthStencilFormat", state.depthStencilFormat)
      .readMember("scene", [](const Json &, const std::string &) {}) // scene_json.h reads it
      .finish();
  uint32_t samples = state.rasterizationSamples;
  if (samples == 0 || samples > 16 || (samples & (samples - 1)) != 0)
    complaint.add("/rasterizationSamples", "expected 1, 2, 4, 8 or 16");
  checkVertexInput(state, complaint);
}

Json printColorTarget(const ColorTarget &target) {
  if (target.format == VK_FORMAT_UNDEFINED)
    return nullptr;
  return {{"format", vulkanName(target.format)},
          {"writeMask", target.writeMask},
          {"blendEnable", target.blendEnable},
          {"srcColorBlendFactor", vulkanName(target.srcColorBlendFactor)},
          {"dstColorBlendFactor", vulkanName(target.dstColorBlendFactor)},
          {"colorBlendOp", vulkanName(target.colorBlendOp)},
          {"srcAlphaBlendFactor", vulkanName(target.srcAlphaBlendFactor)},
          {"dstAlphaBlendFactor", vulkanName(target.dstAlphaBlendFactor)},
          {"alphaBlendOp", vulkanName(target.alphaBlendOp)}};
}

} // namespace

Result<PipelineState> parseState(std::string_view text, const std::string &name, const PipelineState &base) {
  Json root = DOVETAIL_TRY(parseJson(text, name));
  PipelineState state = base;
  Complaint complaint{name, std::nullopt};
  readState(root, state, complaint);
  if (complaint.error)
    return tl::unexpected(*complaint.error);
  return state;
}

Result<PipelineState> readStateFile(const std::string &path, const PipelineState &base) {
  return parseState(DOVETAIL_TRY(readWholeFile(path)), path, base);
}

std::string printState(const PipelineState &state) {
  Json bindings = Json::array(), attributes = Json::array(), targets = Json::array();
  for (const VertexBinding &binding : state.vertexBindings)
    bindings.push_back({{"binding", binding.binding},
                        {"stride", binding.stride},
                        {"inputRate", vulkanName(binding.inputRate)},
                        {"divisor", binding.divisor}});
  for (const VertexAttribute &attribute : state.vertexAttributes)
    attributes.push_back({{"location", attribute.location},
                          {"binding", attribute.binding},
                          {"format", vulkanName(attribute.format)},
                          {"offset", attribute.offset}});
  size_t targetCount = MaxColorTargets;
  while (targetCount > 0 && state.colorTargets[targetCount - 1].format == VK_FORMAT_UNDEFINED)
    --targetCount;
  for (size_t index = 0; index < targetCount; ++index)
    targets.push_back(printColorTarget(state.colorTargets[index]));

  Json root = {{"vertexBindings", bindings},
               {"vertexAttributes", attributes},
               {"topology", vulkanName(state.topology)},
               {"patchControlPoints", state.patchControlPoints},
               {"tessellationDomainLowerLeft", state.tessellationDomainLowerLeft},
               {"flatProvokingVertexLast", state.flatProvokingVertexLast},
               {"depthClampEnable", state.depthClampEnable},
               {"rasterizerDiscardEnable", state.rasterizerDiscardEnable},
               {"rasterizationSamples", state.rasterizationSamples},
               {"sampleShadingEnable", state.sampleShadingEnable},
               {"polygonStippleEnable", state.polygonStippleEnable},
               {"colorTwoSide", state.colorTwoSide},
               {"flatShadeColors", state.flatShadeColors},
               {"perSampleInterpolation", state.perSampleInterpolation},
               {"multisampleDisable", state.multisampleDisable},
               {"barycentricOptimization", state.barycentricOptimization},
               {"layeredFramebuffer", state.layeredFramebuffer},
               {"smoothing", state.smoothing},
               {"pointSmoothing", state.pointSmoothing},
               {"spriteCoordEnable", state.spriteCoordEnable},
               {"spriteCoordLowerLeft", state.spriteCoordLowerLeft},
               {"clampVertexColor", state.clampVertexColor},
               {"clipDistanceEnable", state.clipDistanceEnable},
               {"transformFeedbackEnable", state.transformFeedbackEnable},
               {"squareComputeWaves", state.squareComputeWaves},
               {"colorTargets", targets},
               {"alphaToCoverageEnable", state.alphaToCoverageEnable},
               {"alphaToOneEnable", state.alphaToOneEnable},
               {"broadcastColor0", state.broadcastColor0},
               {"clampColor", state.clampColor},
               {"alphaTestFunc", vulkanName(state.alphaTestFunc)},
               {"depthStencilFormat", vulkanName(state.depthStencilFormat)}};
  return root.dump(2) + "\n";
}

} // namespace dovetail
