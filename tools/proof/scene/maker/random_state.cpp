// SPDX-License-Identifier: MIT
//
// Chooses states that Vulkan allows for the shaders, with formats that lavapipe lists as vertex or colour formats.
// Leaves out on purpose: 64-bit vertex formats, narrow integer targets (results out of their range are undefined), and
// GL's states, which the reference lacks.
#include "src/state/format_table.h"
#include "tools/proof/scene/maker/blend_estimate.h"
#include "tools/proof/scene/maker/geometry.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "tools/proof/scene/maker/random.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail {

namespace {

bool isFloatLike(FormatNumeric numeric) {
  return numeric != FormatNumeric::Uint && numeric != FormatNumeric::Sint && numeric != FormatNumeric::Srgb;
}

// The vertex formats that suit an input; formats with all of its components come first.
std::vector<VkFormat> vertexFormats(const spirv::InterfaceLocation &input, bool isPosition) {
  unsigned wanted = std::bit_width(input.componentMask & 0xfu);
  std::vector<VkFormat> complete, incomplete;
  for (const FormatInfo &format : allFormats()) {
    if (format.vertexFetch == VertexFetchMethod::None || format.vertexFetch == VertexFetchMethod::Wide)
      continue;
    bool fits = input.numericClass == NumericClass::Sint   ? format.numeric == FormatNumeric::Sint
                : input.numericClass == NumericClass::Uint ? format.numeric == FormatNumeric::Uint
                                                           : isFloatLike(format.numeric);
    bool isPackedSint = format.vertexFetch == VertexFetchMethod::Packed && format.numeric == FormatNumeric::Sint;
    if (!fits || isPackedSint) // lavapipe has no signed integers of 10 bits
      continue;
    // A position must reach the whole picture, with more than a byte's precision.
    bool isSignedFraction =
        format.numeric == FormatNumeric::Sfloat || (format.numeric == FormatNumeric::Snorm && format.bits[0] >= 16);
    if (isPosition && (!isSignedFraction || format.componentCount < 2))
      continue;
    (format.componentCount >= wanted ? complete : incomplete).push_back(format.format);
  }
  complete.insert(complete.end(), incomplete.begin(), incomplete.end());
  return complete;
}

// An attribute's address is a multiple of its component's size, or of a packed format's size.
uint32_t alignmentOf(const FormatInfo &format) {
  bool isArray = format.vertexFetch == VertexFetchMethod::Array;
  return isArray ? std::max(format.bits[0] / 8u, 1u) : format.bytes;
}

uint32_t alignTo(uint32_t value, uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// How attributes are grouped; each group becomes a binding.
enum class Grouping { Together, Apart, Random };

void randomVertexInput(const spirv::Reflection &vertex, Random &random, PipelineState &state) {
  int position = findPositionInput(vertex);
  constexpr Grouping Groupings[] = {Grouping::Together, Grouping::Together, Grouping::Apart, Grouping::Random};
  Grouping grouping = random.pick(Groupings);
  uint32_t firstBinding = random.chance(30) ? random.between(1, 3) : 0;
  uint32_t bindingStep = random.chance(20) ? 2 : 1;
  uint32_t groups = 1;
  std::vector<uint32_t> groupOf;
  for (size_t i = 0; i < state.vertexAttributes.size(); ++i) {
    uint32_t group = grouping == Grouping::Together ? 0
                     : grouping == Grouping::Apart  ? std::min<uint32_t>(uint32_t(i), 11)
                                                    : random.below(3);
    groupOf.push_back(group);
    groups = std::max(groups, group + 1);
  }
  std::vector<uint32_t> ends(groups), largest(groups, 4);
  std::vector<bool> hasPosition(groups), isUsed(groups);
  for (size_t i = 0; i < state.vertexAttributes.size(); ++i) {
    VertexAttribute &attribute = state.vertexAttributes[i];
    uint32_t group = groupOf[i];
    const spirv::InterfaceLocation &input = vertex.vertexInputs[i];
    bool isPosition = isPositionInput(vertex, i);
    // In a column without its last component, this component would be 1, in the diagonal or not.
    bool isWhole = matrixColumnOf(vertex, i) >= 0;
    if (input.elementBits != 64) {
      std::vector<VkFormat> formats = vertexFormats(input, isPosition);
      if ((random.chance(70) && !isPosition) || isWhole)
        std::erase_if(formats, [&](VkFormat format) {
          return findFormat(format)->componentCount < std::bit_width(input.componentMask & 0xfu);
        });
      if (!formats.empty())
        attribute.format = formats[random.below(uint32_t(formats.size()))];
    }
    const FormatInfo &format = *findFormat(attribute.format);
    uint32_t alignment = random.chance(75) ? std::max(alignmentOf(format), 4u) : alignmentOf(format);
    attribute.binding = firstBinding + group * bindingStep;
    attribute.offset = alignTo(ends[group] + (random.chance(20) ? random.below(9) : 0), alignment);
    ends[group] = attribute.offset + format.bytes;
    largest[group] = std::max(largest[group], alignmentOf(format));
    hasPosition[group] = hasPosition[group] || isPosition;
    isUsed[group] = true;
  }
  state.vertexBindings.clear();
  for (uint32_t group = 0; group < groups; ++group) {
    if (!isUsed[group])
      continue;
    VertexBinding binding;
    binding.binding = firstBinding + group * bindingStep;
    binding.stride = alignTo(ends[group] + (random.chance(30) ? random.below(17) : 0), largest[group]);
    if (!hasPosition[group] && position >= 0 && random.chance(30)) {
      constexpr uint32_t Divisors[] = {1, 1, 2, 3, 0};
      binding.inputRate = VK_VERTEX_INPUT_RATE_INSTANCE;
      binding.divisor = random.pick(Divisors);
    }
    state.vertexBindings.push_back(binding);
  }
}

constexpr VkFormat FloatTargets[] = {
    VK_FORMAT_R32G32B32A32_SFLOAT,
    VK_FORMAT_R32G32B32A32_SFLOAT,
    VK_FORMAT_R8G8B8A8_UNORM,
    VK_FORMAT_R8G8B8A8_UNORM,
    VK_FORMAT_B8G8R8A8_UNORM,
    VK_FORMAT_B8G8R8A8_SRGB,
    VK_FORMAT_R8G8B8A8_SRGB,
    VK_FORMAT_R5G6B5_UNORM_PACK16,
    VK_FORMAT_A2B10G10R10_UNORM_PACK32,
    VK_FORMAT_A2R10G10B10_UNORM_PACK32,
    VK_FORMAT_R16G16B16A16_SFLOAT,
    VK_FORMAT_R16G16B16A16_SFLOAT,
    VK_FORMAT_R16G16B16A16_UNORM,
    VK_FORMAT_R16_SFLOAT,
    VK_FORMAT_R16G16_SFLOAT,
    VK_FORMAT_R32_SFLOAT,
    VK_FORMAT_R32G32_SFLOAT,
    VK_FORMAT_R8_UNORM,
    VK_FORMAT_R8G8_UNORM,
    VK_FORMAT_R16_UNORM,
    VK_FORMAT_B10G11R11_UFLOAT_PACK32,
};
constexpr VkFormat SintTargets[] = {VK_FORMAT_R32G32B32A32_SINT, VK_FORMAT_R32G32_SINT, VK_FORMAT_R32_SINT};
constexpr VkFormat UintTargets[] = {VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_R32G32_UINT, VK_FORMAT_R32_UINT};

// Normalised formats with components of 5, 6 or 10 bits. A sample may be a step off, because GFX9 exports its colour as
// half floats and lavapipe truncates at the end. An average of such samples, rounded once more, may be two steps off.
bool isPacked(const ColorTarget &target) {
  const FormatInfo *format = findFormat(target.format);
  return format && format->numeric == FormatNumeric::Unorm && (format->bits[1] == 6 || format->bits[1] == 10);
}

// Formats in which the exported colour or the stored value may be off by a good part of a step, or by several steps:
// - floats of 5 and 6 mantissa bits;
// - components of 10 bits, which GFX9 exports as half floats;
// - sRGB, which lavapipe decodes with an error of up to 0.0012: four steps in dark colours.
bool isCoarse(const ColorTarget &target) {
  const FormatInfo *format = findFormat(target.format);
  return format && (target.format == VK_FORMAT_B10G11R11_UFLOAT_PACK32 || format->numeric == FormatNumeric::Srgb ||
                    (format->numeric == FormatNumeric::Unorm && format->bits[1] == 10));
}

VkBlendFactor randomFactor(Random &random, bool dualSource) {
  constexpr VkBlendFactor Factors[] = {
      VK_BLEND_FACTOR_ZERO,
      VK_BLEND_FACTOR_ONE,
      VK_BLEND_FACTOR_SRC_COLOR,
      VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR,
      VK_BLEND_FACTOR_DST_COLOR,
      VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR,
      VK_BLEND_FACTOR_SRC_ALPHA,
      VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
      VK_BLEND_FACTOR_DST_ALPHA,
      VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA,
      VK_BLEND_FACTOR_CONSTANT_COLOR,
      VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR,
      VK_BLEND_FACTOR_CONSTANT_ALPHA,
      VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA,
      VK_BLEND_FACTOR_SRC_ALPHA_SATURATE,
  };
  constexpr VkBlendFactor SecondSourceFactors[] = {VK_BLEND_FACTOR_SRC1_COLOR, VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR,
                                                   VK_BLEND_FACTOR_SRC1_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA};
  return dualSource && random.chance(40) ? random.pick(SecondSourceFactors) : random.pick(Factors);
}

void randomBlending(Random &random, bool dualSource, ColorTarget &target) {
  constexpr VkBlendOp Ops[] = {VK_BLEND_OP_ADD, VK_BLEND_OP_ADD,      VK_BLEND_OP_ADD, VK_BLEND_OP_SUBTRACT,
                               VK_BLEND_OP_MIN, VK_BLEND_OP_SUBTRACT, VK_BLEND_OP_MAX, VK_BLEND_OP_REVERSE_SUBTRACT};
  target.blendEnable = true;
  target.srcColorBlendFactor = randomFactor(random, dualSource);
  target.dstColorBlendFactor = randomFactor(random, dualSource);
  target.colorBlendOp = random.pick(Ops);
  // Where draws overlap, a subtraction may leave little of two colours. A tolerated error of the first is then many
  // steps.
  const bool subtracts =
      target.colorBlendOp == VK_BLEND_OP_SUBTRACT || target.colorBlendOp == VK_BLEND_OP_REVERSE_SUBTRACT;
  if (subtracts && isCoarse(target))
    target.colorBlendOp = VK_BLEND_OP_ADD;
  target.srcAlphaBlendFactor = randomFactor(random, dualSource);
  target.dstAlphaBlendFactor = randomFactor(random, dualSource);
  target.alphaBlendOp = random.pick(Ops);
}

// Masks and blending must not hide everything that the shader writes: such a picture proves nothing.
void makeVisible(const spirv::InterfaceLocation &output, Random &random, bool dualSource, ColorTarget &target) {
  uint32_t stored = (1u << findFormat(target.format)->componentCount) - 1;
  if ((output.componentMask & stored) == 0) {
    target.format = output.numericClass == NumericClass::Sint   ? VK_FORMAT_R32G32B32A32_SINT
                    : output.numericClass == NumericClass::Uint ? VK_FORMAT_R32G32B32A32_UINT
                                                                : VK_FORMAT_R32G32B32A32_SFLOAT;
    stored = 15;
  }
  uint32_t visible = output.componentMask & stored;
  if ((target.writeMask & visible) == 0)
    target.writeMask |= visible;
  if (!target.blendEnable)
    return;
  // The colours that shaders write most often must be visible. Sometimes one of them may be hidden, as black is in a
  // sum.
  std::vector<BlendColor> sources = {{0.4f, 0.4f, 0.4f, 1}, {0.7f, 0.2f, 0.5f, 0.6f}};
  for (const BlendColor &often : {BlendColor{0, 0, 0, 1}, {0, 1, 0, 1}, {1, 0, 0, 1}, {1, 1, 1, 1}})
    if (random.chance(85))
      sources.push_back(often);
  constexpr unsigned Attempts = 200;
  for (unsigned attempt = 0; attempt < Attempts; ++attempt) {
    if (std::ranges::all_of(sources, [&](const BlendColor &source) {
          return blendingShows(target, source, target.writeMask & visible, stored & 8);
        }))
      return;
    randomBlending(random, dualSource, target);
  }
  target.srcColorBlendFactor = target.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  target.dstColorBlendFactor = target.dstAlphaBlendFactor = VK_BLEND_FACTOR_CONSTANT_ALPHA;
  target.colorBlendOp = target.alphaBlendOp = VK_BLEND_OP_ADD;
}

void randomTargets(const spirv::Reflection &fragment, uint64_t seed, Random &random, PipelineState &state) {
  bool dualSource = std::ranges::any_of(fragment.fragmentOutputs, [](const auto &output) { return output.index == 1; });
  for (const spirv::InterfaceLocation &output : fragment.fragmentOutputs) {
    if (output.index != 0 || output.location >= MaxColorTargets)
      continue;
    // With a second source, only one target is allowed.
    ColorTarget &target = state.colorTargets[output.location];
    target = {};
    if (dualSource && output.location > 0)
      continue;
    switch (output.numericClass) {
    case NumericClass::Sint:
      target.format = random.pick(SintTargets);
      break;
    case NumericClass::Uint:
      target.format = random.pick(UintTargets);
      break;
    case NumericClass::Float:
      target.format = random.pick(FloatTargets);
      if (dualSource || random.chance(40))
        randomBlending(random, dualSource, target);
      break;
    }
    if (random.chance(25))
      target.writeMask = random.between(1, 15);
    Random again(seed, "visible target", {output.location});
    makeVisible(output, again, dualSource, target);
  }
}

bool reads(const spirv::Reflection *shader, spv::BuiltIn builtIn) {
  return shader && std::ranges::any_of(shader->builtIns, [&](const spirv::BuiltInVariable &variable) {
           return variable.builtIn == static_cast<uint32_t>(builtIn) && !variable.isOutput;
         });
}

bool hasPackedTarget(const PipelineState &state) {
  return std::ranges::any_of(state.colorTargets, isPacked);
}

// Whether lines arrive at the rasteriser.
bool drawsLines(const ShaderSet &shaders, VkPrimitiveTopology topology) {
  if (const spirv::Reflection *geometry = shaders.reflection(lgc::ShaderStage::Geometry))
    return geometry->geometry.output == GeometryOutput::LineStrip;
  // Either tessellation shader may declare the primitive.
  const spirv::Reflection *control = shaders.reflection(lgc::ShaderStage::TessControl);
  const spirv::Reflection *evaluation = shaders.reflection(lgc::ShaderStage::TessEval);
  if (control && evaluation) {
    const bool isIsolines = control->tessellation.primitive == TessPrimitive::Isolines ||
                            evaluation->tessellation.primitive == TessPrimitive::Isolines;
    return isIsolines && !control->tessellation.pointMode && !evaluation->tessellation.pointMode;
  }
  return topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST || topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
}

// Chooses a topology that the shaders accept.
VkPrimitiveTopology randomTopology(const ShaderSet &shaders, bool wantsPoints, Random &random) {
  constexpr VkPrimitiveTopology Triangles[] = {
      VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,  VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,  VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
      VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN,
  };
  // Always draws this random number, so that the sequence is the same with and without stages in between.
  const VkPrimitiveTopology triangles = random.pick(Triangles);
  const bool hasAttributes = !shaders.reflection(lgc::ShaderStage::Vertex)->vertexInputs.empty();
  auto listOrStrip = [&](VkPrimitiveTopology list, VkPrimitiveTopology strip) {
    return random.chance(60) ? list : strip;
  };
  if (shaders.shader(lgc::ShaderStage::TessControl))
    return VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  if (const spirv::Reflection *geometry = shaders.reflection(lgc::ShaderStage::Geometry))
    switch (geometry->geometry.input) {
    case GeometryInput::Points:
      return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    case GeometryInput::Lines:
      return listOrStrip(VK_PRIMITIVE_TOPOLOGY_LINE_LIST, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP);
    case GeometryInput::LinesAdjacency:
      return listOrStrip(VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY,
                         VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY);
    case GeometryInput::TrianglesAdjacency:
      return listOrStrip(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY,
                         VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY);
    case GeometryInput::Triangles:
      return hasAttributes ? triangles : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    }
  if (wantsPoints)
    return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  return hasAttributes ? triangles : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
}

} // namespace

PipelineState randomState(const ShaderSet &shaders, uint64_t seed) {
  const spirv::Reflection *vertex = shaders.reflection(lgc::ShaderStage::Vertex);
  const spirv::Reflection *fragment = shaders.reflection(lgc::ShaderStage::Fragment);
  PipelineState state = defaultState(shaders);
  Random random(seed, "state");
  if (vertex)
    randomVertexInput(*vertex, random, state);
  if (fragment)
    randomTargets(*fragment, seed, random, state);
  if (shaders.shader(lgc::ShaderStage::Compute))
    state.squareComputeWaves = random.chance(50);
  if (!vertex)
    return state;
  bool wantsPoints = reads(fragment, spv::BuiltIn::PointCoord);
  state.topology = randomTopology(shaders, wantsPoints, random);
  state.tessellationDomainLowerLeft = shaders.shader(lgc::ShaderStage::TessEval) && random.chance(25);
  state.flatProvokingVertexLast = random.chance(25);
  bool wantsSamples = reads(fragment, spv::BuiltIn::SampleId) || reads(fragment, spv::BuiltIn::SamplePosition) ||
                      reads(fragment, spv::BuiltIn::SampleMask);
  // In multisampled targets, lavapipe's point coordinates and its interpolation along lines are half a pixel off.
  const bool isHalfPixelOff = wantsPoints || drawsLines(shaders, state.topology);
  if (random.chance(wantsSamples ? 70 : 15) && !isHalfPixelOff && !hasPackedTarget(state)) {
    state.rasterizationSamples = 4;
    state.sampleShadingEnable = random.chance(25);
  }
  return state;
}

} // namespace dovetail
