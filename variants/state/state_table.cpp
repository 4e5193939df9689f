// SPDX-License-Identifier: MIT
#include "variants/state/state_table.h"
#include <algorithm>
#include <array>

namespace dovetail {

using lgc::ShaderStage;

uint32_t clampedLocations(std::span<const lgc::ColorInputLocations> colors) {
  constexpr uint32_t locations = 32;
  uint32_t mask = 0;
  for (const lgc::ColorInputLocations &color : colors)
    for (uint32_t location : {color.front, color.back})
      if (location < locations)
        mask |= 1u << location;
  return mask;
}

namespace {

// Weights that interpolateAt*() starts from must be those of the centre, so a prolog cannot replace them.
void placeInputs(const PipelineState &state, const ShaderSet &shaders, MainPartState &result) {
  if (state.rasterizationSamples <= 1 || !shaders.reflection(ShaderStage::Fragment)->interpolatesAt)
    return;
  if (state.multisampleDisable)
    result.inputPlacement = InputPlacement::Center;
  else if (state.perSampleInterpolation)
    result.inputPlacement = InputPlacement::Sample;
}

void smooth(const PipelineState &state, const ShaderSet &, MainPartState &result) {
  if (state.smoothing && state.rasterizationSamples > 1)
    result.smoothingSamples = uint8_t(state.rasterizationSamples);
}

void smoothPoints(const PipelineState &state, const ShaderSet &, MainPartState &result) {
  result.pointSmoothing = state.pointSmoothing;
}

void readLayers(const PipelineState &state, const ShaderSet &shaders, MainPartState &result) {
  const auto &descriptors = shaders.reflection(ShaderStage::Fragment)->descriptors;
  result.layeredInputAttachments =
      state.layeredFramebuffer && std::ranges::any_of(descriptors, [](const spirv::DescriptorBinding &binding) {
        return binding.kind == spirv::DescriptorKind::InputAttachment;
      });
}

// Clamps front and back of both colours, whichever side is seen, because transform feedback may capture them, too.
void clampColors(const PipelineState &state, const ShaderSet &shaders, MainPartState &result) {
  const ShaderRef &fragment = shaders.shader(ShaderStage::Fragment);
  if (state.clampVertexColor && fragment)
    result.clampedOutputs = clampedLocations(fragment->description.colorInputs);
}

void passThrough(const PipelineState &state, const ShaderSet &shaders, MainPartState &result) {
  if (shaders.shader(ShaderStage::TessControl)->passesThrough)
    result.passThroughVertices = uint8_t(state.patchControlPoints);
}

constexpr auto Rows = [] {
  using enum StateReader;
  return std::to_array<StateRow>({
      {"vertexBindings", VertexProlog, "which element an attribute is fetched from; strides are in the descriptors"},
      {"vertexAttributes", VertexProlog, "loads and conversions; no format of GFX8 and GFX9 is beyond them"},
      {"topology", GeometryProlog, "order of the vertices of triangle strips with adjacency; also the draw's register"},
      {"patchControlPoints", LinkConstant, "LDS layout of the control shader, and VGT_LS_HS_CONFIG"},
      {"patchControlPoints", TessControlMain, "how many invocations the control shader has that a program does without",
       passThrough},
      {"tessellationDomainLowerLeft", Register, "VGT_TF_PARAM turns the order of vertices round"},
      {"flatProvokingVertexLast", GeometryProlog, "order of the vertices of triangle strips with adjacency"},
      {"flatProvokingVertexLast", Register, "the driver's PA_SU_SC_MODE_CNTL"},
      {"depthClampEnable", Register, "PA_CL_CLIP_CNTL"},
      {"rasterizerDiscardEnable", Register, "PA_CL_CLIP_CNTL"},
      {"rasterizationSamples", FragmentEpilog, "coverage from alpha; also PA_SC_AA_CONFIG"},
      {"rasterizationSamples", FragmentProlog, "whether places in a pixel differ"},
      {"rasterizationSamples", LinkConstant, "which of the sample patterns gl_SamplePosition is found in"},
      {"sampleShadingEnable", FragmentProlog, "gl_SampleMaskIn of one invocation"},
      {"sampleShadingEnable", Register, "PA_SC_MODE_CNTL_1; gl_FragCoord is at the sample: SPI_BARYC_CNTL"},
      {"polygonStippleEnable", FragmentProlog, "kills by a bit of the pattern, which is a buffer of the driver's"},
      {"colorTwoSide", FragmentProlog, "chooses front or back colour"},
      {"flatShadeColors", FragmentProlog, "takes the provoking vertex's colour; also SPI_PS_INPUT_CNTL"},
      {"perSampleInterpolation", FragmentProlog, "the sample's weights instead of all others"},
      {"perSampleInterpolation", FragmentMain, "interpolateAt*() needs the weights of the centre beside them",
       placeInputs},
      {"multisampleDisable", FragmentProlog, "the centre's weights instead of all others"},
      {"multisampleDisable", LinkConstant, "gl_SamplePosition is that of the one sample"},
      {"multisampleDisable", Register, "samples are covered and shaded together: PA_SC_AA_CONFIG, PA_SC_MODE_CNTL_1"},
      {"multisampleDisable", FragmentMain, "interpolateAtSample() is at the centre, too", placeInputs},
      {"barycentricOptimization", FragmentProlog, "centroids of covered quads are taken from the centre"},
      {"layeredFramebuffer", FragmentMain, "framebuffer fetch: input attachments are read at the fragment's layer",
       readLayers},
      {"smoothing", FragmentMain, "alpha depends on the coverage, which the shader does not hand on", smooth},
      {"pointSmoothing", FragmentMain, "alpha depends on the place in the point, which the shader does not hand on",
       smoothPoints},
      {"spriteCoordEnable", Register, "SPI_PS_INPUT_CNTL; optimised variants keep these inputs where they are"},
      {"spriteCoordLowerLeft", Register, "SPI_INTERP_CONTROL_0"},
      {"clampVertexColor", PreRasterMain, "clamps what it writes at the locations of GL's colours", clampColors},
      {"clipDistanceEnable", Register, "PA_CL_VS_OUT_CNTL; optimised variants do not export the others"},
      {"transformFeedbackEnable", Register, "VGT_STRMOUT_CONFIG; optimised variants have no code for it if it is off"},
      {"squareComputeWaves", ComputeProlog, "gives lanes other invocations of the workgroup"},
      {"colorTargets", FragmentEpilog, "export formats, clamps, second blend source; also CB and SPI registers"},
      {"alphaToCoverageEnable", FragmentEpilog, "exports alpha where the format would not; also DB_SHADER_CONTROL"},
      {"alphaToOneEnable", FragmentEpilog, "exports 1 as alpha"},
      {"broadcastColor0", FragmentEpilog, "exports colour 0 to every target"},
      {"clampColor", FragmentEpilog, "clamps to 0..1"},
      {"alphaTestFunc", FragmentEpilog, "kills by alpha"},
      {"depthStencilFormat", FragmentEpilog, "no depth or stencil export that nobody takes"},
  });
}();

constexpr StatePiece pieceOf(StateReader reader) {
  return reader == StateReader::VertexProlog     ? StatePiece::VertexInput
         : reader == StateReader::FragmentEpilog ? StatePiece::ColorOutput
                                                 : StatePiece::Rest;
}

constexpr size_t FieldCount = [] {
  size_t count = 0;
  for (size_t row = 0; row < std::size(Rows); ++row)
    count += row == 0 || Rows[row].field != Rows[row - 1].field;
  return count;
}();

// The rows of a field are consecutive.
constexpr auto PiecesOfFields = [] {
  std::array<uint8_t, FieldCount> pieces = {};
  size_t field = 0;
  for (size_t row = 0; row < std::size(Rows); ++row) {
    field += row != 0 && Rows[row].field != Rows[row - 1].field;
    pieces[field] |= bitOf(pieceOf(Rows[row].reader));
  }
  return pieces;
}();

} // namespace

std::span<const uint8_t> piecesOfFields() {
  return PiecesOfFields;
}

std::string_view toString(StateReader reader) {
  constexpr std::array<std::string_view, 11> Names = {"vertex prolog",
                                                      "geometry prolog",
                                                      "fragment prolog",
                                                      "fragment main part",
                                                      "main part in front of the rasteriser",
                                                      "tessellation control main part",
                                                      "fragment epilog",
                                                      "compute prolog",
                                                      "link constant",
                                                      "register",
                                                      "descriptor"};
  return Names[static_cast<size_t>(reader)];
}

std::span<const StateRow> stateTable() {
  return Rows;
}

MainPartState mainPartState(const PipelineState &state, const ShaderSet &shaders, ShaderStage stage) {
  MainPartState result;
  if (!shaders.shader(stage))
    return result;
  const std::optional<ShaderStage> last = shaders.lastInFront();
  auto concerns = [&](StateReader reader) {
    return reader == StateReader::FragmentMain    ? stage == ShaderStage::Fragment
           : reader == StateReader::PreRasterMain ? stage == last
                                                  : stage == ShaderStage::TessControl;
  };
  for (const StateRow &row : stateTable())
    if (row.applyToMainPart && concerns(row.reader))
      row.applyToMainPart(state, shaders, result);
  return result;
}

MainPartStates mainPartStates(const PipelineState &state, const ShaderSet &shaders) {
  MainPartStates states;
  for (size_t index = 0; index < states.size(); ++index)
    states[index] = mainPartState(state, shaders, ShaderStage(index));
  return states;
}

} // namespace dovetail
