// SPDX-License-Identifier: MIT
//
// Where divergent paths meet, `s_or_b64 exec, exec, ...` gives EXEC back the lanes of the other path, so that the block
// works for all lanes. A vector instruction between the meeting place and that restore works for some of the lanes
// only. LLVM's register allocation puts copies and spills there (llvm-project #117543).
#include "merge/check/checks.h"
#include <algorithm>

namespace dovetail::check {

namespace {

using isa::Instruction;
using isa::RegisterFile;
using isa::RegisterRange;

bool writesExec(const Instruction &inst) {
  return std::any_of(inst.writes.begin(), inst.writes.end(),
                     [](const RegisterRange &range) { return range.file == RegisterFile::Exec; });
}

bool isRestore(const Instruction &inst) {
  return inst.mnemonic.starts_with("s_or_b64") && writesExec(inst) &&
         std::any_of(inst.reads.begin(), inst.reads.end(),
                     [](const RegisterRange &range) { return range.file == RegisterFile::Exec; });
}

// Lane accesses take their lane from the instruction, not from EXEC.
bool worksOnLanesOfExec(const Instruction &inst) {
  return inst.is(isa::Valu | isa::Vmem | isa::Ds | isa::Vintrp | isa::Exp) &&
         !inst.mnemonic.starts_with("v_readlane") && !inst.mnemonic.starts_with("v_writelane");
}

bool branchesWithoutLanes(const Instruction &inst) {
  return inst.mnemonic.starts_with("s_cbranch_execz");
}

// Code of the whole wave begins with `s_or_saveexec_b64 saved, -1` and ends with `s_mov_b64 exec, saved`. Behind its
// end, EXEC is what it was in front. Returns the index of the beginning, or `end` if no such code ends there.
uint32_t beginOfWholeWave(const Program &program, uint32_t end) {
  const Instruction &inst = program.instructions[end];
  if (!inst.mnemonic.starts_with("s_mov_b64") || !writesExec(inst) || inst.reads.size() != 1 ||
      inst.reads[0].file != RegisterFile::Sgpr)
    return end;
  const RegisterRange &saved = inst.reads[0];
  const auto overwrites = [&](const RegisterRange &range) {
    return range.file == RegisterFile::Sgpr && range.first < saved.first + saved.count &&
           saved.first < range.first + range.count;
  };
  for (uint32_t i = end; i > 0 && program.predecessors[i].size() == 1 && program.predecessors[i][0] == i - 1; --i) {
    const Instruction &before = program.instructions[i - 1];
    if (writesExec(before) || std::ranges::any_of(before.writes, overwrites))
      return before.mnemonic.starts_with("s_or_saveexec_b64") &&
                     std::ranges::find(before.writes, saved) != before.writes.end()
                 ? i - 1
                 : end;
  }
  return end;
}

// Whether the block in front of the branch takes lanes out of EXEC. LLVM also makes branches by EXECZ that are never
// taken, for example one behind another without a change of EXEC between them.
bool leavesLanesOut(const Program &program, uint32_t branch) {
  for (uint32_t i = branch; i > 0 && program.predecessors[i].size() == 1 && program.predecessors[i][0] == i - 1; --i) {
    const Instruction &before = program.instructions[i - 1];
    if (branchesWithoutLanes(before))
      return false;
    if (const uint32_t begin = beginOfWholeWave(program, i - 1); begin != i - 1)
      i = begin + 1;
    else if (writesExec(before))
      return !isRestore(before);
  }
  return false;
}

// Whether lanes arrive here that did not run the code in front.
bool isMeeting(const Program &program, uint32_t index) {
  return std::any_of(program.predecessors[index].begin(), program.predecessors[index].end(), [&](uint32_t from) {
    const Instruction &branch = program.instructions[from];
    return branchesWithoutLanes(branch) && branch.branchTarget == program.instructions[index].offset &&
           leavesLanesOut(program, from);
  });
}

} // namespace

void checkLaneRestores(const Program &program, Defects &defects) {
  const Instruction *early = nullptr; // the first vector instruction behind the place where paths meet
  bool isAtMeeting = false;           // in a block that began there, and EXEC has not changed since
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &inst = program.instructions[i];
    if (isMeeting(program, i))
      isAtMeeting = true, early = nullptr;
    if (isAtMeeting && early && isRestore(inst))
      defects.add<WorksBeforeLanesAreBack>(program.place(early->offset), early->mnemonic, inst.offset);
    if (writesExec(inst) || inst.is(isa::Branch | isa::EndsProgram | isa::IndirectBranch))
      isAtMeeting = false, early = nullptr;
    if (isAtMeeting && !early && worksOnLanesOfExec(inst))
      early = &inst;
  }
}

} // namespace dovetail::check
