// SPDX-License-Identifier: MIT
//
// Values cross a border in registers: from the hardware into the first part, from part to part, and out of the last
// one. A value is one 32-bit register's worth, named by its meaning; a Binding says in which register it is.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

enum class ValueKind : uint8_t {
#define VALUE(kind, name, shape) kind,
#include "src/abi/values.def"
#undef VALUE
};

struct ValueName {
  ValueKind kind;
  uint8_t index = 0;
  uint8_t component = 0;

  auto operator<=>(const ValueName &) const = default;
};

// "attr3.y", "mrt0.a", "user_data4", "persp_center.i": what --asm and errors show.
std::string toString(const ValueName &value);

enum class RegisterBank : uint8_t { Sgpr, Vgpr };

struct Register {
  RegisterBank bank;
  uint16_t index;

  auto operator<=>(const Register &) const = default;
};

// "s3", "v17".
std::string toString(Register reg);

struct Binding {
  ValueName value;
  Register reg;

  auto operator<=>(const Binding &) const = default;
};

} // namespace dovetail
