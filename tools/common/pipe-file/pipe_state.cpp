// SPDX-License-Identifier: MIT
#include "tools/common/pipe-file/pipe_state.h"
#include "tools/common/inputs/vulkan_names.h"
#include <set>

namespace dovetail::pipe_file {

namespace {

template <typename Enumeration>
Result<void> readEnumerator(SectionReader &section, const std::string &path, Enumeration &target) {
  const std::optional<std::string> name = section.text(path);
  if (!name)
    return {};
  const std::optional<Enumeration> value = parseVulkanName<Enumeration>(*name);
  if (!value)
    return section.wrong(path, fmt::format("unknown name \"{}\"", *name));
  target = *value;
  return {};
}

template <typename Target> void take(Target &target, const std::optional<bool> &value) {
  if (value)
    target = *value;
}

Result<void> readColorBuffer(SectionReader &section, const std::string &path, ColorTarget &target) {
  DOVETAIL_CHECK(readEnumerator(section, path + ".format", target.format));
  if (const std::optional<uint64_t> mask = section.number(path + ".channelWriteMask"))
    target.writeMask = VkColorComponentFlags(*mask & 0xf);
  target.blendEnable = section.boolean(path + ".blendEnable").value_or(false);
  const bool usesAlpha = section.boolean(path + ".blendSrcAlphaToColor").value_or(false);
  target.srcColorBlendFactor = usesAlpha ? VK_BLEND_FACTOR_SRC_ALPHA : VK_BLEND_FACTOR_ONE;
  target.dstColorBlendFactor = usesAlpha ? VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA : VK_BLEND_FACTOR_ONE;
  target.srcAlphaBlendFactor = target.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  return {};
}

} // namespace

Result<void> readVertexInput(SectionReader &section, PipelineState &state) {
  constexpr size_t MaxBindings = 32;
  state.vertexBindings.clear();
  state.vertexAttributes.clear();
  std::set<uint32_t> bindings, locations;
  for (uint32_t index : section.indices("binding")) {
    const std::string path = fmt::format("binding[{}]", index);
    VertexBinding &binding = state.vertexBindings.emplace_back();
    binding.binding = uint32_t(section.number(path + ".binding").value_or(0));
    binding.stride = uint32_t(section.number(path + ".stride").value_or(0));
    DOVETAIL_CHECK(readEnumerator(section, path + ".inputRate", binding.inputRate));
    if (!bindings.insert(binding.binding).second || bindings.size() > MaxBindings)
      return section.wrong(path, "described twice, or more than 32");
  }
  for (uint32_t index : section.indices("divisor")) {
    const std::string path = fmt::format("divisor[{}]", index);
    const uint64_t number = section.number(path + ".binding").value_or(0);
    const uint64_t divisor = section.number(path + ".divisor").value_or(0);
    for (VertexBinding &binding : state.vertexBindings)
      if (binding.binding == number)
        binding.divisor = uint32_t(divisor);
  }
  for (uint32_t index : section.indices("attribute")) {
    const std::string path = fmt::format("attribute[{}]", index);
    VertexAttribute &attribute = state.vertexAttributes.emplace_back();
    attribute.location = uint32_t(section.number(path + ".location").value_or(0));
    attribute.binding = uint32_t(section.number(path + ".binding").value_or(0));
    attribute.offset = uint32_t(section.number(path + ".offset").value_or(0));
    DOVETAIL_CHECK(readEnumerator(section, path + ".format", attribute.format));
    if (attribute.location >= MaxVertexAttributes || !locations.insert(attribute.location).second)
      return section.wrong(path, fmt::format("its location is described twice, or not below {}", MaxVertexAttributes));
    if (!bindings.contains(attribute.binding))
      return section.wrong(path, fmt::format("there is no vertex binding {}", attribute.binding));
  }
  return section.finish();
}

Result<void> readGraphicsState(SectionReader &section, PipelineState &state) {
  DOVETAIL_CHECK(readEnumerator(section, "topology", state.topology));
  if (const uint64_t points = section.number("patchControlPoints").value_or(0))
    state.patchControlPoints = uint32_t(std::min<uint64_t>(points, UINT32_MAX));
  take(state.tessellationDomainLowerLeft, section.boolean("switchWinding"));
  if (const std::optional<bool> clips = section.boolean("depthClipEnable"))
    state.depthClampEnable = !*clips;
  take(state.rasterizerDiscardEnable, section.boolean("rasterizerDiscardEnable"));
  take(state.sampleShadingEnable, section.boolean("perSampleShading"));
  if (const uint64_t samples = section.number("numSamples").value_or(0)) {
    if (samples > 16 || (samples & (samples - 1)) != 0)
      return section.wrong("numSamples", "expected 1, 2, 4, 8 or 16");
    state.rasterizationSamples = uint32_t(samples);
  }
  if (const std::optional<std::string> mode = section.text("provokingVertexMode"))
    state.flatProvokingVertexLast = mode->find("LAST_VERTEX") != std::string::npos;
  take(state.alphaToCoverageEnable, section.boolean("alphaToCoverageEnable"));
  take(state.clampColor, section.boolean("enableColorClampFs"));
  take(state.clampVertexColor, section.boolean("enableColorClampVs"));
  take(state.flatShadeColors, section.boolean("enableFlatShade"));
  take(state.polygonStippleEnable, section.boolean("options.glState.enablePolygonStipple"));

  const std::vector<uint32_t> buffers = section.indices("colorBuffer");
  if (!buffers.empty())
    state.colorTargets.fill({});
  for (uint32_t index : buffers) {
    const std::string path = fmt::format("colorBuffer[{}]", index);
    if (index >= MaxColorTargets)
      return section.wrong(path, fmt::format("there are {} colour buffers", MaxColorTargets));
    DOVETAIL_CHECK(readColorBuffer(section, path, state.colorTargets[index]));
  }
  if (section.boolean("dualSourceBlendEnable").value_or(false)) {
    ColorTarget &target = state.colorTargets[0];
    target.blendEnable = true;
    target.dstColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR;
    target.dstAlphaBlendFactor = VK_BLEND_FACTOR_SRC1_ALPHA;
  }
  return section.finish();
}

} // namespace dovetail::pipe_file
