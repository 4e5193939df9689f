// SPDX-License-Identifier: MIT
//
// Hardware registers under the hardware's names, from the one table in registers.def: reg::SPI_VS_OUT_CONFIG is an
// address, field::SPI_VS_OUT_CONFIG::VS_EXPORT_COUNT a field of it.
#pragma once

#include <cstdint>
#include <string>

namespace dovetail {

struct RegisterField {
  uint8_t shift;
  uint8_t width;

  constexpr uint32_t mask() const { return uint32_t((uint64_t(1) << width) - 1) << shift; }
  // The value in its place; bits that do not fit are cut off.
  constexpr uint32_t operator()(uint32_t value) const { return (value << shift) & mask(); }
  constexpr uint32_t get(uint32_t registerValue) const { return (registerValue & mask()) >> shift; }
};

namespace reg {
enum : uint32_t {
#define REGISTER(name, address) name = address,
#define FIELD(name, field, shift, width)
#include "src/abi/registers.def"
#undef REGISTER
#undef FIELD
};
} // namespace reg

namespace field {
#define REGISTER(name, address)
#define FIELD(name, field, shift, width)                                                                               \
  namespace name {                                                                                                     \
  inline constexpr RegisterField field{shift, width};                                                                  \
  }
#include "src/abi/registers.def"
#undef REGISTER
#undef FIELD
} // namespace field

// "SPI_PS_INPUT_CNTL_3", or the address in hexadecimal for a register that is not in the table.
std::string registerName(uint32_t address);

} // namespace dovetail
