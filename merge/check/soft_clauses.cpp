// SPDX-License-Identifier: MIT
//
// Soft clauses: runs of consecutive SMEM or of consecutive VMEM instructions. On GPUs that may replay memory (XNACK),
// each instruction may run once more after the ones behind it. So within a run:
// - nothing may be overwritten that is read;
// - an instruction that overwrites its own operands may have no neighbour;
// - no store may follow a load.
//
// LLVM breaks such runs inside a function (checkSoftClauseHazards). It looks at the five instructions in front of each
// one; it looks at those behind a store only once there is a load among them.
#include "merge/check/checks.h"
#include <algorithm>

namespace dovetail::check {

namespace {

using isa::Instruction;
using isa::RegisterFile;
using isa::RegisterRange;

constexpr unsigned LookBack = 5;

uint32_t kindOf(const Instruction &inst) {
  return inst.flags & (isa::Smem | isa::Vmem);
}

template <typename A, typename B> bool shareRegister(const A &some, const B &others) {
  return std::any_of(some.begin(), some.end(), [&](const RegisterRange &a) {
    return !a.implicit && std::any_of(others.begin(), others.end(), [&](const RegisterRange &b) {
      return !b.implicit && a.file == b.file && a.first < b.first + b.count && b.first < a.first + a.count;
    });
  });
}

bool isLoad(const Instruction &inst) {
  return std::any_of(inst.writes.begin(), inst.writes.end(),
                     [](const RegisterRange &range) { return !range.implicit; });
}

// Why two instructions of one clause may not stay together; nullptr if they may.
const char *conflictOf(const Instruction &before, const Instruction &after) {
  if (!isLoad(before))
    return nullptr;
  if (after.is(isa::Store))
    return "a store follows a load of its memory clause";
  if (shareRegister(before.writes, after.reads))
    return "a memory clause reads what it loads";
  if (shareRegister(before.reads, after.writes))
    return "a memory clause overwrites what it reads";
  if (shareRegister(before.writes, before.reads) || shareRegister(after.writes, after.reads))
    return "a memory access that overwrites its own operands is not alone in its clause";
  return nullptr;
}

void search(const Program &program, uint32_t last, uint32_t node, unsigned distance, Defects &defects) {
  const Instruction &after = program.instructions[last];
  for (uint32_t predecessor : program.predecessors[node]) {
    const Instruction &before = program.instructions[predecessor];
    if (kindOf(before) != kindOf(after))
      continue;
    if (const char *conflict = conflictOf(before, after)) {
      defects.add<TooFewWaitStates>(program.place(after.offset), conflict, before.offset, 0u, 1u);
      return;
    }
    if (distance < LookBack)
      search(program, last, predecessor, distance + 1, defects);
  }
}

} // namespace

void checkSoftClauses(const Program &program, Defects &defects) {
  if (!replaysMemory(program.image.gpuName))
    return;
  for (uint32_t i = 0; i < program.instructions.size(); ++i)
    if (kindOf(program.instructions[i]) != 0)
      search(program, i, i, 1, defects);
}

} // namespace dovetail::check
