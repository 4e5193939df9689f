// SPDX-License-Identifier: MIT
//
// The families' rows, arranged by format and number for decoding.
#include "tools/emulator/isa/opcode.h"
#include <vector>

namespace dovetail::emulator {

namespace {

constexpr size_t FormatCount = size_t(Format::Exp) + 1;
constexpr size_t NumberCount = 1024; // VOP3 has ten bits of opcode

// A row has a place for each generation that it is for.
class Table {
public:
  Table() : m_rows(FormatCount * NumberCount * 2) {
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

  const Opcode *find(Format format, unsigned number, Generation generation) const {
    if (number >= NumberCount)
      return nullptr;
    return m_rows[index(format, number, generation)];
  }

private:
  static size_t index(Format format, unsigned number, Generation generation) {
    return (size_t(format) * NumberCount + number) * 2 + (generation == Generation::Gfx9 ? 1 : 0);
  }
  void add(std::span<const Opcode> rows) {
    for (const Opcode &row : rows) {
      for (Generation generation : {Generation::Gfx8, Generation::Gfx9}) {
        if ((row.generations & uint8_t(generation)) != 0)
          m_rows[index(row.format, row.number, generation)] = &row;
      }
    }
  }

  std::vector<const Opcode *> m_rows;
};

} // namespace

const Opcode *findOpcode(Format format, unsigned number, Generation generation) {
  static const Table table;
  return table.find(format, number, generation);
}

} // namespace dovetail::emulator
