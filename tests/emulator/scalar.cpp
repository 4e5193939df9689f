// SPDX-License-Identifier: MIT
//
// The scalar families' rows. The macros of the .def files turn a row into an Opcode whose function is the row's
// expression with the operands read before it and the result written after it.
#include "tests/emulator/scalar.h"
#include "tests/emulator/opcode.h"

namespace dovetail::emulator {

using namespace scalar_ops;

namespace {

constexpr Opcode Rows[] = {
#define SOPP(number, generations, name, statement)                                                                     \
  {Format::Sopp, number, generations, #name, 0, {}, [](Wave &w, [[maybe_unused]] const Instruction &i) { statement; }},
#include "tests/emulator/opcodes/sopp.def"
#undef SOPP
    {Format::Exp, 0, Gfx8And9, "exp", 0, {}, exportData},
};

} // namespace

std::span<const Opcode> scalarOpcodes() {
  return Rows;
}

} // namespace dovetail::emulator
