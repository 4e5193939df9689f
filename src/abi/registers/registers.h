// SPDX-License-Identifier: MIT
//
// Hardware registers under the hardware's names, from the one table in registers.def: reg::SPI_VS_OUT_CONFIG is an
// address, field::SPI_VS_OUT_CONFIG::VS_EXPORT_COUNT a field of it.
#pragma once

#include <cstdint>
#include <optional>
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

// The registers of a stage's program; userData is the first of a run.
struct ProgramRegisters {
  uint32_t rsrc1, rsrc2, userData;
};
// By HardwareStage. The user data of GFX9's merged geometry program is in the registers of ES.
constexpr ProgramRegisters ProgramRegisterTable[] = {
    {reg::SPI_SHADER_PGM_RSRC1_LS, reg::SPI_SHADER_PGM_RSRC2_LS, reg::SPI_SHADER_USER_DATA_LS_0},
    {reg::SPI_SHADER_PGM_RSRC1_HS, reg::SPI_SHADER_PGM_RSRC2_HS, reg::SPI_SHADER_USER_DATA_HS_0},
    {reg::SPI_SHADER_PGM_RSRC1_ES, reg::SPI_SHADER_PGM_RSRC2_ES, reg::SPI_SHADER_USER_DATA_ES_0},
    {reg::SPI_SHADER_PGM_RSRC1_GS, reg::SPI_SHADER_PGM_RSRC2_GS, reg::SPI_SHADER_USER_DATA_GS_0},
    {reg::SPI_SHADER_PGM_RSRC1_VS, reg::SPI_SHADER_PGM_RSRC2_VS, reg::SPI_SHADER_USER_DATA_VS_0},
    {reg::SPI_SHADER_PGM_RSRC1_PS, reg::SPI_SHADER_PGM_RSRC2_PS, reg::SPI_SHADER_USER_DATA_PS_0},
    {reg::COMPUTE_PGM_RSRC1, reg::COMPUTE_PGM_RSRC2, reg::COMPUTE_USER_DATA_0},
};

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

// The command processor's packets SET_SH_REG, SET_CONTEXT_REG and the like write consecutive registers of one space.
// They name a register by its distance from the start of the space. The spaces are in the order of their addresses.
enum class RegisterSpace : uint8_t { Config, Sh, Context, Uconfig };

// std::nullopt: no packet writes a register of this address.
std::optional<RegisterSpace> findRegisterSpace(uint32_t address);

// The address, in dwords, from which the space's packet counts.
uint32_t startOf(RegisterSpace space);

// Bits 28 to 31 of the dword in which the packet has the offset. 0 for all but a few registers, each of which needs a
// packet of its own.
uint8_t packetIndexOf(uint32_t address);

} // namespace dovetail
