// SPDX-License-Identifier: MIT
//
// Sources: where spaces begin and end, Mesa's sid.h (SI_CONFIG_REG_OFFSET and the like, in bytes there); registers with
// an index, radeon_set_context_reg_idx() and radeon_set_uconfig_reg_idx() in radeonsi's si_state_draw.cpp and RADV's
// radv_cmd_buffer.c. Images have three registers with an index, those that are here. A register of the last space with
// an index goes with SET_UCONFIG_REG_INDEX on GFX9 where the microcode knows that packet (sid.h: from version 26 on).
#include "src/abi/registers/register_space.h"
#include "src/abi/registers/registers.h"

namespace dovetail {

namespace {

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

} // namespace

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
