// SPDX-License-Identifier: MIT
//
// Types come before their uses, so one walk over the instructions counts the locations and members of each type, and
// the members over all uses of types. The counts saturate.
#include "src/spirv/validate/size_limits.h"
#include "src/spirv/module/module.h"
#include "src/spirv/module/names.h"
#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace dovetail::spirv {

namespace {

// Far above what any GPU has.
constexpr uint64_t MaxLocations = 4096;
// The validator takes about a second for a million members.
constexpr uint64_t MaxMembers = 1 << 16;
constexpr uint64_t MaxVisits = 1 << 21;

struct Size {
  uint64_t locations = 1; // at most MaxLocations + 1
  uint64_t members = 0;   // with all types inside, at most MaxMembers + 1
};

// The validator checks elements of a buffer's array until their offsets repeat, modulo 16 bytes.
uint64_t checkedElements(uint64_t stride) {
  constexpr uint64_t Period = 16;
  return stride == 0 ? 1 : Period / std::gcd(stride, Period);
}

} // namespace

Result<void> checkSizes(std::span<const uint32_t> words) {
  using spv::Op;
  std::unordered_map<uint32_t, uint64_t> elements, constants; // checked of array types and groups; low bits of integers
  std::unordered_multimap<uint32_t, uint32_t> groups;         // of decorations, by their targets
  std::unordered_map<uint32_t, Size> sizes;                   // of types
  std::unordered_map<uint32_t, uint64_t> pointees;            // the members of a pointer type's pointee
  const auto numberOf = [](const auto &map, uint32_t id, auto otherwise) {
    const auto found = map.find(id);
    return found == map.end() ? otherwise : found->second;
  };
  const auto elementsOf = [&](uint32_t array) {
    uint64_t most = numberOf(elements, array, uint64_t(1));
    for (auto [group, end] = groups.equal_range(array); group != end; ++group)
      most = std::max(most, numberOf(elements, group->second, uint64_t(1)));
    groups.erase(array); // a type is declared once
    return most;
  };
  const auto sizeOf = [&](uint32_t type) { return numberOf(sizes, type, Size()); };
  uint64_t visits = 0;
  for (size_t at = HeaderWords, length; at < words.size(); at += length) {
    length = words[at] >> 16;
    const auto opcode = static_cast<Op>(words[at] & 0xffff);
    if (length == 0 || at + length > words.size())
      return {};
    std::span<const uint32_t> inst = words.subspan(at, length);
    if (opcode == Op::OpDecorate && length == 4 && inst[2] == uint32_t(spv::Decoration::ArrayStride)) {
      elements[inst[1]] = std::max(numberOf(elements, inst[1], uint64_t(1)), checkedElements(inst[3]));
    } else if (opcode == Op::OpGroupDecorate && length >= 2) {
      for (uint32_t target : inst.subspan(2))
        groups.emplace(target, inst[1]);
    } else if (opcode == Op::OpTypeMatrix && length == 4) {
      sizes[inst[1]].locations = std::min<uint64_t>(inst[3], MaxLocations + 1);
    } else if ((opcode == Op::OpTypeArray && length == 4) || (opcode == Op::OpTypeRuntimeArray && length == 3)) {
      const Size element = sizeOf(inst[2]);
      const uint64_t count = opcode == Op::OpTypeArray ? numberOf(constants, inst[3], uint64_t(1)) : 1;
      sizes[inst[1]] = {std::min(std::min(count, MaxLocations + 1) * element.locations, MaxLocations + 1),
                        std::min(1 + elementsOf(inst[1]) * element.members, MaxMembers + 1)};
    } else if (opcode == Op::OpTypePointer && length == 4) {
      const auto storage = static_cast<spv::StorageClass>(inst[2]);
      const bool isInterface = storage == spv::StorageClass::Input || storage == spv::StorageClass::Output;
      pointees[inst[1]] = sizeOf(inst[3]).members;
      if (isInterface && sizeOf(inst[3]).locations > MaxLocations)
        return makeError(ErrorCode::InvalidInput,
                         "OpTypePointer at word {}: an input or output of more than {} locations", at, MaxLocations);
    } else if (opcode == Op::OpTypeStruct && length >= 2) {
      Size sum = {.locations = 0};
      for (uint32_t member : inst.subspan(2)) {
        sum.locations = std::min(sum.locations + sizeOf(member).locations, MaxLocations + 1);
        sum.members += 1 + sizeOf(member).members;
      }
      if (sum.members > MaxMembers)
        return makeError(ErrorCode::Unsupported,
                         "OpTypeStruct at word {}: a structure of more than {} members, with those of its members, is "
                         "not supported",
                         at, MaxMembers);
      sizes[inst[1]] = sum;
    } else if (length >= 3) {
      // An instruction with a result has the result's type as its first operand.
      visits += numberOf(pointees, inst[1], sizeOf(inst[1]).members);
      if (visits > MaxVisits)
        return makeError(ErrorCode::Unsupported,
                         "{} at word {}: more than {} members of structures, over all uses of their types, are not "
                         "supported",
                         nameOf(opcode), at, MaxVisits);
      if ((opcode == Op::OpConstant || opcode == Op::OpSpecConstant) && length >= 4)
        constants[inst[2]] = length > 4 ? uint64_t(inst[4]) << 32 | inst[3] : inst[3];
    }
  }
  return {};
}

} // namespace dovetail::spirv
