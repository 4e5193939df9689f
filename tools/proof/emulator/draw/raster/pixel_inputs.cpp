// SPDX-License-Identifier: MIT
//
// Source: the fields of SPI_PS_INPUT_ENA, SPI_BARYC_CNTL in AMD's public register headers; the bits of ANCILLARY as
// Mesa's radeonsi reads them (si_shader_llvm_ps.c). PA_SC_CENTROID_PRIORITY, which chooses the sample for a centroid,
// is not modelled (docs/hardware-facts.md).
#include "tools/proof/emulator/draw/raster/pixel_inputs.h"
#include "src/abi/entry_registers.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include <algorithm>
#include <bit>

namespace dovetail::emulator {

namespace {

enum class Location : uint8_t { Centre = 0, Centroid = 1, Sample = 2 }; // codes of POS_FLOAT_LOCATION

struct Point {
  double x, y;
};

uint32_t asBits(double value) {
  return std::bit_cast<uint32_t>(float(value));
}

// Inputs that are weights, and their place.
struct Weights {
  bool isPerspective;
  Location location;
};
std::optional<Weights> weightsOf(ValueKind kind) {
  switch (kind) {
  case ValueKind::PerspSample:
    return Weights{true, Location::Sample};
  case ValueKind::PerspCenter:
    return Weights{true, Location::Centre};
  case ValueKind::PerspCentroid:
    return Weights{true, Location::Centroid};
  case ValueKind::LinearSample:
    return Weights{false, Location::Sample};
  case ValueKind::LinearCenter:
    return Weights{false, Location::Centre};
  case ValueKind::LinearCentroid:
    return Weights{false, Location::Centroid};
  default:
    return std::nullopt;
  }
}

class InputMaker {
public:
  InputMaker(const HardwareRegisters &registers, const Grid &grid)
      : m_samples(grid.samples()), m_control(registerValue(registers, reg::SPI_BARYC_CNTL)) {
    m_position = Location(field::SPI_BARYC_CNTL::POS_FLOAT_LOCATION.get(m_control));
  }

  Interpolants::Pair weights(const Weights &weights, const PixelQuad &quad, unsigned pixel) const {
    const Interpolants &planes = quad.primitive->interpolants;
    const Point point = at(weights.location, quad, pixel);
    return weights.isPerspective ? planes.perspective(point.x, point.y) : planes.linear(point.x, point.y);
  }

  // `component` of any input that is no weight, for one lane.
  uint32_t input(ValueKind kind, unsigned component, const PixelQuad &quad, unsigned pixel) const {
    const Interpolants &planes = quad.primitive->interpolants;
    switch (kind) {
    case ValueKind::PerspPullModel: {
      Point centre = at(Location::Centre, quad, pixel);
      const Plane &plane = component == 0 ? planes.iOverW : component == 1 ? planes.jOverW : planes.inverseW;
      return asBits(plane.at(centre.x, centre.y));
    }
    case ValueKind::PosX:
      return asBits(isUpperLeft() ? quad.pixelX(pixel) : at(m_position, quad, pixel).x);
    case ValueKind::PosY:
      return asBits(isUpperLeft() ? quad.pixelY(pixel) : at(m_position, quad, pixel).y);
    case ValueKind::PosZ: {
      Point point = at(m_position, quad, pixel);
      return asBits(planes.depth.at(point.x, point.y));
    }
    case ValueKind::PosW: {
      Point point = at(m_position, quad, pixel);
      return asBits(1 / planes.inverseW.at(point.x, point.y));
    }
    case ValueKind::FrontFace:
      return quad.primitive->isFront ? 0xffffffff : 0;
    case ValueKind::Ancillary: // [11:8] sample, [26:16] layer
      return uint32_t(quad.sample) << 8 | (quad.primitive->layer & 0x7ff) << 16;
    case ValueKind::SampleCoverage:
      return quad.covered[pixel];
    case ValueKind::PosFixedPt:
      return (uint32_t(quad.pixelX(pixel)) & 0xffff) | uint32_t(quad.pixelY(pixel)) << 16;
    default:
      return 0;
    }
  }

  bool frontFaceIsAllBits() const { return field::SPI_BARYC_CNTL::FRONT_FACE_ALL_BITS.get(m_control) != 0; }

private:
  bool isUpperLeft() const { return field::SPI_BARYC_CNTL::POS_FLOAT_ULC.get(m_control) != 0; }

