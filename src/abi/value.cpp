// SPDX-License-Identifier: MIT
#include "src/abi/value.h"
#include <fmt/format.h>
#include <string_view>

namespace dovetail {

namespace {

enum class Shape : uint8_t { Plain, Indexed, Xyzw, IndexXyzw, Ij, Color, Attribute };

struct ValueRow {
  std::string_view name;
  Shape shape;
};

// By ValueKind.
constexpr ValueRow ValueRows[] = {
#define VALUE(kind, name, shape) {name, Shape::shape},
#include "src/abi/values.def"
#undef VALUE
};

std::string componentOf(unsigned component, std::string_view letters) {
  return component < letters.size() ? std::string(1, letters[component]) : std::to_string(component);
}

} // namespace

std::string toString(const ValueName &value) {
  if (unsigned(value.kind) >= std::size(ValueRows))
    return fmt::format("value{}", unsigned(value.kind));
  const ValueRow &row = ValueRows[unsigned(value.kind)];
  switch (row.shape) {
  case Shape::Plain:
    return std::string(row.name);
  case Shape::Indexed:
    return fmt::format("{}{}", row.name, value.index);
  case Shape::Xyzw:
    return fmt::format("{}.{}", row.name, componentOf(value.component, "xyzw"));
  case Shape::IndexXyzw:
    return fmt::format("{}.{}", row.name, componentOf(value.index, "xyzw"));
  case Shape::Ij:
    return fmt::format("{}.{}", row.name, componentOf(value.component, "ij"));
  case Shape::Color:
    return fmt::format("{}{}.{}", row.name, value.index, componentOf(value.component, "rgba"));
  case Shape::Attribute:
    return fmt::format("{}{}.{}", row.name, value.index, componentOf(value.component, "xyzw"));
  }
  return std::string(row.name);
}

std::string toString(Register reg) {
  return fmt::format("{}{}", reg.bank == RegisterBank::Sgpr ? 's' : 'v', reg.index);
}

} // namespace dovetail
