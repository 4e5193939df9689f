// SPDX-License-Identifier: MIT
#include "tests/radv/registers/oracle_states.h"
#include "src/state/format_table.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "tools/proof/scene/maker/random.h"

namespace dovetail {

namespace {

// Gives each target any colour format of the output's kind.
void changeTargets(const spirv::Reflection &fragment, Random &random, PipelineState &state) {
  for (const spirv::InterfaceLocation &output : fragment.fragmentOutputs) {
    if (output.index != 0 || output.location >= MaxColorTargets)
      continue;
    ColorTarget &target = state.colorTargets[output.location];
    if (target.format == VK_FORMAT_UNDEFINED)
      continue;
    std::vector<VkFormat> formats;
    for (const FormatInfo &format : allFormats()) {
      const bool isUint = format.numeric == FormatNumeric::Uint, isSint = format.numeric == FormatNumeric::Sint;
      const bool fits = output.numericClass == NumericClass::Uint   ? isUint
                        : output.numericClass == NumericClass::Sint ? isSint
                                                                    : !isUint && !isSint;
      if (fits && getColorFormat(format.format))
        formats.push_back(format.format);
    }
    if (!target.blendEnable && random.chance(50))
      target.format = random.pick(std::span<const VkFormat>(formats));
    if (random.chance(8))
      target.writeMask = 0;
    if (random.chance(8))
      target = {};
  }
}

VkPrimitiveTopology anyTopology(Random &random) {
  constexpr VkPrimitiveTopology Topologies[] = {
      VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
      VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
      VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
      VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
      VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
      VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN,
      VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY,
      VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY,
  };
  return random.pick(Topologies);
}

} // namespace

PipelineState oracleState(const ShaderSet &shaders, uint64_t seed) {
  PipelineState state = randomState(shaders, seed);
  if (!shaders.shader(lgc::ShaderStage::Vertex))
    return state;
  Random random(seed, "oracle state");
  if (const spirv::Reflection *fragment = shaders.reflection(lgc::ShaderStage::Fragment))
    changeTargets(*fragment, random, state);
  const bool hasPatches = shaders.shader(lgc::ShaderStage::TessControl) != nullptr;
  if (!hasPatches && !shaders.shader(lgc::ShaderStage::Geometry) && random.chance(40))
    state.topology = anyTopology(random);
  constexpr uint32_t SampleCounts[] = {1, 1, 2, 4, 8};
  state.rasterizationSamples = random.pick(SampleCounts);
  state.sampleShadingEnable = random.chance(30);
  state.alphaToCoverageEnable = random.chance(20);
  state.depthClampEnable = random.chance(25);
  state.rasterizerDiscardEnable = random.chance(8);
  state.transformFeedbackEnable = !random.chance(30);
  return state;
}

} // namespace dovetail
