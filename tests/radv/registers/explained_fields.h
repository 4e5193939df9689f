// SPDX-License-Identifier: MIT
//
// The fields in which an image's registers may differ from RADV's, with reasons. A field that no row covers must be
// equal.
#pragma once

#include "tests/radv/registers/compare_registers.h"
#include <span>

namespace dovetail {

struct ExplainedField {
  // Patterns, as for file names: for names of registers.def (for a run, the name of its first register), and for names
  // of their fields. "" as a field stands for the bits in no field.
  std::string_view registers;
  std::string_view field;
  bool (*holds)(const ComparedField &); // nullptr: always
  std::string_view reason;
};

std::span<const ExplainedField> explainedFields();

// NotExplained if no row covers the field.
size_t findExplanation(const ComparedField &field);

} // namespace dovetail
