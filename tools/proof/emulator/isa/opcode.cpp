// SPDX-License-Identifier: MIT
//
// Arranges the families' rows by format and number, for decoding.
#include "tools/proof/emulator/isa/opcode.h"
#include <bit>
#include <vector>

namespace dovetail::emulator {

namespace {

constexpr size_t FormatCount = size_t(Format::Exp) + 1;
constexpr size_t NumberCount = 1024; // VOP3 has ten opcode bits
constexpr size_t SetCount = 5;       // bits of InstructionSet

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
      for (size_t set = 0; set < SetCount; ++set) {
        if ((row.generations >> set & 1) != 0)
          m_rows[index(row.format, row.number, set)] = &row;
      }
    }
  }

  std::vector<const Opcode *> m_rows;
};

} // namespace

const Opcode *findOpcode(Format format, unsigned number, InstructionSet set) {
  static const Table table;
  return table.find(format, number, set);
}

} // namespace dovetail::emulator
