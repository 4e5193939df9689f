// SPDX-License-Identifier: MIT
//
// Compares the register values of an image, field by field, with those that RADV writes for the same shaders and state.
#pragma once

#include "merge/image.h"
#include "src/abi/registers/register_fields.h"
#include "src/abi/target_info.h"
#include "src/state/pipeline_state.h"
#include "tools/proof/radv/commands/pm4.h"
#include <optional>
#include <string>
#include <vector>

namespace dovetail {

// One field of one register, on both sides.
struct ComparedField {
  const RegisterRow *row = nullptr; // nullptr: the table in registers.def has no such register
  uint32_t address = 0;
  std::string_view field;             // "": the bits in no field, in their places
  std::optional<uint32_t> ours, radv; // nullopt: the register is not written
  const struct RegisterComparison *in = nullptr;
};

struct RegisterComparison {
  const Image &image;
  const TargetInfo &target;
  const PipelineState &state;
  std::string_view family; // RADV's name of the GPU
  // The values that RADV writes for shaders that it compiled apart, like our joined variants, and for the same shaders
  // when it linked them. A field may equal either: the code of a stage decides which of them ours resembles.
  const RegisterValues &radv, &linkedRadv;
  bool primitiveRestart = false; // of the draw that these values are for
};

struct FieldDifference {
  ComparedField field;
  size_t explanation = 0; // the row of the table (explained_fields.h) that covers it, or NotExplained
};
constexpr size_t NotExplained = SIZE_MAX;

struct RegisterVerdict {
  size_t equal = 0; // fields
  std::vector<FieldDifference> differences;
};

RegisterVerdict compareRegisters(const RegisterComparison &comparison);

// "SPI_PS_INPUT_CNTL_3.FLAT_SHADE: 1, RADV 0".
std::string describe(const ComparedField &field);

} // namespace dovetail
