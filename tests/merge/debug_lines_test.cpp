// SPDX-License-Identifier: MIT
//
// Line tables of a pipeline ELF, read back with LLVM's reader of DWARF.
#include "merge/elf/debug_lines.h"
#include "merge/elf/pal_elf.h"
#include "tests/merge/parts_by_hand.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

std::vector<CodeLine> linesOf(const Image &image, const std::vector<CodeLine> &lines) {
  const Result<std::vector<uint8_t>> file = writePalElf(image, lines);
  REQUIRE(file);
  Result<std::vector<CodeLine>> read = readLineTable(*file);
  REQUIRE_MESSAGE(read, read.error().text);
  return std::move(*read);
}

} // namespace

TEST_CASE("rows come back, and a part's last line ends with the part") {
  const ImageRef image = *joinStages(drawStages());
  const ImagePart &vertex = image->parts[1], &fragment = image->parts[2];
  REQUIRE(vertex.size >= 12);
  const std::vector<CodeLine> lines = {{vertex.offset, "shaders/a.vert", 7},
                                       {vertex.offset + 4, "shaders/a.vert", 3},
                                       {vertex.offset + 8, "include.glsl", 100000},
                                       {fragment.offset, "b.frag", 1}};
  std::vector<CodeLine> expected = lines;
  expected.insert(expected.begin() + 3, {vertex.offset + vertex.size, "", 0});
  expected.push_back({fragment.offset + fragment.size, "", 0});
  CHECK((linesOf(*image, lines) == expected));
}

TEST_CASE("code that comes from nowhere has line 0") {
  const ImageRef image = *joinStages(drawStages());
  const ImagePart &vertex = image->parts[1];
  const std::vector<CodeLine> lines = {
      {vertex.offset, "", 0}, {vertex.offset + 4, "a.vert", 3}, {vertex.offset + 8, "", 0}};
  CHECK((linesOf(*image, lines) == lines));
}

TEST_CASE("a name that is no text ends where it does") {
  const ImageRef image = *joinStages(drawStages());
  const uint32_t offset = image->parts[1].offset;
  CHECK(linesOf(*image, {{offset, std::string("a\0b", 3), 3}})[0].file == "a");
}

TEST_CASE("without lines, a file has no debug information and is the same as ever") {
  const ImageRef image = *joinStages(drawStages());
  CHECK(makeDebugLines(*image, {}).empty());
  CHECK(makeDebugLines(*image, std::vector<CodeLine>{{image->parts[1].offset, "", 0}}).empty());
  CHECK(*writePalElf(*image, {}) == *writePalElf(*image));
}

TEST_CASE("a file with debug information is read as one without") {
  const ImageRef image = *joinStages(drawStages());
  const auto withLines = writePalElf(*image, std::vector<CodeLine>{{image->parts[1].offset, "a.vert", 3}});
  REQUIRE(withLines);
  CHECK(withLines->size() > writePalElf(*image)->size());
  const Result<ImageRef> read = readPalElf(*withLines), plain = readPalElf(*writePalElf(*image));
  REQUIRE(read);
  REQUIRE(plain);
  CHECK(std::ranges::equal((*read)->code, (*plain)->code));
  CHECK((*read)->parts.size() == (*plain)->parts.size());
}