  // The centroid is the first covered sample of a pixel, or the centre if the pixel is covered completely or not at
  // all.
  Point at(Location location, const PixelQuad &quad, unsigned pixel) const {
    int sample = -1;
    if (location == Location::Sample && quad.isPerSample)
      sample = quad.sample;
    const unsigned covered = quad.covered[pixel];
    if (location == Location::Centroid && covered != 0 && covered != (1u << m_samples.size()) - 1)
      sample = std::countr_zero(covered);
    const double x = quad.pixelX(pixel), y = quad.pixelY(pixel);
    if (sample < 0)
      return {x + 0.5, y + 0.5};
    return {x + m_samples[size_t(sample)].x / 16.0, y + m_samples[size_t(sample)].y / 16.0};
  }

  std::span<const SampleLocation> m_samples;
  uint32_t m_control;
  Location m_position;
};

} // namespace

bool leavesOutCentroids(const HardwareRegisters &registers, const Grid &grid, std::span<const PixelQuad> quads) {
  const uint32_t control = registerValue(registers, reg::SPI_PS_IN_CONTROL);
  const uint32_t enabled = registerValue(registers, reg::SPI_PS_INPUT_ENA);
  const bool hasBoth = ((enabled & PerspCenterEna) != 0 && (enabled & PerspCentroidEna) != 0) ||
                       ((enabled & LinearCenterEna) != 0 && (enabled & LinearCentroidEna) != 0);
  if (field::SPI_PS_IN_CONTROL::BC_OPTIMIZE_DISABLE.get(control) != 0 || !hasBoth)
    return false;
  const uint32_t all = (1u << grid.samples().size()) - 1;
  return std::ranges::all_of(quads, [&](const PixelQuad &quad) {
    return std::ranges::all_of(quad.covered, [&](uint8_t covered) { return covered == all; });
  });
}

Result<std::vector<std::optional<Lanes>>> makePixelInputs(const HardwareRegisters &registers, const Grid &grid,
                                                          std::span<const PixelQuad> quads) {
  const uint32_t enabled = registerValue(registers, reg::SPI_PS_INPUT_ENA);
  const uint32_t reserved = registerValue(registers, reg::SPI_PS_INPUT_ADDR);
  InputMaker maker(registers, grid);
  constexpr uint32_t NotLoaded = 0x7fc0'dead; // no number
  const bool noCentroids = leavesOutCentroids(registers, grid, quads);
  if ((enabled & FrontFaceEna) != 0 && !maker.frontFaceIsAllBits())
    return makeError(ErrorCode::Unsupported, "a front face without SPI_BARYC_CNTL.FRONT_FACE_ALL_BITS");

  std::vector<std::optional<Lanes>> vgprs;
  for (unsigned bit = 0; bit < PsInputCount; ++bit) {
    if ((reserved >> bit & 1) == 0)
      continue;
    const PsInput &input = psInputs()[bit];
    const size_t first = vgprs.size();
    const bool isLoaded = (enabled >> bit & 1) != 0;
    vgprs.resize(first + input.count);
    for (size_t vgpr = first; isLoaded && vgpr < vgprs.size(); ++vgpr)
      vgprs[vgpr].emplace();
    if (!isLoaded)
      continue;
    if (noCentroids && (input.kind == ValueKind::PerspCentroid || input.kind == ValueKind::LinearCentroid)) {
      for (size_t vgpr = first; vgpr < vgprs.size(); ++vgpr)
        vgprs[vgpr]->fill(NotLoaded);
      continue;
    }
    if (const std::optional<Weights> weights = weightsOf(input.kind)) {
      for (unsigned lane = 0; lane < quads.size() * 4; ++lane) {
        const Interpolants::Pair pair = maker.weights(*weights, quads[lane / 4], lane % 4);
        (*vgprs[first])[lane] = std::bit_cast<uint32_t>(pair.i);
        (*vgprs[first + 1])[lane] = std::bit_cast<uint32_t>(pair.j);
      }
      continue;
    }
    for (unsigned component = 0; component < input.count; ++component)
      for (unsigned lane = 0; lane < quads.size() * 4; ++lane)
        (*vgprs[first + component])[lane] = maker.input(input.kind, component, quads[lane / 4], lane % 4);
  }
  return vgprs;
}

} // namespace dovetail::emulator
