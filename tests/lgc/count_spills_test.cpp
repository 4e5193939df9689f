// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/registers/count_spills.h"
#include "tests/lgc/machine_code.h"
#include <doctest/doctest.h>
#include <llvm/CodeGen/MachineFrameInfo.h>

namespace {

// Makes the object that spills go to, as the allocator does.
class SpillObjectPass final : public llvm::MachineFunctionPass {
public:
  SpillObjectPass() : MachineFunctionPass(ID) {}

  bool runOnMachineFunction(llvm::MachineFunction &function) override {
    function.getFrameInfo().CreateSpillStackObject(4, llvm::Align(4));
    return false;
  }

private:
  static char ID;
};

char SpillObjectPass::ID = 0;

} // namespace

TEST_CASE("spilled registers are counted by bank, those of all lanes with the others") {
  lgc::SpillCounts counts;
  lgc::test::runOnMachineCode("  bb.0:\n"
                              "    SI_SPILL_S64_SAVE $sgpr4_sgpr5, 0, implicit $exec, implicit $sgpr32\n"
                              "    SI_SPILL_V96_SAVE $vgpr0_vgpr1_vgpr2, 0, $sgpr32, 0, implicit $exec\n"
                              "    SI_SPILL_WWM_V32_SAVE $vgpr3, 0, $sgpr32, 0, implicit $exec\n"
                              "    $vgpr4 = SI_SPILL_V32_RESTORE 0, $sgpr32, 0, implicit $exec\n",
                              {new SpillObjectPass, new lgc::CountSpillsPass(lgc::SpilledBank::Scalar, counts),
                               new lgc::CountSpillsPass(lgc::SpilledBank::Vector, counts)},
                              [](const llvm::MachineFunction &) {});
  CHECK(counts.sgprs == 2);
  CHECK(counts.vgprs == 4);
}
