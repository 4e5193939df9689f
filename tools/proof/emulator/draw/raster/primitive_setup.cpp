// SPDX-License-Identifier: MIT
//
// A point is the square of its size. Sources: the Vulkan specification, "Basic Point Rasterization"; for its rounding
// Mesa's lp_setup_point.c.
// For the depth bias: the Vulkan specification, "Depth Bias", and Mesa's draw_pipe_offset.c and lp_state_setup.c.
// docs/hardware-facts.md lists the assumptions.
#include "tools/proof/emulator/draw/raster/primitive_setup.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace dovetail::emulator {

namespace {

constexpr float MaxPointSize = 255;

// A corner at the origin of clip space passes all clipping but has no place in the window. The reference draws nothing
// then.
bool isInWindow(const WindowVertex &corner) {
  return std::isfinite(corner.x) && std::isfinite(corner.y) && std::isfinite(corner.inverseW);
}

int64_t pointWidth(float size) {
  return std::max<int64_t>(Grid::snapLength(std::min(size, MaxPointSize)), Subpixels);
}

std::vector<GridPoint> pointSquare(const Grid &grid, const WindowVertex &point, int64_t width) {
  const int64_t x = grid.snapOutwards(point.x) - width / 2, y = grid.snapOutwards(point.y) - width / 2;
  return {{x, y}, {x + width, y}, {x + width, y + width}, {x, y + width}};
}

} // namespace

SetupPrimitive setUpTriangle(const Grid &grid, const SetupState &state, std::span<const WindowVertex, 3> corners) {
  SetupPrimitive result;
  if (!std::ranges::all_of(corners, isInWindow))
    return result;
  for (const WindowVertex &corner : corners)
    result.polygon.push_back({grid.snap(corner.x), grid.snap(corner.y)});
  const int64_t area = signedArea(result.polygon);
  const bool isCounterClockwise = area < 0;
  result.isFront = isCounterClockwise == (state.frontFace == VK_FRONT_FACE_COUNTER_CLOCKWISE);
  if (area == 0 || (state.cullMode & (result.isFront ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT)) != 0)
    result.polygon.clear();
  result.interpolants = interpolateTriangle(corners);
  return result;
}

// Before the corners are snapped, and without area a back face, as in the reference.
std::optional<bool> outlineFacesFront(const SetupState &state, std::span<const WindowVertex, 3> corners) {
  if (!std::ranges::all_of(corners, isInWindow))
    return std::nullopt;
  const float x0 = corners[0].x - corners[2].x, y0 = corners[0].y - corners[2].y;
  const float x1 = corners[1].x - corners[2].x, y1 = corners[1].y - corners[2].y;
  const float area = x0 * y1 - y0 * x1;
  const bool isFront = state.frontFace == VK_FRONT_FACE_COUNTER_CLOCKWISE ? area < 0 : area > 0;
  if ((state.cullMode & (isFront ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT)) != 0)
    return std::nullopt;
  return isFront;
}

SetupPrimitive setUpPoint(const Grid &grid, const WindowVertex &point, float size) {
  SetupPrimitive result;
  const int64_t width = pointWidth(size);
  result.polygon = pointSquare(grid, point, width);
  result.interpolants = interpolatePoint(point, float(width) / Subpixels);
  return result;
}

SetupPrimitive setUpCorner(const Grid &grid, const WindowVertex &corner, float size) {
  SetupPrimitive result;
  result.polygon = pointSquare(grid, corner, pointWidth(size));
  result.interpolants = interpolateCorner(corner);
  return result;
}

Result<DepthBias> makeDepthBias(const Scene &scene) {
  DepthBias bias;
  if (!scene.depthBiasEnable)
    return bias;
  // Vulkan leaves open how large the step of a normalised format is. The reference takes two steps of the format.
  bias = {scene.depthBiasConstant, scene.depthBiasSlope, scene.depthBiasClamp, 0};
  switch (scene.state.depthStencilFormat) {
  case VK_FORMAT_D16_UNORM:
  case VK_FORMAT_D16_UNORM_S8_UINT:
    bias.smallestStep = float(2.0 / 0xffff);
    break;
  case VK_FORMAT_X8_D24_UNORM_PACK32:
  case VK_FORMAT_D24_UNORM_S8_UINT:
    bias.smallestStep = float(2.0 / 0xffffff);
    break;
  case VK_FORMAT_D32_SFLOAT:
  case VK_FORMAT_D32_SFLOAT_S8_UINT:
  case VK_FORMAT_S8_UINT:
  case VK_FORMAT_UNDEFINED:
    break;
  default:
    return makeError(ErrorCode::Unsupported, "a depth bias in the format {} is not emulated",
                     int(scene.state.depthStencilFormat));
  }
  return bias;
}

float depthOffset(const DepthBias &bias, std::span<const WindowVertex, 3> corners) {
  if (bias.constant == 0 && bias.slope == 0)
    return 0;
  // In single precision, as in the reference: where surfaces of one depth lie over each other, the last bit decides.
  const WindowVertex &a = corners[0], &b = corners[1], &c = corners[2];
  const float x01 = a.x - b.x, y01 = a.y - b.y, z01 = a.z - b.z;
  const float x20 = c.x - a.x, y20 = c.y - a.y, z20 = c.z - a.z;
  const float inverseArea = 1 / (x01 * y20 - x20 * y01);
  const float slope =
      std::max(std::abs((z20 * y01 - y20 * z01) * inverseArea), std::abs((x20 * z01 - z20 * x01) * inverseArea));
  float step = bias.smallestStep;
  if (step == 0) {
    constexpr uint32_t MantissaBits = 23, Exponent = 0xffu << MantissaBits;
    const float largest = std::max({std::abs(corners[0].z), std::abs(corners[1].z), std::abs(corners[2].z)});
    const uint32_t exponent = std::bit_cast<uint32_t>(largest) & Exponent;
    step =
        exponent > MantissaBits << MantissaBits ? std::bit_cast<float>(exponent - (MantissaBits << MantissaBits)) : 0;
  }
  const float offset = step * bias.constant + slope * bias.slope;
  if (bias.clamp > 0)
    return std::min(offset, bias.clamp);
  return bias.clamp < 0 ? std::max(offset, bias.clamp) : offset;
}

} // namespace dovetail::emulator
