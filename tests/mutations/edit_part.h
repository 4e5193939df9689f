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
void prepend(Part &part, std::string_view assembly, std::string_view gpuName);
void append(Part &part, std::string_view assembly, std::string_view gpuName);
// In front of the instruction at this offset. Branches within the part keep their targets; one to the offset itself
// leads to what is inserted.
void insert(Part &part, uint32_t offset, std::string_view assembly, std::string_view gpuName);
// s_nop instead of an instruction.
void dropInstruction(Part &part, const isa::Instruction &instruction, std::string_view gpuName);
// Another first dword, or another literal behind it.
void replaceDword(Part &part, uint32_t offset, uint32_t dword, std::string_view gpuName);
uint32_t dwordAt(const Part &part, uint32_t offset);
// To be called when the code has changed otherwise.
void summarizeAgain(Part &part, std::string_view gpuName);

// The index of the glue between the halves of a merged program; 0 if there is none.
size_t secondGlue(const StageParts &stage);
// Is it the branch around the first half?
bool skipsFirstHalf(const Part &part, const isa::Instruction &instruction);
// The same parts with glue that fits them, after one of the first half says that it uses more registers. Errors: those
// of mergeHalves().
Result<Stages> renewGlue(const Stages &stages, size_t stage, const TargetInfo &target);

// "ps.fragment_main", "hs.glue", "hs.glue2".
std::string partName(const Stages &stages, size_t stage, size_t part);

// All instructions of a part; empty if it does not decode.
std::vector<isa::Instruction> instructionsOf(const Part &part, std::string_view gpuName);
// One of them as text.
std::string textOf(const Part &part, uint32_t offset, std::string_view gpuName);

} // namespace dovetail::mutations
