// SPDX-License-Identifier: MIT
#include "tools/proof/scene/maker/attributes.h"
#include "src/state/format_table.h"
#include "tools/proof/scene/maker/geometry.h"
#include "tools/proof/scene/maker/names.h"
#include "tools/proof/scene/maker/numbers.h"
#include "tools/proof/scene/maker/random.h"
#include "tools/proof/scene/texel.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace dovetail {

namespace {

// The grid's extent, relative to the framebuffer (1: up to the edges).
constexpr float Reach = 0.97f;

bool isScaled(const FormatInfo &format) {
  return format.numeric == FormatNumeric::Uscaled || format.numeric == FormatNumeric::Sscaled;
}

float interpolate(const std::array<float, 4> &corners, GridPoint point) {
  float low = corners[0] + (corners[1] - corners[0]) * point.u;
  float high = corners[2] + (corners[3] - corners[2]) * point.u;
  return low + (high - low) * point.v;
}

} // namespace

AttributeMaker::AttributeMaker(const spirv::Reflection &vertex, const IndexLimits &limits, uint64_t seed)
    : m_seed(seed) {
  for (size_t i = 0; i < vertex.vertexInputs.size(); ++i) {
    const spirv::InterfaceLocation &shape = vertex.vertexInputs[i];
    Input input;
    input.location = shape.location;
    input.matrixColumn = matrixColumnOf(vertex, i);
    input.isPosition = isPositionInput(vertex, i);
    input.greatest = static_cast<float>(limits.ofVertexInput(shape.location)) - 1;
    input.hasW = shape.componentMask & 8;
    input.shape = shape;
    Random random(seed, "attribute", {shape.location});
    bool isCoordinate = meaningOf(shape.name) == Meaning::TextureCoordinate;
    float scale = isCoordinate ? random.real(0.8f, 2.2f) : 1, offset = isCoordinate ? random.real(-0.3f, 0.3f) : 0;
    for (unsigned c = 0; c < 4; ++c)
      for (unsigned corner = 0; corner < 4; ++corner) {
        // Texture coordinates follow the grid's own, so that they do not jump all over the texture.
        float along = (c == 0 ? corner & 1 : corner >> 1) ? 1.0f : 0.0f;
        input.corners[c][corner] =
            isCoordinate ? offset + scale * (along + random.real(-0.08f, 0.08f)) : random.real(0.1f, 0.9f);
      }
    m_inputs.push_back(std::move(input));
  }
}

const AttributeMaker::Input *AttributeMaker::find(uint32_t location) const {
  auto found = std::ranges::find(m_inputs, location, &Input::location);
  return found == m_inputs.end() ? nullptr : &*found;
}

Result<uint32_t> AttributeMaker::byteSize(const VertexAttribute &attribute) const {
  const FormatInfo *format = DOVETAIL_TRY(getVertexFormat(attribute.format));
  return format->bytes;
}

AttributeMaker::Values AttributeMaker::valuesAt(const Input &input, const VertexAttribute &attribute, GridPoint point,
                                                uint32_t vertex) const {
  Values values = anyValuesAt(input, attribute, point, vertex);
  if (!input.isPosition)
    for (float &value : values)
      value = std::min(value, input.greatest);
  return values;
}

AttributeMaker::Values AttributeMaker::anyValuesAt(const Input &input, const VertexAttribute &attribute,
                                                   GridPoint point, uint32_t vertex) const {
  const FormatInfo *format = findFormat(attribute.format);
  Values values;
  if (format->isInteger()) {
    Random random(m_seed, "integers", {input.location, vertex});
    for (float &value : values)
      value = random.below(4);
    return values;
  }
  if (input.matrixColumn >= 0) {
    Random random(m_seed, "matrix", {input.location});
    for (int row = 0; row < 4; ++row)
      values[row] = (row == input.matrixColumn ? 1 : 0) + random.real(-MatrixNoise, MatrixNoise);
    if (isScaled(*format))
      std::ranges::transform(values, values.begin(), [](float value) { return std::round(value); });
    return values;
  }
  for (unsigned c = 0; c < 4; ++c)
    values[c] = interpolate(input.corners[c], point);
  if (input.isPosition) {
    // Covers most of the framebuffer, with z well inside of the clip volume. A varying w makes linear and perspective
    // interpolation differ; normalised formats have no room for it.
    bool isNormalized = format->numeric == FormatNumeric::Unorm || format->numeric == FormatNumeric::Snorm;
    float w = input.hasW && format->componentCount == 4 && !isNormalized ? 0.8f + 0.5f * values[3] : 1;
    if (isScaled(*format)) // whole numbers: corners and middle
      return {std::round(2 * point.u - 1), std::round(2 * point.v - 1), 0, 1};
    values = {(2 * point.u - 1) * Reach * w, (2 * point.v - 1) * Reach * w, (0.2f + 0.6f * values[2]) * w, w};
    return values;
  }
  if (meaningOf(input.shape.name) == Meaning::Direction) {
    // In no format may the zero vector be left.
    values = {0.6f * (values[0] - 0.5f), 0.6f * (values[1] - 0.5f), 0.9f, 1};
    if (format->componentCount < 3)
      std::swap(values[2], values[format->componentCount - 1]);
    if (input.shape.name.find("angent") != std::string::npos)
      std::swap(values[0], values[2]);
    float length = std::sqrt(values[0] * values[0] + values[1] * values[1] + values[2] * values[2]);
    for (unsigned c = 0; c < 3; ++c)
      values[c] /= length;
  }
  if (isScaled(*format))
    for (float &value : values)
      value = std::round(value * 4);
  return values;
}

Result<void> AttributeMaker::write(const VertexAttribute &attribute, const Values &values, uint8_t *bytes) const {
  const FormatInfo *format = DOVETAIL_TRY(getVertexFormat(attribute.format));
  if (format->bits[0] == 64) {
    NumericClass numericClass = format->numeric == FormatNumeric::Sint   ? NumericClass::Sint
                                : format->numeric == FormatNumeric::Uint ? NumericClass::Uint
                                                                         : NumericClass::Float;
    for (unsigned c = 0; c < format->componentCount; ++c)
      writeNumber(bytes + c * 8, numericClass, 64, values[c]);
    return {};
  }
  TexelLayout layout = DOVETAIL_TRY(texelLayout(attribute.format));
  TexelValue texel;
  for (unsigned c = 0; c < 4; ++c)
    texel[c] = layout.isInteger() ? static_cast<uint32_t>(values[c]) : std::bit_cast<uint32_t>(values[c]);
  encodeTexel(layout, texel, bytes);
  return {};
}

Result<void> AttributeMaker::writeForVertex(const VertexAttribute &attribute, GridPoint point, uint32_t vertex,
                                            uint8_t *bytes) const {
  DOVETAIL_TRY(getVertexFormat(attribute.format));
  const Input *input = find(attribute.location);
  return input ? write(attribute, valuesAt(*input, attribute, point, vertex), bytes) : Result<void>();
}

Result<void> AttributeMaker::writeForInstance(const VertexAttribute &attribute, uint32_t element,
                                              uint8_t *bytes) const {
  // Each instance gets a place of its own.
  Random random(m_seed, "instance", {element});
  GridPoint place{random.real(), random.real()};
  return writeForVertex(attribute, place, element, bytes);
}

} // namespace dovetail
