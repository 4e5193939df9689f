// SPDX-License-Identifier: MIT
//
// Parts that no compiler made, for tests of what keeps parts: any number of them, of any size, the same for the same
// number.
#pragma once

#include "parts/part.h"
#include <random>

namespace dovetail::test {

inline PartKey madeUpKey(uint32_t number) {
  std::mt19937_64 random(number);
  PartKey key;
  key.kind = PartKind(random() % (unsigned(PartKind::Monolithic) + 1));
  key.hash = {random(), random()};
  return key;
}

inline PartRef madeUpPart(uint32_t number, size_t codeBytes = 1024) {
  std::mt19937 random(number);
  Part part;
  part.key = madeUpKey(number);
  part.keyFields = {uint8_t(number), 2, 3};
  part.description = "part " + std::to_string(number);
  part.code.resize(codeBytes / 4 * 4);
  for (uint8_t &byte : part.code)
    byte = uint8_t(random());
  if (codeBytes >= 8)
    part.relocations = {{4, RelocationKind::Rel32Lo, RelocationTarget::Constants, -4}};
  part.constants.assign(random() % 3 * 8, uint8_t(number));
  part.contract.inputs = {{{ValueKind::UserData, 3, 0}, {RegisterBank::Sgpr, 2}},
                          {{ValueKind::Attribute, 1, 2}, {RegisterBank::Vgpr, 6}}};
  part.contract.preservedSgprs = uint16_t(random() % 100);
  part.usage.vgprs = uint16_t(random() % 256);
  part.hazards.pendingAtEnd = {{isa::Hazard::ValuWritesExecThenDpp, RegisterBank::Vgpr, 1, 2, 3}};
  part.interface.emplace();
  part.interface->fragment.inputs = {{uint8_t(random() % 32), true, false}};
  part.interface->constantOutputs = {{1, 2, uint32_t(random())}};
  part.instructionCount = random();
  part.buildMicroseconds = 0.25 * (random() % 1000);
  return std::make_shared<const Part>(std::move(part));
}

} // namespace dovetail::test
