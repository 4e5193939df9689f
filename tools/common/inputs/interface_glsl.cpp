// SPDX-License-Identifier: MIT
#include "tools/common/inputs/interface_glsl.h"
#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <map>

namespace dovetail {

std::vector<spirv::InterfaceLocation> withoutOverlaps(const std::vector<spirv::InterfaceLocation> &rows) {
  std::map<uint32_t, uint32_t> taken; // location -> component mask
  std::vector<spirv::InterfaceLocation> kept;
  for (const spirv::InterfaceLocation &row : rows) {
    uint32_t &mask = taken[row.location];
    if (mask & row.componentMask)
      continue;
    mask |= row.componentMask;
    kept.push_back(row);
  }
  return kept;
}

std::string variableName(const spirv::InterfaceLocation &row) {
  return fmt::format("v{}_{}", row.location, std::countr_zero(row.componentMask));
}

unsigned componentsOf(const spirv::InterfaceLocation &row) {
  unsigned dwords = std::popcount(row.componentMask);
  return row.elementBits == 64 ? std::max(dwords / 2, 1u) : dwords;
}

std::string typeName(NumericClass numericClass, unsigned bits, unsigned count) {
  struct Row {
    NumericClass numericClass;
    unsigned bits;
    const char *scalar, *vector;
  };
  static constexpr Row Rows[] = {
      {NumericClass::Float, 32, "float", "vec"},        {NumericClass::Float, 64, "double", "dvec"},
      {NumericClass::Float, 16, "float16_t", "f16vec"}, {NumericClass::Sint, 32, "int", "ivec"},
      {NumericClass::Sint, 16, "int16_t", "i16vec"},    {NumericClass::Sint, 64, "int64_t", "i64vec"},
      {NumericClass::Sint, 8, "int8_t", "i8vec"},       {NumericClass::Uint, 32, "uint", "uvec"},
      {NumericClass::Uint, 16, "uint16_t", "u16vec"},   {NumericClass::Uint, 64, "uint64_t", "u64vec"},
      {NumericClass::Uint, 8, "uint8_t", "u8vec"},
  };
  for (const Row &row : Rows)
    if (row.numericClass == numericClass && row.bits == bits)
      return count == 1 ? row.scalar : fmt::format("{}{}", row.vector, count);
  return "float";
}

namespace {

std::string placeOf(const spirv::InterfaceLocation &row) {
  unsigned first = std::countr_zero(row.componentMask);
  return fmt::format("layout(location = {}{}) ", row.location, first ? fmt::format(", component = {}", first) : "");
}

} // namespace

std::string declaration(const spirv::InterfaceLocation &row, std::string_view direction) {
  std::string text = placeOf(row);
  // Values that cannot be interpolated are flat, whatever the other side says.
  bool isFlat = row.numericClass != NumericClass::Float || row.elementBits == 64 ||
                row.interpolation == spirv::Interpolation::Flat;
  if (isFlat)
    text += "flat ";
  else if (row.interpolation == spirv::Interpolation::Linear)
    text += "noperspective ";
  if (!isFlat && row.interpolationPoint == spirv::InterpolationPoint::Centroid)
    text += "centroid ";
  else if (!isFlat && row.interpolationPoint == spirv::InterpolationPoint::Sample)
    text += "sample ";
  return text + fmt::format("{} {} {};\n", direction, typeName(row.numericClass, row.elementBits, componentsOf(row)),
                            variableName(row));
}

std::string declarationOfPatch(const spirv::InterfaceLocation &row, std::string_view direction) {
  return placeOf(row) + fmt::format("{}{} {} {}{};\n", row.isPatch ? "patch " : "", direction,
                                    typeName(row.numericClass, row.elementBits, componentsOf(row)), variableName(row),
                                    row.isPatch ? "" : "[]");
}

std::string extensionsFor(const std::vector<spirv::InterfaceLocation> &rows) {
  auto has = [&](unsigned bits) {
    return std::ranges::any_of(rows, [&](const auto &row) { return row.elementBits == bits; });
  };
  std::string text;
  if (has(8) || has(16) || has(64))
    text += "#extension GL_EXT_shader_explicit_arithmetic_types : require\n";
  if (has(16))
    text += "#extension GL_EXT_shader_16bit_storage : require\n";
  return text;
}

} // namespace dovetail
