// SPDX-License-Identifier: MIT
//
// Arranges the families' rows by format and number, for decoding. A generation that numbers opcodes anew has a list of
// its numbers (opcodes/gfx103.def): such a row is a copy of the family's row with the same name.
#include "tools/proof/emulator/isa/opcode.h"
#include <algorithm>
#include <bit>
#include <cassert>
#include <deque>
#include <map>
#include <vector>

namespace dovetail::emulator {

namespace {

// Rows of opcodes/gfx103.def.
struct Numbers {
  Format format;
  uint16_t first;
  std::string_view names; // with spaces between them
};
struct Renamed {
  Format format;
  uint16_t number;
  std::string_view name;
  Format oldFormat;
  std::string_view oldName;
};

#define RENAMED(format, number, name, oldFormat, oldName)
#define REFUSED(format, first, names)
#define NUMBERS(format, first, names) {Format::format, first, names},
constexpr Numbers Gfx103Numbers[] = {
#include "tools/proof/emulator/isa/opcodes/gfx103.def"
};
#undef NUMBERS
#undef RENAMED
#undef REFUSED

#define NUMBERS(format, first, names)
#define REFUSED(format, first, names)
#define RENAMED(format, number, name, oldFormat, oldName) {Format::format, number, #name, Format::oldFormat, #oldName},
constexpr Renamed Gfx103Renamed[] = {
#include "tools/proof/emulator/isa/opcodes/gfx103.def"
};
#undef NUMBERS
#undef RENAMED
#undef REFUSED

#define NUMBERS(format, first, names)
#define RENAMED(format, number, name, oldFormat, oldName)
#define REFUSED(format, first, names) {Format::format, first, names},
constexpr Numbers Gfx103Refused[] = {
#include "tools/proof/emulator/isa/opcodes/gfx103.def"
};
#undef NUMBERS
#undef RENAMED
#undef REFUSED

template <typename F> void forEachName(const Numbers &numbers, F f) {
  uint16_t number = numbers.first;
  for (std::string_view names = numbers.names; !names.empty(); ++number) {
    const size_t end = std::min(names.find(' '), names.size());
    f(number, names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

constexpr size_t FormatCount = size_t(Format::Exp) + 1;
constexpr size_t NumberCount = 1024; // VOP3 has ten opcode bits
constexpr size_t SetCount = 6;       // bits of InstructionSet

// A row has an entry for each of its instruction sets.
class Table {
public:
  Table() : m_rows(FormatCount * NumberCount * SetCount) {
    // One line for each family.
    add(scalarOpcodes());
    add(bufferOpcodes());
    add(dsOpcodes());
    add(flatOpcodes());
    add(imageOpcodes());
    add(vop1Opcodes());
    add(vop2Opcodes());
    add(vopcOpcodes());
    add(vop3Opcodes());
    add(vop3pOpcodes());
    add(vintrpOpcodes());

    // One block for each generation with numbers of its own.
    for (const Numbers &numbers : Gfx103Numbers)
      forEachName(numbers, [&](uint16_t number, std::string_view name) {
        addCopy(InstructionSet::Gfx103, newestRow(numbers.format, name), numbers.format, number, name);
      });
    for (const Renamed &row : Gfx103Renamed)
      addCopy(InstructionSet::Gfx103, newestRow(row.oldFormat, row.oldName), row.format, row.number, row.name);
    for (const Numbers &numbers : Gfx103Refused)
      forEachName(numbers, [&](uint16_t number, std::string_view name) {
        addCopy(InstructionSet::Gfx103, {.execute = refuseOpcode}, numbers.format, number, name);
      });
  }

  const Opcode *find(Format format, unsigned number, InstructionSet set) const {
    if (number >= NumberCount)
      return nullptr;
    return m_rows[index(format, number, size_t(std::countr_zero(uint8_t(set))))];
  }

private:
  static size_t index(Format format, unsigned number, size_t set) {
    return (size_t(format) * NumberCount + number) * SetCount + set;
  }
  void add(std::span<const Opcode> rows) {
    for (const Opcode &row : rows) {
      const Opcode *&newest = m_newest[{row.format, row.name}];
      if (newest == nullptr || (row.generations & Gfx9) != 0)
        newest = &row;
      for (size_t set = 0; set < SetCount; ++set) {
        if ((row.generations >> set & 1) != 0)
          m_rows[index(row.format, row.number, set)] = &row;
      }
    }
  }

  // The row of this name with GFX9's meaning, or the only one.
  const Opcode &newestRow(Format format, std::string_view name) const {
    const auto found = m_newest.find({format, name});
    assert(found != m_newest.end());
    return *found->second;
  }
  void addCopy(InstructionSet set, Opcode row, Format format, uint16_t number, std::string_view name) {
    row.format = format;
    row.number = number;
    row.generations = uint8_t(set);
    row.name = name;
    m_copies.push_back(row);
    m_rows[index(format, number, size_t(std::countr_zero(uint8_t(set))))] = &m_copies.back();
  }

  std::vector<const Opcode *> m_rows;
  std::map<std::pair<Format, std::string_view>, const Opcode *> m_newest;
  std::deque<Opcode> m_copies; // elements stay where they are
};

} // namespace

const Opcode *findOpcode(Format format, unsigned number, InstructionSet set) {
  static const auto &table = *new Table; // never destroyed: threads may still draw while the process exits
  return table.find(format, number, set);
}

} // namespace dovetail::emulator
