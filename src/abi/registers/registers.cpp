// SPDX-License-Identifier: MIT
//
// Sources of the spaces: where spaces begin and end, Mesa's sid.h (SI_CONFIG_REG_OFFSET and the like, in bytes there);
// registers with an index, radeon_set_context_reg_idx() and radeon_set_uconfig_reg_idx() in radeonsi's
// si_state_draw.cpp and RADV's radv_cmd_buffer.c. Images have three registers with an index, those that are here. A
// register of the last space with an index goes with SET_UCONFIG_REG_INDEX on GFX9 where the microcode knows that
// packet (sid.h: from version 26 on).
#include "src/abi/registers/registers.h"
#include "src/base/enumerators.h"
#include <fmt/format.h>

namespace dovetail {

namespace {

using enum RegisterOwner;
using enum RegisterGenerations;

constexpr RegisterRow RegisterRows[] = {
#define REGISTER(name, address, count, generations, owner, source) {address, #name, count, generations, owner, source},
#define FIELD(name, field, shift, width, generations, owner)
#include "src/abi/registers/registers.def"
#undef REGISTER
#undef FIELD
};

static_assert(std::size(ProgramRegisterTable) == enumeratorCount<HardwareStage>());

struct SpaceRow {
  RegisterSpace space;
  uint32_t begin, end;
};

constexpr SpaceRow Spaces[] = {
    {RegisterSpace::Config, 0x2000, 0x2c00},
    {RegisterSpace::Sh, 0x2c00, 0x3000},
    {RegisterSpace::Context, 0xa000, 0xc000},
    {RegisterSpace::Uconfig, 0xc000, 0x10000},
};
static_assert(std::size(Spaces) == enumeratorCount<RegisterSpace>());

} // namespace

std::span<const RegisterRow> registerTable() {
  return RegisterRows;
}

std::string registerName(uint32_t address) {
  for (const RegisterRow &row : RegisterRows) {
    if (address == 0 || address < row.address || address >= row.address + row.count)
      continue;
    if (row.count == 1)
      return std::string(row.name);
    if (!row.name.ends_with('0')) // a run of different registers
      return fmt::format("{}+{}", row.name, address - row.address);
    std::string_view run = row.name.substr(0, row.name.size() - 1);
    return fmt::format("{}{}", run, address - row.address);
  }
  return fmt::format("0x{:x}", address);
}

std::optional<RegisterSpace> findRegisterSpace(uint32_t address) {
  for (const SpaceRow &row : Spaces)
    if (address >= row.begin && address < row.end)
      return row.space;
  return std::nullopt;
}

uint32_t startOf(RegisterSpace space) {
  return Spaces[static_cast<uint8_t>(space)].begin;
}

uint8_t packetIndexOf(uint32_t address) {
  switch (address) {
  case reg::IA_MULTI_VGT_PARAM_GFX8:
    return 1;
  case reg::VGT_LS_HS_CONFIG:
    return 2;
  case reg::IA_MULTI_VGT_PARAM:
    return 4;
  default:
    return 0;
  }
}

} // namespace dovetail
