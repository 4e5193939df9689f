// SPDX-License-Identifier: MIT
//
// SPIR-V as words, for code that looks at a few instructions. Code that changes a module edits it (spirv_editor.h).
// Code that must understand a module parses it (src/spirv/module).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail {

// Begins with the instruction's first word.
using SpirvInstruction = std::span<const uint32_t>;

// Header words in front of the first instruction; one of them is the bound of all ids.
constexpr size_t SpirvHeaderWords = 5, SpirvBoundWord = 3;

// How many elements scenes give an array of descriptors that a shader declares without a size.
constexpr uint32_t UnsizedArrayElements = 16;

inline spv::Op opcodeOf(SpirvInstruction inst) {
  return static_cast<spv::Op>(inst[0] & 0xffff);
}

template <typename F> void eachInstruction(std::span<const uint32_t> words, F visit) {
  for (size_t at = SpirvHeaderWords; at < words.size();) {
    const size_t count = std::clamp<size_t>(words[at] >> 16, 1, words.size() - at);
    visit(words.subspan(at, count));
    at += count;
  }
}

inline bool declaresCapability(std::span<const uint32_t> words, spv::Capability capability) {
  bool isDeclared = false;
  eachInstruction(words, [&](SpirvInstruction inst) {
    isDeclared |=
        opcodeOf(inst) == spv::Op::OpCapability && inst.size() > 1 && inst[1] == static_cast<uint32_t>(capability);
  });
  return isDeclared;
}

} // namespace dovetail
