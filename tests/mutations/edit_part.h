// SPDX-License-Identifier: MIT
//
// Changes to a part's code that keep the rest of it in step.
#pragma once

#include "src/mc/disassembler.h"
#include "tests/mutations/subject.h"

namespace dovetail::mutations {

// A copy to change, with its place in the stages that the mutant gets.
struct EditedPart {
  Stages stages;
  Part *part;
};
EditedPart editPart(const Stages &stages, size_t stage, size_t part);

// Instructions in front of or behind the code. Relocations move along; hazard summary and count are made anew.
void prepend(Part &part, std::string_view assembly, const std::string &gpuName);
void append(Part &part, std::string_view assembly, const std::string &gpuName);
// To be called when the code has changed otherwise.
void summarizeAgain(Part &part, const std::string &gpuName);

// "ps.fragment_main".
std::string partName(const Stages &stages, size_t stage, size_t part);

// All instructions of a part; empty if it does not decode.
std::vector<mc::Instruction> instructionsOf(const Part &part, const std::string &gpuName);
// One of them as text.
std::string textOf(const Part &part, uint32_t offset, const std::string &gpuName);

} // namespace dovetail::mutations
