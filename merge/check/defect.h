// SPDX-License-Identifier: MIT
//
// A defect of an image as a value: the kind of the defect, its place, and its registers, values and numbers.
#pragma once

#include "src/abi/hardware_stage.h"
#include "src/abi/value.h"
#include "src/isa/instruction.h"
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dovetail {

enum class DefectKind : uint8_t {
#define DEFECT(kind, place, text) kind,
#include "merge/check/defects.def"
#undef DEFECT
};

// A place in an image. For the image as a whole, nothing is set.
struct DefectPlace {
  std::optional<HardwareStage> program;
  std::optional<uint32_t> offset; // from the start of the image's code
  std::string part;               // at the offset: "vertex main" or its symbol, "vs.vertex_main"

  bool operator==(const DefectPlace &) const = default;
};

// std::string: a mnemonic, or text of the disassembler or of a hardware rule.
using DefectArgument = std::variant<uint64_t, int64_t, Register, isa::RegisterRange, ValueName, std::string>;

struct Defect {
  DefectKind kind;
  DefectPlace place;
  std::vector<DefectArgument> arguments; // in the order of the places in the kind's text

  bool operator==(const Defect &) const = default;
};

// "vs 0x1c (vertex main): exp reads v9, which nothing has written".
std::string toString(const Defect &defect);

} // namespace dovetail
