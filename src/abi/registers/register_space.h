// SPDX-License-Identifier: MIT
//
// The command processor's packets SET_SH_REG, SET_CONTEXT_REG and the like write consecutive registers of one space.
// They name a register by its distance from the start of the space.
#pragma once

#include <cstdint>
#include <optional>

namespace dovetail {

// In the order of their addresses.
enum class RegisterSpace : uint8_t { Config, Sh, Context, Uconfig };

// std::nullopt: no packet writes a register of this address.
std::optional<RegisterSpace> findRegisterSpace(uint32_t address);

// The address, in dwords, from which the space's packet counts.
uint32_t startOf(RegisterSpace space);

// Bits 28 to 31 of the dword in which the packet has the offset. 0 for all but a few registers, each of which needs a
// packet of its own.
uint8_t packetIndexOf(uint32_t address);

} // namespace dovetail
