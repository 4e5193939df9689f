// SPDX-License-Identifier: MIT
#include "parts/elf/part_elf.h"
#include "parts/part_bytes.h"
#include "src/abi/interface/link_constant.h"
#include "tests/merge/parts_by_hand.h"
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

// Writes the part to a file's bytes and reads it back.
Result<Part> throughFile(const Part &part) {
  Result<std::vector<uint8_t>> bytes = writeElf(partElf(part, test::target()));
  REQUIRE(bytes.has_value());
  Result<ElfFile> file = readElf(*bytes);
  if (!file)
    FAIL(file.error().text);
  return partOf(*file);
}

void checkComesBack(Part part) {
  Result<Part> back = throughFile(part);
  part.buildMicroseconds = 0;
  REQUIRE(back.has_value());
  CHECK(encode(*back) == encode(part));
}

} // namespace

TEST_CASE("parts of every kind come back from an ELF file as they were") {
  for (unsigned kind = 0; kind < PartKindCount; ++kind) {
    Part part = *test::madeUpPart(kind, 64);
    part.key = {PartKind(kind), hashOfKeyFields(part.keyFields)};
    part.constants.assign(16, uint8_t(kind)); // to which the code refers
    test::complete(part, {});
    INFO(std::string(toString(part.key.kind)));
    checkComesBack(part);
  }
}

TEST_CASE("how long a part took to make is not in its file") {
  Part quick = test::vertexMain(), slow = quick;
  slow.buildMicroseconds = 1000;
  CHECK((partElf(quick, test::target()) == partElf(slow, test::target())));
}

TEST_CASE("distances to code and constants come back from an ELF file, in their order") {
  Part part = test::vertexMain();
  part.code.resize(64);
  part.constants.assign(32, 5);
  part.constantsAlignment = 16;
  part.relocations = {{8, RelocationKind::Rel32Lo, RelocationTarget::Constants, 20},
                      {4, RelocationKind::Rel32Hi, RelocationTarget::Constants, -16},
                      {16, RelocationKind::Abs64, RelocationTarget::Code, 12},
                      {24, RelocationKind::Abs32, RelocationTarget::Code, 0}};
  checkComesBack(part);
}

TEST_CASE("every link constant comes back from an ELF file") {
  Part part = test::vertexMain();
  part.code.resize(4 * LinkConstantCount);
  for (unsigned constant = 0; constant < LinkConstantCount; ++constant)
    part.relocations.push_back({4 * constant, RelocationKind::Abs32Lo, RelocationTarget::Link, constant});
  checkComesBack(part);
}

TEST_CASE("layout constants come back from an ELF file, as literals and as offsets of loads") {
  Part part = test::vertexMain();
  part.code.resize(64);
  part.layoutRelocations = {
      {4, LayoutField::Literal, {LayoutQuantity::Stride, ResourceKind::Image, 1, 2, 0, 0}},
      {0, LayoutField::ScalarOffset, {LayoutQuantity::Offset, ResourceKind::Buffer, 3, 4, 5, 16}},
      {8, LayoutField::ScalarOffset, {LayoutQuantity::Offset, ResourceKind::Buffer, 3, 4, 5, 16}},
      {12, LayoutField::Literal, {LayoutQuantity::PushConstants, ResourceKind::Buffer, 0, 0, 0, 4}}};
  checkComesBack(part);
}

TEST_CASE("a branch over the first half comes back from an ELF file") {
  Part part = test::makePart(PartKind::Glue, "s_branch 0");
  part.relocations = {{0, RelocationKind::Branch16, RelocationTarget::SecondHalf, 0}};
  checkComesBack(part);
}

TEST_CASE("a linker sees what code and join have to agree on as undefined symbols") {
  Part part = test::vertexMain();
  part.code.resize(64);
  part.relocations = {{0, RelocationKind::Abs32Lo, RelocationTarget::Link, int64_t(LinkConstant::LsVertexStride)},
                      {4, RelocationKind::Abs32Lo, RelocationTarget::Link, int64_t(LinkConstant::LsVertexStride)}};
  const ElfFile file = partElf(part, test::target());
  REQUIRE(file.symbols.size() == 2);
  CHECK(file.symbols[0].name == "_amdgpu_vs_main");
  CHECK(file.symbols[1].name == "dovetail.ls_vertex_stride");
  CHECK((file.symbols[1].place == ElfPlace::Undefined));
}

TEST_CASE("a file without our note is no part") {
  ElfFile file = partElf(test::vertexMain(), test::target());
  file.notes.clear();
  Result<Part> back = partOf(file);
  REQUIRE(!back);
  CHECK(back.error().text == "the ELF file is no unlinked shader or glue of ours: it lacks a note");
}

TEST_CASE("a file of another build is refused") {
  ElfFile file = partElf(test::vertexMain(), test::target());
  file.notes[0].bytes[0] ^= 1;
  Result<Part> back = partOf(file);
  REQUIRE(!back);
  CHECK(back.error().text.find("was made by another build") != std::string::npos);
}

TEST_CASE("a relocation against something that a join does not know is refused") {
  Part part = test::vertexMain();
  part.code.resize(64);
  part.relocations = {{0, RelocationKind::Abs32Lo, RelocationTarget::Link, int64_t(LinkConstant::LsVertexStride)}};
  ElfFile file = partElf(part, test::target());
  file.symbols[1].name = "printf";
  Result<Part> back = partOf(file);
  REQUIRE(!back);
  CHECK(back.error().text == "a relocation of the part refers to printf, which the join does not know");
}
