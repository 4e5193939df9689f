// SPDX-License-Identifier: MIT
//
// Machine code as register allocation leaves it, where divergent ways meet.
#include "src/lgc/codegen/defects/quads/restore_exec.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

namespace {

struct Restored {
  std::string code; // of the block where ways meet
  bool hasFailed = false;
};

Restored restore(const std::string &instructions) {
  Restored restored;
  lgc::test::runOnMachineCode("  bb.0:\n    S_CBRANCH_EXECZ %bb.1, implicit $exec\n  bb.1:\n" + instructions,
                              new lgc::RestoreExecPass(&restored.hasFailed), [&](const MachineFunction &function) {
                                raw_string_ostream stream(restored.code);
                                for (const MachineInstr &inst : *std::next(function.begin()))
                                  if (!inst.isTerminator())
                                    inst.print(stream, /*IsStandalone=*/true, /*SkipOpers=*/false,
                                               /*SkipDebugLoc=*/true, /*AddNewLine=*/false),
                                        stream << '\n';
                              });
  return restored;
}

const std::string Restore = "    $exec = S_OR_B64 $exec, $sgpr2_sgpr3, implicit-def dead $scc\n";
const std::string VectorCopy = "    $vgpr1 = COPY $vgpr2, implicit $exec\n";
const std::string ScalarCopy = "    $sgpr6_sgpr7 = COPY $sgpr8_sgpr9\n";
const std::string LanesCopy = "    $sgpr2_sgpr3 = COPY $sgpr8_sgpr9\n";
const std::string Addition = "    $vgpr3 = V_ADD_U32_e32 $vgpr1, $vgpr2, implicit $exec\n";

// Without the indentation of MIR.
std::string lines(const std::string &text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at) + 1;
    result += text.substr(at + 4, end - at - 4);
    at = end;
  }
  return result;
}

} // namespace

TEST_CASE("EXEC gets its lanes back in front of copies that allocation has put into a block") {
  const Restored restored = restore(ScalarCopy + VectorCopy + Restore + Addition);
  CHECK_FALSE(restored.hasFailed);
  CHECK(restored.code == lines(Restore + ScalarCopy + VectorCopy + Addition));
}

TEST_CASE("the restore stays behind what makes its lanes") {
  const Restored restored = restore(LanesCopy + VectorCopy + Restore + Addition);
  CHECK_FALSE(restored.hasFailed);
  CHECK(restored.code == lines(LanesCopy + Restore + VectorCopy + Addition));
}

TEST_CASE("a restore that needs lanes behind a vector copy is told") {
  CHECK(restore(VectorCopy + LanesCopy + Restore + Addition).hasFailed);
  CHECK_FALSE(restore(ScalarCopy + LanesCopy + Restore + Addition).hasFailed);
}

TEST_CASE("a block that begins with its restore stays as it is") {
  const Restored restored = restore(Restore + VectorCopy + Addition);
  CHECK_FALSE(restored.hasFailed);
  CHECK(restored.code == lines(Restore + VectorCopy + Addition));
}

TEST_CASE("what changes EXEC in the middle of a block stays there") {
  const std::string move = "    $exec = S_MOV_B64 $sgpr2_sgpr3\n";
  const std::string store =
      "    BUFFER_STORE_DWORD_OFFSET $vgpr1, $sgpr4_sgpr5_sgpr6_sgpr7, 0, 0, 0, 0, implicit $exec\n";
  CHECK(restore(store + move + VectorCopy).code == lines(store + move + VectorCopy));
  CHECK(restore(VectorCopy + move + Addition).code == lines(move + VectorCopy + Addition));
}
