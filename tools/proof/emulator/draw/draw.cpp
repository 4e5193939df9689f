// SPDX-License-Identifier: MIT
//
// A draw, step by step, from vertices to pictures.
#include "tools/proof/emulator/draw/draw.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include "tools/proof/emulator/draw/primitives/input_assembly.h"
#include "tools/proof/emulator/draw/raster/clip.h"
#include "tools/proof/emulator/draw/raster/primitive_setup.h"
#include "tools/proof/emulator/draw/waves/geometry_waves.h"
#include "tools/proof/emulator/draw/waves/pixel_waves.h"
#include "tools/proof/emulator/draw/waves/tessellation.h"
#include "tools/proof/emulator/draw/waves/vertex_waves.h"
#include <algorithm>

namespace dovetail::emulator {

namespace {

// Takes a primitive from the vertex waves to the pixel waves.
class Rasteriser {
public:
  Rasteriser(const Draw &command, const Grid &grid, const DepthBias &bias, const ParameterRouting &routing,
             PixelWaves &waves)
      : m_scene(command.scene), m_firstLayer(command.firstLayer), m_grid(grid), m_bias(bias), m_routing(routing),
        m_waves(waves), m_clip(readClipState(command.scene, command.registers)),
        m_viewports(makeViewports(command.scene, command.registers)) {
    m_setup = {m_scene.cullMode, m_scene.frontFace, m_scene.lineWidth,
               m_scene.lineMode == VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT};
  }

  Result<void> draw(std::span<const ShadedVertex *const> corners, unsigned provoking) {
    const std::vector<ClipVertex> clipped = clipPrimitive(m_clip, corners);
    if (clipped.empty())
      return {};
    const ShadedVertex &leader = *corners[provoking];
    const Viewport &viewport = m_viewports[leader.viewport < m_viewports.size() ? leader.viewport : 0];
    std::vector<WindowVertex> window;
    for (const ClipVertex &vertex : clipped)
      window.push_back(viewport.transform(vertex));

    PixelPrimitive pixels;
    pixels.parameters = DOVETAIL_TRY(m_routing.route(corners, provoking));
    pixels.layer = std::min(m_firstLayer + leader.layer, std::max(m_scene.layers, 1u) - 1);
    pixels.minDepth = viewport.minDepth;
    pixels.maxDepth = viewport.maxDepth;
    const PixelRect region = viewport.region.intersection(viewport.pixels);

    if (corners.size() == 1)
      return fill(setUpPoint(m_grid, window[0], leader.pointSize), pixels, region);
    if (corners.size() == 2)
      return fill(setUpLine(m_grid, m_setup, window[0], window[1]), pixels, region);
    for (size_t i = 2; i < window.size(); ++i) {
      std::array<WindowVertex, 3> triangle = {window[0], window[i - 1], window[i]};
      if (m_scene.polygonMode == VK_POLYGON_MODE_FILL) {
        SetupPrimitive filled = setUpTriangle(m_grid, m_setup, triangle);
        filled.interpolants.depth.value += depthOffset(m_bias, triangle);
        DOVETAIL_CHECK(fill(filled, pixels, region));
        continue;
      }
      const std::optional<bool> isFront = outlineFacesFront(m_setup, triangle);
      if (!isFront)
        continue;
      if (m_scene.depthBiasEnable) {
        const float offset = depthOffset(m_bias, triangle);
        for (WindowVertex &corner : triangle)
          corner.z = std::clamp(corner.z + offset, 0.0f, 1.0f);
      }
      // Of the triangles into which a clipped polygon is cut, only the polygon's own edges are drawn.
      triangle[0].drawsEdge = i == 2 && window[0].drawsEdge;
      triangle[0].drawsCorner = i == 2 && window[0].drawsCorner;
      triangle[2].drawsEdge = i + 1 == window.size() && window[i].drawsEdge;
      triangle[2].drawsCorner = i + 1 == window.size() && window[i].drawsCorner;
      pixels.isFront = *isFront;
      const bool isWhole = window.size() == 3 && !clipped[0].isNew && !clipped[1].isNew && !clipped[2].isNew;
      DOVETAIL_CHECK(drawOutline(triangle, corners, isWhole ? provoking : 0, pixels, region));
    }
    return {};
  }

private:
  // The edges or corners of a triangle. As in the reference, the provoking corner is the first or the last, and the
  // edge from the last corner to the first is the first edge.
  Result<void> drawOutline(std::span<const WindowVertex, 3> triangle, std::span<const ShadedVertex *const> corners,
                           unsigned provoking, const PixelPrimitive &pixels, const PixelRect &region) {
    const unsigned last = m_scene.state.flatProvokingVertexLast ? provoking : provoking + 2;
    if (m_scene.polygonMode == VK_POLYGON_MODE_LINE) {
      for (unsigned begin : {last % 3, (last + 1) % 3, (last + 2) % 3})
        if (triangle[begin].drawsEdge) {
          SetupPrimitive line = setUpLine(m_grid, m_setup, triangle[begin], triangle[(begin + 1) % 3]);
          line.isFront = pixels.isFront;
          DOVETAIL_CHECK(fill(line, pixels, region));
        }
      return {};
    }
    for (unsigned i = 1; i <= 3; ++i)
      if (const WindowVertex &corner = triangle[(last + i) % 3]; corner.drawsCorner) {
        float size = 0;
        for (unsigned k = 0; k < 3; ++k)
          size += float(corner.weights[k]) * corners[k]->pointSize;
        SetupPrimitive point = setUpCorner(m_grid, corner, size);
        point.isFront = pixels.isFront;
        DOVETAIL_CHECK(fill(point, pixels, region));
      }
    return {};
  }

