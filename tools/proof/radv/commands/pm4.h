// SPDX-License-Identifier: MIT
//
// Reads the commands that a driver gives the GPU's command processor: type-3 packets, and the register writes in them.
// Source of the encodings: Mesa's sid.h (PKT3, SET_*_REG and the bases of their ranges).
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <map>
#include <optional>
#include <span>

namespace dovetail {

// Addresses are dword indices, as in PAL metadata.
using RegisterValues = std::map<uint32_t, uint32_t>;

// The dwords of a type-3 packet, its header included; nullopt for another header.
std::optional<size_t> packetSize(uint32_t header);

// The header of a packet with a payload of so many dwords.
uint32_t packetHeader(uint32_t opcode, size_t payloadSize);

// The last value that is written to each register. Errors: CheckFailed, with the place, for other packets than type 3,
// for a packet that goes beyond the end, and for one that writes beyond its kind of registers.
Result<RegisterValues> readRegisterWrites(std::span<const uint32_t> commands);

namespace opcode {
constexpr uint32_t Nop = 0x10;
constexpr uint32_t ClearState = 0x12;
constexpr uint32_t ContextControl = 0x28;
constexpr uint32_t WriteData = 0x37;
constexpr uint32_t SetContextReg = 0x69;
constexpr uint32_t SetShReg = 0x76;
constexpr uint32_t SetUconfigReg = 0x79;
constexpr uint32_t SetUconfigRegIndex = 0x7a;
constexpr uint32_t SetShRegIndex = 0x9b;
} // namespace opcode

} // namespace dovetail
