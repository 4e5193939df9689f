// SPDX-License-Identifier: MIT
#include "parts/elf/elf_file.h"
#include <doctest/doctest.h>
#include <random>

using namespace dovetail;

namespace {

// Has everything that a file can have.
ElfFile fullFile() {
  ElfFile file;
  file.machine = 0x2c;
  file.text.assign(64, 0x11);
  file.textAlignment = 512;
  file.constants.assign(20, 0x22);
  file.constantsAlignment = 16;
  file.notes = {{"AMDGPU", 32, {1, 2, 3}}, {"Dovetail", 7, {4, 5, 6, 7}}, {"Empty", 1, {}}};
  file.symbols = {{.name = "local", .value = 4, .size = 8},
                  {.name = "data", .place = ElfPlace::Constants, .isFunction = false, .value = 4, .size = 16},
                  {.name = "entry", .isGlobal = true, .size = 64},
                  {.name = "elsewhere", .place = ElfPlace::Undefined, .isGlobal = true}};
  file.relocations = {{.offset = 0, .kind = RelocationKind::Rel32Lo, .place = ElfPlace::Constants, .addend = -4},
                      {.offset = 8, .kind = RelocationKind::Abs64, .place = ElfPlace::Text, .addend = 16},
                      {.offset = 4, .kind = RelocationKind::Abs32Lo, .symbol = 3, .place = ElfPlace::Undefined},
                      {.offset = 60, .kind = RelocationKind::Branch16, .symbol = 0, .place = ElfPlace::Text}};
  return file;
}

std::vector<uint8_t> write(const ElfFile &file) {
  Result<std::vector<uint8_t>> bytes = writeElf(file);
  REQUIRE(bytes.has_value());
  return *bytes;
}

} // namespace

TEST_CASE("an ELF file comes back as it was written") {
  Result<ElfFile> back = readElf(write(fullFile()));
  REQUIRE(back.has_value());
  CHECK((*back == fullFile()));
}

TEST_CASE("a file without constants and relocations comes back as it was written") {
  ElfFile file;
  file.machine = 0x2a;
  file.text = {1, 2, 3, 4};
  Result<ElfFile> back = readElf(write(file));
  REQUIRE(back.has_value());
  CHECK((*back == file));
}

TEST_CASE("a file of no code comes back as it was written") {
  Result<ElfFile> back = readElf(write({}));
  REQUIRE(back.has_value());
  CHECK((*back == ElfFile()));
}

TEST_CASE("notes are found by vendor and type") {
  const ElfFile file = fullFile();
  REQUIRE(file.findNote("Dovetail", 7));
  CHECK(file.findNote("Dovetail", 7)->bytes.size() == 4);
  CHECK(!file.findNote("Dovetail", 32));
  CHECK(!file.findNote("Dove", 7));
}

TEST_CASE("what is no ELF file is refused") {
  CHECK(!readElf({}));
  CHECK(!readElf(std::vector<uint8_t>(100, 0x7f)));
}

TEST_CASE("a file for another machine is refused") {
  std::vector<uint8_t> bytes = write(fullFile());
  constexpr size_t machine = 18; // Elf64_Ehdr::e_machine
  bytes[machine] = 62;
  Result<ElfFile> back = readElf(bytes);
  REQUIRE(!back);
  CHECK(back.error().text == "the ELF file: it is no relocatable file for AMDGPUs");
}

TEST_CASE("a relocation that is not in the code is refused") {
  ElfFile file = fullFile();
  file.relocations[1].offset = 60; // of eight bytes
  Result<ElfFile> back = readElf(write(file));
  REQUIRE(!back);
  CHECK(back.error().text == "the ELF file: relocation 1 is not in the code");
}

TEST_CASE("truncated files are refused or read, and never astray") {
  const std::vector<uint8_t> bytes = write(fullFile());
  for (size_t size = 0; size < bytes.size(); ++size) {
    Result<ElfFile> back = readElf(std::span(bytes).first(size));
    CHECK((!back || back->text.size() <= size));
  }
}

TEST_CASE("damaged files are refused or read, and never astray") {
  const std::vector<uint8_t> bytes = write(fullFile());
  std::mt19937 random(1);
  for (unsigned round = 0; round < 20000; ++round) {
    std::vector<uint8_t> damaged = bytes;
    for (unsigned count = 1 + random() % 4; count > 0; --count)
      damaged[random() % damaged.size()] = uint8_t(random());
    Result<ElfFile> back = readElf(damaged);
    if (!back)
      continue;
    for (const ElfRelocation &relocation : back->relocations) {
      CHECK(relocation.offset < back->text.size());
      CHECK((!relocation.symbol || *relocation.symbol < back->symbols.size()));
    }
  }
}