  Result<void> fill(const SetupPrimitive &primitive, PixelPrimitive pixels, const PixelRect &region) {
    if (primitive.polygon.empty())
      return {};
    pixels.interpolants = primitive.interpolants;
    pixels.isFront = primitive.isFront;
    auto shared = std::make_shared<const PixelPrimitive>(std::move(pixels));
    return rasterise(m_grid, primitive.polygon, region, [&](const Quad &quad) { return m_waves.add(shared, quad); });
  }

  const Scene &m_scene;
  const uint32_t m_firstLayer;
  const Grid &m_grid;
  const DepthBias m_bias;
  const ParameterRouting &m_routing;
  PixelWaves &m_waves;
  ClipState m_clip;
  SetupState m_setup;
  std::vector<Viewport> m_viewports;
};

// Errors: Unsupported, naming a state that is not modelled.
Result<void> checkModelled(const Scene &scene) {
  switch (scene.lineMode) {
  case VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT:
  case VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT:
    return {};
  case VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT:
    if (scene.state.rasterizationSamples > 1)
      return makeError(ErrorCode::Unsupported, "Bresenham lines of several samples are not emulated");
    return {};
  default:
    return makeError(ErrorCode::Unsupported, "line rasterisation mode {} is not emulated", int(scene.lineMode));
  }
}

// Errors: Unsupported for a number of samples without standard locations; StateMismatch if registers and targets have
// different numbers.
Result<Grid> makeGrid(const Draw &command) {
  const unsigned samples = std::max(command.scene.state.rasterizationSamples, 1u);
  if (standardSampleLocations(samples).empty())
    return makeError(ErrorCode::Unsupported, "{} samples", samples);
  const uint32_t config = registerValue(command.registers, reg::PA_SC_AA_CONFIG);
  const unsigned announced = 1u << field::PA_SC_AA_CONFIG::MSAA_NUM_SAMPLES.get(config);
  // The driver turns PA_SC_MODE_CNTL_0.MSAA_ENABLE off.
  const bool isOff = command.scene.state.multisampleDisable;
  if (announced != (isOff ? 1 : samples))
    return makeError(ErrorCode::StateMismatch, "PA_SC_AA_CONFIG announces {} samples, the targets have {}{}", announced,
                     samples, isOff ? ", and multisampling is off" : "");
  return isOff ? Grid::centered(samples) : Grid(samples);
}

// Runs tessellation and geometry, as VGT_SHADER_STAGES_EN enables them, and the vertex or copy shader in front of the
// rasteriser.
Result<ShadedDraw> runFrontEnd(Gpu &gpu, const Draw &command) {
  using namespace field;
  const HardwareRegisters &registers = command.registers;
  const uint32_t stages = registerValue(registers, reg::VGT_SHADER_STAGES_EN);
  const bool hasGeometry = VGT_SHADER_STAGES_EN::GS_EN.get(stages) != 0;
  const bool hasTessellation = VGT_SHADER_STAGES_EN::HS_EN.get(stages) != 0;
  const bool primitiveIds =
      VGT_PRIMITIVEID_EN::PRIMITIVEID_EN.get(registerValue(registers, reg::VGT_PRIMITIVEID_EN)) != 0;
  FrontDraw front;
  if (hasTessellation) {
    front = DOVETAIL_TRY(tessellate(gpu, command));
  } else {
    const InputUse use = hasGeometry ? InputUse::Geometry : InputUse::Rasteriser;
    front = makeFrontDraw(DOVETAIL_TRY(assembleInput(command.scene, primitiveIds, use)), registers);
  }
  return hasGeometry ? shadeGeometry(gpu, command, front) : shadeVertices(gpu, command, front);
}

} // namespace

Result<SceneResult> draw(Gpu &gpu, const Draw &command) {
  using namespace field;
  const HardwareRegisters &registers = command.registers;
  DOVETAIL_CHECK(checkModelled(command.scene));
  Targets targets = DOVETAIL_TRY(Targets::make(command.scene, command.before));
  const Grid grid = DOVETAIL_TRY(makeGrid(command));

  const ShadedDraw shaded = DOVETAIL_TRY(runFrontEnd(gpu, command));
  if (PA_CL_CLIP_CNTL::DX_RASTERIZATION_KILL.get(registerValue(registers, reg::PA_CL_CLIP_CNTL)) != 0)
    return targets.finish(RoundingNoise(gpu.variation.roundingNoise, gpu.variation.noiseSources));

  // From here on, the pixel shader is the only program that runs.
  const OutputMerger merger = DOVETAIL_TRY(OutputMerger::make(command, grid, targets));
  const ParameterRouting routing = DOVETAIL_TRY(ParameterRouting::make(registers));
  PixelWaves waves = DOVETAIL_TRY(PixelWaves::make(gpu, command, grid, merger));
  Rasteriser rasteriser(command, grid, DOVETAIL_TRY(makeDepthBias(command.scene)), routing, waves);
  for (const AssembledPrimitive &primitive : shaded.primitives) {
    std::array<const ShadedVertex *, 3> corners = {};
    for (unsigned i = 0; i < primitive.corners; ++i)
      corners[i] = &shaded.vertices[primitive.vertex[i]];
    DOVETAIL_CHECK(rasteriser.draw(std::span(corners.data(), primitive.corners), primitive.provoking));
  }
  DOVETAIL_CHECK(waves.flush());
  return targets.finish(RoundingNoise(gpu.variation.roundingNoise, gpu.variation.noiseSources));
}

} // namespace dovetail::emulator
