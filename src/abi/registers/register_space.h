// SPDX-License-Identifier: MIT
//
// How the command processor's packets name registers: SET_SH_REG, SET_CONTEXT_REG and their like write consecutive
// registers of one space, and count from where that begins.
#pragma once

#include <cstdint>
#include <optional>

namespace dovetail {

// In the order of their addresses.
enum class RegisterSpace : uint8_t { Config, Sh, Context, Uconfig };

// std::nullopt: no packet writes a register of this address.
std::optional<RegisterSpace> findRegisterSpace(uint32_t address);

// The address, in dwords, from which the packet counts.
uint32_t startOf(RegisterSpace space);

// Bits 28 to 31 of the dword in which the packet has the offset. 0 for all but a few registers, each of which wants a
// packet of its own.
uint8_t packetIndexOf(uint32_t address);

} // namespace dovetail
