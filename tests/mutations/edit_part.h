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

// Puts instructions in front of or behind the code. Relocations move along; hazard summary and count are made anew.
void prepend(Part &part, std::string_view assembly, std::string_view gpuName);
void append(Part &part, std::string_view assembly, std::string_view gpuName);
// Inserts code in front of the instruction at this offset. Branches within the part keep their targets; a branch to the
// offset itself leads to the inserted code.
void insert(Part &part, uint32_t offset, std::string_view assembly, std::string_view gpuName);
// Replaces an instruction by s_nop.
void dropInstruction(Part &part, const isa::Instruction &instruction, std::string_view gpuName);
// Replaces an instruction's first dword, or the literal behind it.
void replaceDword(Part &part, uint32_t offset, uint32_t dword, std::string_view gpuName);
uint32_t dwordAt(const Part &part, uint32_t offset);
// Call this after other changes of the code.
void summarizeAgain(Part &part, std::string_view gpuName);

// The index of the glue between the halves of a merged program; 0 if there is none.
size_t secondGlue(const StageParts &stage);
// Is it the branch around the first half?
bool skipsFirstHalf(const Part &part, const isa::Instruction &instruction);
// The same parts with glue that fits them, after a part of the first half has come to use more registers. Errors: those
// of mergeHalves().
Result<Stages> renewGlue(const Stages &stages, size_t stage, const TargetInfo &target);

// "ps.fragment_main", "hs.glue", "hs.glue2".
std::string partName(const Stages &stages, size_t stage, size_t part);

// All instructions of a part; empty if it does not decode.
std::vector<isa::Instruction> instructionsOf(const Part &part, std::string_view gpuName);
// An instruction of the part as text.
std::string textOf(const Part &part, uint32_t offset, std::string_view gpuName);

} // namespace dovetail::mutations
