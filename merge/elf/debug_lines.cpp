// SPDX-License-Identifier: MIT
//
// A DWARF line table is a program for a machine that has an address, a file and a line. The machine writes a row at
// each Copy instruction. This file uses the plain instructions only: the tables are small, and no GPU loads them.
#include "merge/elf/debug_lines.h"
#include <algorithm>

namespace dovetail {

namespace {

constexpr uint16_t DwarfVersion = 4;
constexpr uint8_t AddressBytes = 8;
constexpr uint8_t InstructionBytes = 4; // all instructions are a multiple of this

enum StandardOpcode : uint8_t { Copy = 1, AdvancePc = 2, AdvanceLine = 3, SetFile = 4, OpcodeBase = 13 };
enum ExtendedOpcode : uint8_t { EndSequence = 1, SetAddress = 2 };

class Bytes {
public:
  Bytes &u8(uint8_t value) { return add(value, 1); }
  Bytes &u16(uint16_t value) { return add(value, 2); }
  Bytes &u32(uint32_t value) { return add(value, 4); }
  Bytes &u64(uint64_t value) { return add(value, 8); }
  Bytes &text(std::string_view value) {
    const std::string_view untilZero = value.substr(0, value.find('\0'));
    m_bytes.insert(m_bytes.end(), untilZero.begin(), untilZero.end());
    return u8(0);
  }
  Bytes &unsignedLeb(uint64_t value) {
    do {
      const uint8_t low = value & 0x7f;
      value >>= 7;
      u8(value ? low | 0x80 : low);
    } while (value);
    return *this;
  }
  Bytes &signedLeb(int64_t value) {
    for (bool more = true; more;) {
      const uint8_t low = value & 0x7f;
      value >>= 7;
      more = !((value == 0 && !(low & 0x40)) || (value == -1 && (low & 0x40)));
      u8(more ? low | 0x80 : low);
    }
    return *this;
  }
  Bytes &append(const Bytes &other) {
    m_bytes.insert(m_bytes.end(), other.m_bytes.begin(), other.m_bytes.end());
    return *this;
  }
  // These bytes with their own length in front.
  Bytes measured() const { return Bytes().u32(uint32_t(m_bytes.size())).append(*this); }
  std::vector<uint8_t> take() { return std::move(m_bytes); }

private:
  Bytes &add(uint64_t value, unsigned count) {
    for (unsigned byte = 0; byte < count; ++byte)
      m_bytes.push_back(uint8_t(value >> (8 * byte)));
    return *this;
  }

  std::vector<uint8_t> m_bytes;
};

// The files of one unit. Rows refer to them by number, counted from 1.
class FileTable {
public:
  uint32_t numberOf(const std::string &name) {
    const auto found = std::ranges::find(m_names, name);
    if (found != m_names.end())
      return uint32_t(found - m_names.begin()) + 1;
    m_names.push_back(name);
    return uint32_t(m_names.size());
  }
  const std::vector<std::string> &names() const { return m_names; }

private:
  std::vector<std::string> m_names;
};

// Adds the rows of one part.
void addSequence(Bytes &program, FileTable &files, std::span<const CodeLine> rows, uint32_t end) {
  uint32_t address = rows.front().offset, file = 1, line = 1;
  program.u8(0).unsignedLeb(1 + AddressBytes).u8(SetAddress).u64(address);
  for (const CodeLine &row : rows) {
    const uint32_t rowFile = row.line == 0 ? file : files.numberOf(row.file);
    if (rowFile != file)
      program.u8(SetFile).unsignedLeb(rowFile);
    if (row.offset != address)
      program.u8(AdvancePc).unsignedLeb((row.offset - address) / InstructionBytes);
    if (row.line != line)
      program.u8(AdvanceLine).signedLeb(int64_t(row.line) - line);
    program.u8(Copy);
    address = row.offset;
    file = rowFile;
    line = row.line;
  }
  program.u8(AdvancePc).unsignedLeb((end - address) / InstructionBytes);
  program.u8(0).unsignedLeb(1).u8(EndSequence);
}

Bytes makeLineTable(const Image &image, std::span<const CodeLine> lines, FileTable &files) {
  Bytes program;
  for (const ImagePart &part : image.parts) {
    const auto begin = std::ranges::lower_bound(lines, part.offset, {}, &CodeLine::offset);
    const auto end = std::ranges::lower_bound(lines, part.offset + part.size, {}, &CodeLine::offset);
    if (begin != end)
      addSequence(program, files, {begin, end}, part.offset + part.size);
  }

  constexpr uint8_t operandsOf[OpcodeBase - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
  constexpr int8_t lineBase = -5;
  constexpr uint8_t lineRange = 14; // lineBase and lineRange are for special opcodes, which are not used
  Bytes header;
  header.u8(InstructionBytes).u8(1).u8(1).u8(uint8_t(lineBase)).u8(lineRange).u8(OpcodeBase);
  for (uint8_t operands : operandsOf)
    header.u8(operands);
  header.u8(0); // no folders
  for (const std::string &name : files.names())
    header.text(name).unsignedLeb(0).unsignedLeb(0).unsignedLeb(0);
  header.u8(0);
  return Bytes().u16(DwarfVersion).append(header.measured()).append(program).measured();
}

enum Form : uint8_t { Addr = 0x01, Data4 = 0x06, String = 0x08, SecOffset = 0x17 };
enum Attribute : uint8_t { Name = 0x03, StmtList = 0x10, LowPc = 0x11, HighPc = 0x12, Producer = 0x25 };

Bytes makeAbbreviations() {
  constexpr uint8_t compileUnit = 0x11, hasNoChildren = 0;
  Bytes bytes;
  bytes.unsignedLeb(1).unsignedLeb(compileUnit).u8(hasNoChildren);
  for (auto [attribute, form] : {std::pair(Producer, String), std::pair(Name, String), std::pair(StmtList, SecOffset),
                                 std::pair(LowPc, Addr), std::pair(HighPc, Data4)})
    bytes.unsignedLeb(attribute).unsignedLeb(form);
  return bytes.u8(0).u8(0).u8(0);
}

Bytes makeUnit(const Image &image, const FileTable &files) {
  Bytes unit;
  unit.u16(DwarfVersion).u32(0).u8(AddressBytes);
  unit.unsignedLeb(1).text("Dovetail").text(files.names().front()).u32(0).u64(0).u32(image.textSize);
  return unit.measured();
}

} // namespace

std::vector<ElfDebugSection> makeDebugLines(const Image &image, std::span<const CodeLine> lines) {
  FileTable files;
  Bytes table = makeLineTable(image, lines, files);
  if (files.names().empty())
    return {};
  return {{".debug_abbrev", makeAbbreviations().take()},
          {".debug_info", makeUnit(image, files).take()},
          {".debug_line", table.take()}};
}

} // namespace dovetail
