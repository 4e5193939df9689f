// SPDX-License-Identifier: MIT
#include "parts/part_bytes.h"
#include "src/abi/interface/link_constant.h"
#include "tests/parts/made_up_parts.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <functional>

using namespace dovetail;

namespace {

std::vector<uint8_t> encode(const Part &part) {
  std::vector<uint8_t> bytes;
  encodePart(part, bytes);
  return bytes;
}

// Parts with everything that a part can have: a merged program, and a fragment program.
Part fullPart(HardwareStage stage = HardwareStage::Hs) {
  Part part = *test::madeUpPart(1, 64);
  part.key.kind = PartKind::Monolithic;
  test::complete(part, {});
  part.contract.outputs = {{{ValueKind::Color, 2, 3}, {RegisterBank::Vgpr, 255}}};
  part.usage.ieeeMode = true;
  part.usage.psInputAddr = 0x1234;
  part.hazards.sensitiveAtStart = {{isa::Hazard::SetregTrapstsThenRfe, RegisterBank::Sgpr, 4, 5, 6}};
  part.hazards.length = 5;
  part.interface->hardwareStage = stage;
  part.interface->fragment.inputs = {{3, true, false}};
  part.interface->constantOutputs = {{1, 2, 0x12345678}};
  part.interface->geometry.outputs = {{1, 2, 3}, {4, 3, 2}};
  part.interface->preRaster.xfb.strides = {16, 0, 8, 4};
  part.interface->preRaster.xfb.outputs = {{1, 2, 3, 0, 40}};
  part.interface->tessellation.primitive = TessPrimitive::Isolines;
  part.interface->inputComponents[63] = 15;
  part.interface->outputSlots = uint64_t(1) << 63;
  part.interface->compute.workgroupSize = {64, 2, 3};
  if (stage == HardwareStage::Ps) {
    part.fragmentExports = FragmentExports{0x44, 0xff, 1, true, false, true, false, true};
  } else {
    part.firstInterface = part.interface;
    part.firstInterface->hardwareStage = HardwareStage::Ls;
    part.entry = EntryInterface{{{{ValueKind::MergedWaveInfo}, {RegisterBank::Sgpr, 3}}}, 7};
  }
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
  CHECK(back->usage.vgprs == part.usage.vgprs);
  CHECK(back->usage.psInputAddr == 0x1234);
  CHECK((back->hazards.pendingAtEnd == part.hazards.pendingAtEnd));
  CHECK((back->hazards.sensitiveAtStart == part.hazards.sensitiveAtStart));
  CHECK((*back->interface == *part.interface));
  CHECK((*back->firstInterface == *part.firstInterface));
  CHECK((*back->entry == *part.entry));
  CHECK(back->buildMicroseconds == part.buildMicroseconds);
  CHECK(encode(*back) == encode(part));
}

TEST_CASE("a fragment part comes back with what it exports") {
  Result<Part> back = decodePart(encode(fullPart(HardwareStage::Ps)));
  REQUIRE(back.has_value());
  CHECK(back->fragmentExports->cbShaderMask == 0xff);
  CHECK(back->fragmentExports->alphaToCoverage);
}

TEST_CASE("what a part does not have is absent when it comes back") {
  Part part;
  part.key = {PartKind::VertexProlog, {1, 2}};
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

// A part has only one encoding. So a part that is decoded from changed bytes must give just these bytes again.
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

namespace {

bool isRefused(const std::function<void(Part &part)> &change, HardwareStage stage = HardwareStage::Hs) {
  Part part = fullPart(stage);
  change(part);
  return !decodePart(encode(part)).has_value();
}

Part partOf(PartKind kind) {
  Part part;
  part.key.kind = kind;
  test::complete(part, {});
  return part;
}

} // namespace

TEST_CASE("a part that the join could not trust is an error") {
  CHECK_FALSE(isRefused([](Part &) {}));
  CHECK(isRefused([](Part &part) { part.code.pop_back(); }));
  CHECK(isRefused([](Part &part) { part.constantsAlignment = 0; }));
  CHECK(isRefused([](Part &part) { part.constantsAlignment = 12; }));
  CHECK(isRefused([](Part &part) { part.constantsAlignment = 1u << 31; }));
  CHECK(isRefused([](Part &part) { part.relocations[0].offset = 61; }));
  CHECK(isRefused([](Part &part) { part.relocations[0] = {60, RelocationKind::Abs64, RelocationTarget::Code, 0}; }));
  CHECK(isRefused([](Part &part) {
    part.relocations[0] = {0, RelocationKind::Abs32, RelocationTarget::Link, LinkConstantCount};
  }));
}

TEST_CASE("registers must be there, and of the bank that a value arrives in") {
  const auto contract = [](std::vector<Binding> inputs) {
    return isRefused([&](Part &part) { part.contract.inputs = inputs; });
  };
  const ValueName userData = {ValueKind::PushConstant, 3}, attribute = {ValueKind::Attribute, 1, 7};
  const auto sgpr = [](unsigned index) { return Register{RegisterBank::Sgpr, uint16_t(index)}; };
  const auto vgpr = [](unsigned index) { return Register{RegisterBank::Vgpr, uint16_t(index)}; };
  CHECK_FALSE(contract({{userData, sgpr(0)}, {userData, sgpr(101)}, {attribute, vgpr(255)}}));
  CHECK(contract({{userData, sgpr(102)}}));
  CHECK(contract({{attribute, vgpr(256)}}));
  CHECK(contract({{userData, vgpr(0)}}));
  CHECK(contract({{attribute, sgpr(0)}}));
  CHECK(contract({{userData, sgpr(4)}, {userData, sgpr(4)}}));
  CHECK(contract({{attribute, vgpr(4)}, {attribute, vgpr(3)}}));
  CHECK(contract({{{ValueKind::Attribute, 1, 8}, vgpr(4)}}));
  CHECK(contract({{{ValueKind::Color, 8, 0}, vgpr(4)}}));
  CHECK(isRefused([&](Part &part) { part.interface->outputs = {{userData, sgpr(102)}}; }));
  CHECK(isRefused([&](Part &part) { part.firstInterface->inputs = {{userData, sgpr(102)}}; }));
  CHECK(isRefused([&](Part &part) { part.entry->inputs = {{userData, sgpr(102)}}; }));
  CHECK(isRefused([](Part &part) { part.usage.vgprs = 257; }));
  CHECK(isRefused([](Part &part) { part.usage.waveSize = 32; }));
}

TEST_CASE("registers of an interface are those in which LLVM passes arguments") {
  const auto interface = [](Binding input) { return isRefused([&](Part &part) { part.interface->inputs = {input}; }); };
  CHECK_FALSE(interface({{ValueKind::PrimMask}, {RegisterBank::Sgpr, 43}}));
  CHECK(interface({{ValueKind::PrimMask}, {RegisterBank::Sgpr, 44}}));
  CHECK_FALSE(interface({{ValueKind::Attribute, 1, 0}, {RegisterBank::Vgpr, 135}}));
  CHECK(interface({{ValueKind::Attribute, 1, 0}, {RegisterBank::Vgpr, 136}}));
}

TEST_CASE("numbers in an interface are those of something") {
  CHECK(isRefused([](Part &part) { part.interface->geometry.outputs[0].stream = 4; }));
  CHECK(isRefused([](Part &part) { part.interface->geometry.outputs[0].slot = 64; }));
  CHECK(isRefused([](Part &part) { part.interface->preRaster.xfb.outputs[0].buffer = 4; }));
  CHECK(isRefused([](Part &part) { part.interface->constantOutputs[0].component = 4; }));
  CHECK(isRefused([](Part &part) { part.interface->fragment.colorInputs = {{0, 15, 32, 0}}; }));
  CHECK(isRefused([](Part &part) { part.interface->fragment.colors = {{8, 0, 15, NumericClass::Float}}; }));
  CHECK(isRefused([](Part &part) { part.interface->tessellation.outputVertices = 33; }));
  CHECK(isRefused([](Part &part) { part.interface->preRaster.parameters = {{0, 32}}; }));
  CHECK(isRefused([](Part &part) { part.interface->userSgprCount = 33; }));
}

TEST_CASE("a part has what its kind needs") {
  for (unsigned kind = 0; kind < PartKindCount; ++kind) {
    CAPTURE(std::string(toString(PartKind(kind))));
    const Part good = partOf(PartKind(kind));
    CHECK(decodePart(encode(good)).has_value());
    Part bad = good;
    if (good.interface)
      bad.interface.reset();
    else
      bad.interface.emplace();
    CHECK_FALSE(decodePart(encode(bad)).has_value());
    bad = good;
    if (good.interface && PartKind(kind) != PartKind::Monolithic) {
      bad.interface->hardwareStage =
          good.interface->hardwareStage == HardwareStage::Cs ? HardwareStage::Ps : HardwareStage::Cs;
      CHECK_FALSE(decodePart(encode(bad)).has_value());
    }
    bad = good;
    if (good.fragmentExports)
      bad.fragmentExports.reset();
    else
      bad.fragmentExports.emplace();
    CHECK_FALSE(decodePart(encode(bad)).has_value());
    bad = good;
    bad.firstInterface.emplace();
    CHECK_FALSE(decodePart(encode(bad)).has_value());
    bad = good;
    bad.entry.emplace();
    CHECK(decodePart(encode(bad)).has_value() == (PartKind(kind) == PartKind::Glue));
  }
}

TEST_CASE("a merged program has both interfaces, of the right stages, and where it begins") {
  CHECK(isRefused([](Part &part) { part.entry.reset(); }));
  CHECK(isRefused([](Part &part) { part.firstInterface.reset(); }));
  CHECK(isRefused([](Part &part) { part.firstInterface->hardwareStage = HardwareStage::Es; }));
  CHECK(isRefused([](Part &part) { part.interface->hardwareStage = HardwareStage::Vs; }));
  CHECK(isRefused([](Part &part) { part.fragmentExports.reset(); }, HardwareStage::Ps));
}
