// SPDX-License-Identifier: MIT
//
// Any word in a function body that equals the number of a variable counts as a use: at worst, a descriptor counts as
// read that is not.
#include "tools/programs/layer/execute/shader_uses.h"
#include <map>

namespace dovetail::layer {

namespace {

// SPIR-V's numbers.
constexpr uint32_t HeaderWords = 5, OpCapability = 17, OpFunction = 54, OpDecorate = 71;
constexpr uint32_t DecorationBinding = 33, DecorationDescriptorSet = 34;
constexpr uint32_t CapabilityFloat16 = 9, CapabilityFloat64 = 10, CapabilityStorageBuffer16BitAccess = 4433,
                   CapabilityDrawParameters = 4427, CapabilityPhysicalStorageBufferAddresses = 5347;

} // namespace

void ShaderUses::add(std::span<const uint32_t> words) {
  struct Place {
    uint32_t set = 0, binding = 0;
    bool hasBinding = false;
  };
  std::map<uint32_t, Place> places; // by the variable's id
  bool isInFunctions = false;
  for (size_t at = HeaderWords; at < words.size();) {
    const uint32_t opcode = words[at] & 0xffff, count = words[at] >> 16;
    if (count == 0 || at + count > words.size())
      return;
    const std::span<const uint32_t> operands = words.subspan(at + 1, count - 1);
    isInFunctions |= opcode == OpFunction;
    if (opcode == OpCapability && operands.size() == 1) {
      usesAddresses |= operands[0] == CapabilityPhysicalStorageBufferAddresses;
      usesDrawNumbers |= operands[0] == CapabilityDrawParameters;
      hasDoubles |= operands[0] == CapabilityFloat64;
      hasHalves |= operands[0] == CapabilityFloat16 || operands[0] == CapabilityStorageBuffer16BitAccess;
    } else if (opcode == OpDecorate && operands.size() == 3) {
      if (operands[1] == DecorationDescriptorSet)
        places[operands[0]].set = operands[2];
      if (operands[1] == DecorationBinding)
        places[operands[0]] = {places[operands[0]].set, operands[2], true};
    } else if (isInFunctions) {
      for (uint32_t operand : operands)
        if (const auto found = places.find(operand); found != places.end() && found->second.hasBinding)
          bindings.emplace(found->second.set, found->second.binding);
    }
    at += count;
  }
}

} // namespace dovetail::layer
