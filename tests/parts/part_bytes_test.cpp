// SPDX-License-Identifier: MIT
#include "parts/store/part_bytes.h"
#include "tests/parts/made_up_parts.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

std::vector<uint8_t> encode(const Part &part) {
  std::vector<uint8_t> bytes;
  encodePart(part, bytes);
  return bytes;
}

// A part in which everything is there that can be.
Part fullPart() {
  Part part = *test::madeUpPart(1, 64);
  part.contract.outputs = {{{ValueKind::Color, 2, 3}, {RegisterBank::Vgpr, 300}}};
  part.contract.endsProgram = true;
  part.usage.ieeeMode = true;
  part.usage.psInputAddr = 0x1234;
  part.hazards.sensitiveAtStart = {{isa::Hazard::SetregTrapstsThenRfe, RegisterBank::Sgpr, 4, 5, 6}};
  part.hazards.length = 5;
  part.interface->geometry.outputs = {{1, 2, 3}, {4, 5, 6}};
  part.interface->preRaster.xfb.strides = {16, 0, 8, 4};
  part.interface->preRaster.xfb.outputs = {{1, 2, 3, 0, 40}};
  part.interface->tessellation.primitive = TessPrimitive::Isolines;
  part.interface->inputComponents[63] = 15;
  part.interface->outputSlots = uint64_t(1) << 63;
  part.interface->compute.workgroupSize = {64, 2, 3};
  part.firstInterface = part.interface;
  part.firstInterface->hardwareStage = HardwareStage::Ls;
  part.entry = EntryInterface{{{{ValueKind::MergedWaveInfo}, {RegisterBank::Sgpr, 3}}}, 7};
  part.fragmentExports = FragmentExports{0x44, 0xff, 1, true, false, true, false, true};
  return part;
}

} // namespace

TEST_CASE("a part comes back from its bytes as it was") {
  Part part = fullPart();
  Result<Part> back = decodePart(encode(part));
  REQUIRE(back.has_value());
  CHECK((back->key == part.key));
  CHECK(back->keyFields == part.keyFields);
  CHECK(back->description == part.description);
  CHECK(back->code == part.code);
  CHECK(back->constants == part.constants);
  CHECK(back->relocations.size() == 1);
  CHECK(back->relocations[0].addend == -4);
  CHECK((back->contract.inputs == part.contract.inputs));
  CHECK((back->contract.outputs == part.contract.outputs));
  CHECK(back->contract.endsProgram);
  CHECK(back->usage.vgprs == part.usage.vgprs);
  CHECK(back->usage.psInputAddr == 0x1234);
  CHECK((back->hazards.pendingAtEnd == part.hazards.pendingAtEnd));
  CHECK((back->hazards.sensitiveAtStart == part.hazards.sensitiveAtStart));
  CHECK((*back->interface == *part.interface));
  CHECK((*back->firstInterface == *part.firstInterface));
  CHECK((*back->entry == *part.entry));
  CHECK(back->fragmentExports->cbShaderMask == 0xff);
  CHECK(back->fragmentExports->alphaToCoverage);
  CHECK(back->buildMicroseconds == part.buildMicroseconds);
  CHECK(encode(*back) == encode(part));
}

TEST_CASE("what a part does not have is absent when it comes back") {
  Part part;
  part.key = test::madeUpKey(3);
  Result<Part> back = decodePart(encode(part));
  REQUIRE(back.has_value());
  CHECK_FALSE(back->interface.has_value());
  CHECK_FALSE(back->firstInterface.has_value());
  CHECK_FALSE(back->entry.has_value());
  CHECK_FALSE(back->fragmentExports.has_value());
  CHECK(back->code.empty());
}

TEST_CASE("bytes that are cut off, or followed by others, are no part") {
  std::vector<uint8_t> bytes = encode(fullPart());
  for (size_t length = 0; length < bytes.size(); ++length)
    CHECK_FALSE(decodePart(std::span(bytes).first(length)).has_value());
  bytes.push_back(0);
  CHECK_FALSE(decodePart(bytes).has_value());
}

// A part has one encoding; so what is decoded from changed bytes must give just these bytes again.
TEST_CASE("changed bytes are another part or an error, and nothing else") {
  const std::vector<uint8_t> good = encode(fullPart());
  std::mt19937 random(1);
  unsigned parts = 0, errors = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    std::vector<uint8_t> bytes = good;
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      uint8_t &byte = bytes[random() % bytes.size()];
      byte = random() % 2 ? uint8_t(random()) : byte ^ uint8_t(1 << random() % 8);
    }
    if (random() % 8 == 0)
      bytes.resize(random() % bytes.size());
    Result<Part> part = decodePart(bytes);
    ++(part ? parts : errors);
    if (part && encode(*part) != bytes)
      FAIL_CHECK("round " << round << " was misread");
  }
  CHECK(parts > 1000);
  CHECK(errors > 1000);
}

TEST_CASE("a part that the join could not trust is an error") {
  auto refuses = [](auto change) {
    Part part = fullPart();
    change(part);
    return !decodePart(encode(part)).has_value();
  };
  CHECK_FALSE(refuses([](Part &) {}));
  CHECK(refuses([](Part &part) { part.code.pop_back(); }));
  CHECK(refuses([](Part &part) { part.constantsAlignment = 0; }));
  CHECK(refuses([](Part &part) { part.constantsAlignment = 12; }));
  CHECK(refuses([](Part &part) { part.relocations[0].offset = 61; }));
  CHECK(refuses([](Part &part) { part.relocations[0] = {60, RelocationKind::Abs64, RelocationTarget::Code, 0}; }));
  CHECK(refuses([](Part &part) { part.relocations[0] = {0, RelocationKind::Abs32, RelocationTarget::Link, 7}; }));
}
