// SPDX-License-Identifier: MIT
//
// A stage that hands over in memory does not know its neighbour. Slots are fixed places for its outputs in LDS, in the
// off-chip buffer and in the rings, where any next stage finds them. A slot is 16 bytes, a vec4. A vertex takes the
// slots up to the highest that one side writes or the other reads. The layout is ours: no hardware looks at it.
#pragma once

#include <array>
#include <cstdint>

namespace dovetail {

// Per vertex. Generic location L is in slot GenericSlot + L.
constexpr unsigned PositionSlot = 0;
constexpr unsigned GenericSlot = 1;
constexpr unsigned MaxGenericSlots = 32;
constexpr unsigned MiscellaneousSlot =
    GenericSlot + MaxGenericSlots;                           // x point size, y layer, z viewport index, w primitive id
constexpr unsigned ClipDistanceSlot = MiscellaneousSlot + 1; // two slots
constexpr unsigned CullDistanceSlot = ClipDistanceSlot + 2;  // two slots
constexpr unsigned VertexSlotCount = CullDistanceSlot + 2;

// Per patch. Generic location L is in slot PatchGenericSlot + L.
constexpr unsigned TessLevelOuterSlot = 0;
constexpr unsigned TessLevelInnerSlot = 1;
constexpr unsigned PatchGenericSlot = 2;
constexpr unsigned PatchSlotCount = PatchGenericSlot + MaxGenericSlots;

constexpr unsigned SlotBytes = 16;

// Bit n: slot n.
using SlotMask = uint64_t;
static_assert(VertexSlotCount <= 64 && PatchSlotCount <= 64);

// Components of slots, xyzw from bit 0, by slot number.
using SlotComponents = std::array<uint8_t, 64>;

// A dword of an interface that is the same in every vertex (or patch).
struct ConstantDword {
  uint8_t slot;
  uint8_t component;
  uint32_t value;

  bool operator==(const ConstantDword &) const = default;
};

} // namespace dovetail
