// SPDX-License-Identifier: MIT
#include "parts/elf/elf_file.h"
#include <cstring>
#include <doctest/doctest.h>
#include <elf.h>
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

template <typename Entry> Entry entryAt(const std::vector<uint8_t> &bytes, size_t offset) {
  Entry entry;
  REQUIRE(offset + sizeof(entry) <= bytes.size());
  std::memcpy(&entry, &bytes[offset], sizeof(entry));
  return entry;
}

// The same file with a table of relocations that has no addends.
std::vector<uint8_t> withoutAddends(std::vector<uint8_t> bytes) {
  const auto file = entryAt<Elf64_Ehdr>(bytes, 0);
  for (size_t i = 0; i < file.e_shnum; ++i) {
    const size_t place = file.e_shoff + i * sizeof(Elf64_Shdr);
    auto section = entryAt<Elf64_Shdr>(bytes, place);
    if (section.sh_type != SHT_RELA)
      continue;
    const size_t count = section.sh_size / sizeof(Elf64_Rela);
    for (size_t entry = 0; entry < count; ++entry)
      std::memmove(&bytes[section.sh_offset + entry * sizeof(Elf64_Rel)],
                   &bytes[section.sh_offset + entry * sizeof(Elf64_Rela)], sizeof(Elf64_Rel));
    section.sh_type = SHT_REL;
    section.sh_size = count * sizeof(Elf64_Rel);
    section.sh_entsize = sizeof(Elf64_Rel);
    std::memcpy(&bytes[place], &section, sizeof(section));
  }
  return bytes;
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

TEST_CASE("a relocation without an addend has it in its field") {
  ElfFile file = fullFile();
  file.relocations.pop_back(); // a branch
  const int32_t low = -4;
  const int64_t wide = 0x123456789a;
  std::memcpy(&file.text[0], &low, sizeof(low));
  std::memcpy(&file.text[8], &wide, sizeof(wide));
  std::memset(&file.text[4], 0, 4);
  Result<ElfFile> back = readElf(withoutAddends(write(file)));
  REQUIRE(back.has_value());
  file.relocations[1].addend = wide;
  CHECK((*back == file));
}

TEST_CASE("a branch without an addend is refused, because its field is a part of the instruction") {
  Result<ElfFile> back = readElf(withoutAddends(write(fullFile())));
  REQUIRE(!back);
  CHECK(back.error().text == "the ELF file: relocation 3 is a branch without an addend");
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
