// SPDX-License-Identifier: MIT
//
// Decodes only the code that can run: from the entry along branches and fall-through. Padding and constants are never
// decoded, so code that reaches them is a defect.
#include "merge/check/checks.h"
#include <algorithm>
#include <array>
#include <set>

namespace dovetail::check {

const ImagePart *Program::partAt(uint32_t offset) const {
  for (const ImagePart &part : image.parts)
    if (offset >= part.offset && offset < part.offset + part.size)
      return &part;
  return nullptr;
}

DefectPlace Program::place(uint32_t offset) const {
  const ImagePart *part = partAt(offset);
  return {stage.stage, offset, part ? std::string(toString(part->part->key.kind)) : "between parts"};
}

namespace {

// Whether every path to this far branch runs the three instructions in front of it, which make its address.
bool comesFromItsStart(const Program &program, uint32_t branch) {
  const uint32_t offset = program.instructions[branch].offset;
  return std::ranges::all_of(std::array{offset, offset - 8, offset - 16}, [&](uint32_t at) {
    const auto node = program.indexAt.find(at);
    if (node == program.indexAt.end() || program.predecessors[node->second].size() != 1)
      return false;
    const isa::Instruction &before = program.instructions[program.predecessors[node->second][0]];
    return before.offset + before.size == at;
  });
}

} // namespace

Program walkControlFlow(const Image &image, const ImageStage &stage, Defects &defects) {
  Program program{image, stage, {}, {}, {}, {}};
  auto disassembler = mc::Disassembler::forGpu(image.gpuName);
  if (!disassembler) {
    defects.add<NoDisassembler>(program.place(), disassembler.error().text);
    return program;
  }
  const uint32_t begin = stage.entry;
  const uint32_t end = std::min<uint32_t>(stage.entry + stage.size, uint32_t(image.code.size()));
  std::map<uint32_t, isa::Instruction> found;
  std::vector<uint32_t> work = {begin};
  std::set<uint32_t> bad;
  auto isInside = [&](uint32_t offset) { return begin <= offset && offset < end; };
  while (!work.empty()) {
    uint32_t offset = work.back();
    work.pop_back();
    if (found.count(offset) || bad.count(offset))
      continue;
    auto decoded = (*disassembler)->decode(std::span(image.code).first(end), offset);
    if (!decoded) {
      defects.add<NotAnInstruction>(program.place(offset), decoded.error().text);
      bad.insert(offset);
      continue;
    }
    const isa::Instruction &inst = found.emplace(offset, std::move(*decoded)).first->second;
    if (inst.is(isa::IndirectBranch))
      defects.add<UnknownJump>(program.place(offset), inst.mnemonic);
    if (inst.is(isa::EndsProgram | isa::IndirectBranch))
      continue;
    if (inst.is(isa::Branch)) {
      // A part ends where the next part, or the wait state in front of that part, begins.
      const ImagePart *part = program.partAt(offset);
      // Glue may branch over the first half.
      const ImagePart *second = stage.secondHalf ? &image.parts[stage.firstPart + stage.secondHalf] : nullptr;
      const bool skipsFirstHalf =
          second && part == &image.parts[stage.firstPart] && inst.branchTarget == second->offset;
      if (part && !skipsFirstHalf &&
          (inst.branchTarget < part->offset || inst.branchTarget > part->offset + part->size))
        defects.add<BranchLeavesPart>(program.place(offset), inst.mnemonic, inst.branchTarget);
      if (isInside(inst.branchTarget))
        work.push_back(inst.branchTarget);
      else
        defects.add<BranchLeavesStage>(program.place(offset), inst.branchTarget, begin, end);
    }
    if (inst.is(isa::Branch) && !inst.is(isa::Conditional))
      continue;
    const uint32_t next = offset + inst.size;
    if (isInside(next))
      work.push_back(next);
    else
      defects.add<ExecutionLeavesStage>(program.place(offset), next, begin, end);
  }

  // If an instruction begins inside another one, a branch lands in the middle.
  uint32_t covered = 0;
  for (auto &[offset, inst] : found) {
    if (offset < covered)
      defects.add<InstructionInsideAnother>(program.place(offset));
    covered = std::max(covered, offset + inst.size);
    program.indexAt[offset] = uint32_t(program.instructions.size());
    program.instructions.push_back(std::move(inst));
  }
  program.successors.resize(program.instructions.size());
  program.predecessors.resize(program.instructions.size());
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    const isa::Instruction &inst = program.instructions[i];
    auto connect = [&](uint32_t to) {
      auto target = program.indexAt.find(to);
      if (target == program.indexAt.end())
        return;
      program.successors[i].push_back(target->second);
      program.predecessors[target->second].push_back(i);
    };
    if (inst.is(isa::EndsProgram | isa::IndirectBranch))
      continue;
    if (inst.is(isa::Branch))
      connect(inst.branchTarget);
    if (!inst.is(isa::Branch) || inst.is(isa::Conditional))
      connect(inst.offset + inst.size);
  }
  for (uint32_t i = 0; i < program.instructions.size(); ++i)
    if (program.instructions[i].endsFarBranch() && !comesFromItsStart(program, i))
      defects.add<UnknownJump>(program.place(program.instructions[i].offset), program.instructions[i].mnemonic);
  return program;
}

} // namespace dovetail::check
