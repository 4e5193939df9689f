// SPDX-License-Identifier: MIT
//
// Types come before their uses, so one walk over the instructions counts the locations of each type. The counts
// saturate.
#include "src/spirv/validate/interface_size.h"
#include "src/spirv/module/module.h"
#include <algorithm>
#include <unordered_map>

namespace dovetail::spirv {

namespace {

// Far above what any GPU has.
constexpr uint64_t MaxLocations = 4096;

} // namespace

Result<void> checkInterfaceSize(std::span<const uint32_t> words) {
  using spv::Op;
  std::unordered_map<uint32_t, uint64_t> locations; // of a type, at most MaxLocations + 1
  std::unordered_map<uint32_t, uint64_t> constants;
  auto countOf = [&](uint32_t type) {
    auto found = locations.find(type);
    return found == locations.end() ? uint64_t(1) : found->second;
  };
  for (size_t at = HeaderWords; at < words.size();) {
    size_t length = words[at] >> 16;
    auto opcode = static_cast<Op>(words[at] & 0xffff);
    if (length == 0 || at + length > words.size())
      return {};
    std::span<const uint32_t> inst = words.subspan(at, length);
    if ((opcode == Op::OpConstant || opcode == Op::OpSpecConstant) && length >= 4) {
      constants[inst[2]] = length > 4 ? uint64_t(inst[4]) << 32 | inst[3] : inst[3];
    } else if (opcode == Op::OpTypeMatrix && length == 4) {
      locations[inst[1]] = std::min<uint64_t>(inst[3], MaxLocations + 1);
    } else if (opcode == Op::OpTypeArray && length == 4) {
      auto found = constants.find(inst[3]);
      uint64_t count = found == constants.end() ? 1 : std::min(found->second, MaxLocations + 1);
      locations[inst[1]] = std::min(count * countOf(inst[2]), MaxLocations + 1);
    } else if (opcode == Op::OpTypeStruct && length >= 2) {
      uint64_t sum = 0;
      for (uint32_t member : inst.subspan(2))
        sum = std::min(sum + countOf(member), MaxLocations + 1);
      locations[inst[1]] = sum;
    } else if (opcode == Op::OpTypePointer && length == 4) {
      auto storage = static_cast<spv::StorageClass>(inst[2]);
      bool isInterface = storage == spv::StorageClass::Input || storage == spv::StorageClass::Output;
      if (isInterface && countOf(inst[3]) > MaxLocations)
        return makeError(ErrorCode::InvalidInput,
                         "OpTypePointer at word {}: an input or output of more than {} locations", at, MaxLocations);
    } else if (opcode == Op::OpFunction) {
      return {};
    }
    at += length;
  }
  return {};
}

} // namespace dovetail::spirv
