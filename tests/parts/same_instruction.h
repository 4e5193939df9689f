// SPDX-License-Identifier: MIT
//
// Compares an encoder's description of an instruction with the disassembler's.
#pragma once

#include "src/isa/instruction.h"
#include <doctest/doctest.h>
#include <span>
#include <string>
#include <vector>

namespace dovetail::test {

inline void checkSame(const isa::Instruction &said, const isa::Instruction &decoded) {
  auto ranges = [](const auto &list) { return std::vector<isa::RegisterRange>(list.begin(), list.end()); };
  INFO(std::string(decoded.mnemonic));
  CHECK(said.offset == decoded.offset);
  CHECK(said.size == decoded.size);
  CHECK((said.encoding == decoded.encoding));
  CHECK(said.flags == decoded.flags);
  CHECK(said.branchTarget == decoded.branchTarget);
  CHECK(said.immediate == decoded.immediate);
  CHECK(said.source1 == decoded.source1);
  CHECK(said.exportTarget == decoded.exportTarget);
  CHECK(said.exportEnable == decoded.exportEnable);
  CHECK(said.exportDone == decoded.exportDone);
  CHECK(said.exportValidMask == decoded.exportValidMask);
  CHECK(said.exportCompressed == decoded.exportCompressed);
  CHECK(said.mnemonic == decoded.mnemonic);
  CHECK((ranges(said.reads) == ranges(decoded.reads)));
  CHECK((ranges(said.writes) == ranges(decoded.writes)));
}

inline void checkSame(std::span<const isa::Instruction> said, const std::vector<isa::Instruction> &decoded) {
  REQUIRE(said.size() == decoded.size());
  for (size_t i = 0; i < said.size(); ++i)
    checkSame(said[i], decoded[i]);
}

} // namespace dovetail::test
