// SPDX-License-Identifier: MIT
//
// The fields of the registers in registers.def by name, for what goes through all of them: comparing and printing.
#pragma once

#include "src/abi/registers.h"
#include <vector>

namespace dovetail {

struct FieldRow {
  std::string_view name;
  RegisterField bits;
};

// Ordered by their first bits. Fields that several registers share are among them. No image sets what is left of the
// register; of a register without fields, the value as a whole has a meaning.
std::vector<FieldRow> fieldsOf(const RegisterRow &row);

// nullptr if the table has no such register.
const RegisterRow *findRegisterRow(uint32_t address, RegisterGenerations generation);

} // namespace dovetail
