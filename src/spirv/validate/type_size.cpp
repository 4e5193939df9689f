// SPDX-License-Identifier: MIT
//
// Types come before their uses, so one walk over the instructions counts the members of each type, and the members over
// all uses of types.
#include "src/spirv/validate/type_size.h"
#include "src/spirv/module/module.h"
#include "src/spirv/module/names.h"
#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace dovetail::spirv {

namespace {

// The validator takes about a second for a million members.
constexpr uint64_t MaxMembers = 1 << 16;
constexpr uint64_t MaxVisits = 1 << 21;

// The validator checks elements of a buffer's array until their offsets repeat, modulo 16 bytes.
uint64_t checkedElements(uint64_t stride) {
  constexpr uint64_t Period = 16;
  return stride == 0 ? 1 : Period / std::gcd(stride, Period);
}

} // namespace

Result<void> checkTypeSizes(std::span<const uint32_t> words) {
  using spv::Op;
  std::unordered_map<uint32_t, uint64_t> strides; // of decorated array types
  std::unordered_map<uint32_t, uint64_t> members; // of a type, with all types inside it, at most MaxMembers + 1
  auto countOf = [&](uint32_t type) {
    auto found = members.find(type);
    return found == members.end() ? uint64_t(0) : found->second;
  };
  std::unordered_map<uint32_t, uint64_t> pointees; // the same count for the pointee of a pointer type
  uint64_t visits = 0;
  for (size_t at = HeaderWords; at < words.size();) {
    const size_t length = words[at] >> 16;
    const auto opcode = static_cast<Op>(words[at] & 0xffff);
    if (length == 0 || at + length > words.size())
      return {};
    std::span<const uint32_t> inst = words.subspan(at, length);
    if (opcode == Op::OpDecorate && length == 4 && inst[2] == uint32_t(spv::Decoration::ArrayStride)) {
      strides[inst[1]] = inst[3];
    } else if ((opcode == Op::OpTypeArray || opcode == Op::OpTypeRuntimeArray) && length >= 3) {
      auto stride = strides.find(inst[1]);
      const uint64_t elements = checkedElements(stride == strides.end() ? 0 : stride->second);
      members[inst[1]] = std::min(1 + elements * countOf(inst[2]), MaxMembers + 1);
    } else if (opcode == Op::OpTypePointer && length == 4) {
      pointees[inst[1]] = countOf(inst[3]);
    } else if (opcode == Op::OpTypeStruct && length >= 2) {
      uint64_t sum = 0;
      for (uint32_t member : inst.subspan(2))
        sum += 1 + countOf(member);
      if (sum > MaxMembers)
        return makeError(ErrorCode::Unsupported,
                         "OpTypeStruct at word {}: a structure of more than {} members, with those of its members, is "
                         "not supported",
                         at, MaxMembers);
      members[inst[1]] = sum;
    } else if (length >= 3) {
      // An instruction with a result has the result's type as its first operand.
      auto pointee = pointees.find(inst[1]);
      visits += pointee == pointees.end() ? countOf(inst[1]) : pointee->second;
      if (visits > MaxVisits)
        return makeError(ErrorCode::Unsupported,
                         "{} at word {}: more than {} members of structures, over all uses of their types, are not "
                         "supported",
                         nameOf(opcode), at, MaxVisits);
    }
    at += length;
  }
  return {};
}

} // namespace dovetail::spirv
