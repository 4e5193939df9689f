// SPDX-License-Identifier: MIT
//
// Where an image's registers may be others than RADV's, and why. Whatever no row covers must be equal.
#pragma once

#include "tests/radv/registers/compare_registers.h"
#include <span>

namespace dovetail {

struct ExplainedField {
  // Patterns of names as those of files: of registers.def (of a run its first), and of their fields. "" as a field is
  // what is in no field.
  std::string_view registers;
  std::string_view field;
  bool (*holds)(const ComparedField &); // nullptr: always
  std::string_view reason;
};

std::span<const ExplainedField> explainedFields();

// NotExplained if there is none.
size_t findExplanation(const ComparedField &field);

} // namespace dovetail
