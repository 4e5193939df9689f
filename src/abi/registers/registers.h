// SPDX-License-Identifier: MIT
//
// Hardware registers under the hardware's names, from the one table in registers.def: reg::SPI_VS_OUT_CONFIG is an
// address, field::SPI_VS_OUT_CONFIG::VS_EXPORT_COUNT a field of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

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
#define REGISTER(name, address, count, generations, owner, source) name = address,
#define FIELD(name, field, shift, width, generations, owner)
#include "src/abi/registers/registers.def"
#undef REGISTER
#undef FIELD
};
} // namespace reg

namespace field {
#define REGISTER(name, address, count, generations, owner, source)
#define FIELD(name, field, shift, width, generations, owner)                                                           \
  namespace name {                                                                                                     \
  inline constexpr RegisterField field{shift, width};                                                                  \
  }
#include "src/abi/registers/registers.def"
#undef REGISTER
#undef FIELD
} // namespace field

// The unit of LDS_SIZE in all registers that have this field (Mesa, ac_gpu_info.c: lds_encode_granularity).
constexpr uint32_t LdsGranuleBytes = 512;

// Which images program a register: those with a program of this stage.
// - Vs: also for registers of the whole front end, because each graphics pipeline has a Vs.
// - Gs on GFX9 and Hs on GFX9: the merged programs.
// - Driver: no image; the driver programs it, or the row stands for fields that several registers share.
// - Nobody: no image, and not every driver, so no code may depend on it.
enum class RegisterOwner : uint8_t { Driver, Nobody, Ls, Hs, Es, Gs, Vs, Ps, Cs };

enum class RegisterGenerations : uint8_t { Gfx8 = 1, Gfx9 = 2, Both = 3 };

struct RegisterRow {
  uint32_t address;
  std::string_view name;
  uint8_t count; // of a run of equal registers; each image programs as many of them as it needs
  RegisterGenerations generations;
  RegisterOwner owner;
  std::string_view source; // who else programs it
};

std::span<const RegisterRow> registerTable();

// "SPI_PS_INPUT_CNTL_3", or the address in hexadecimal for a register that is not in the table.
std::string registerName(uint32_t address);

} // namespace dovetail
