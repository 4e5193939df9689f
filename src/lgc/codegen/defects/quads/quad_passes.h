// SPDX-License-Identifier: MIT
//
// Passes for helper invocations, kills and the lanes of EXEC.
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"

namespace lgc {

// A kill leaves EXEC = 0 where it ends all lanes of a branch. A branch that LLVM takes for uniform skips nothing then,
// so the code behind runs for no lane: v_cmp gives 0, a loop may never end, and a scalar load reads anywhere. Where
// lanes may diverge, LLVM puts the code behind under a mask of lanes, and skips it if the mask is 0. So this pass makes
// each uniform condition on which a kill depends one that may differ between lanes. Blocks that all lanes of the wave
// pass at once are exempt: the wave ends there if no lane is left.
//
// Must run before structurizecfg.
LGC_CODEGEN_PASS(DivergeBeforeKills, "Diverge before kills")

// After a demote, LLVM continues to the end of the branch that contains it, even if no lane is left (SIWholeQuadMode).
// With EXEC = 0, vector instructions write nothing: a loop whose condition is the same in all lanes may never end, and
// a scalar load whose address comes out of VGPRs reads anywhere. So this pass looks for demotes from which control flow
// can reach one of these without a place where all lanes of the wave meet. Behind such a demote, lanes leave that are
// no longer wanted: those that have ended, or, if the shader needs helper invocations, those whose quad has ended. LLVM
// skips a divergent branch where EXEC would be 0.
//
// For a shader whose outputs have no place yet: it returns nothing, and may end anywhere.
LGC_IR_PASS(LeaveAfterDemotes)

// Parts of a fragment shader run in exact mode, without helper invocations. LLVM moves the switch back to whole quads
// to the place in front of an instruction that needs them. Instructions between that ask for no mode run in either mode
// (SIWholeQuadMode). Three kinds of them must not read values that exact mode has made:
//
// - An instruction that reads a uniform value from the first lane, which may be a helper (llvm-project #193395).
// - A test of a uniform condition: it holds if it holds in any lane, which may be a helper.
// - A load by an address without bounds. A helper's address is then arbitrary, and there may be no memory. An address
//   in scratch memory may not be a multiple of four bytes, as it must be.
//
// So this pass makes LLVM compute these operands in whole quads, if the shader has any.
//
// Must run after all passes that add or remove such reads, in SSA form.
LGC_MACHINE_PASS(ReadInWholeQuads, "Read in whole quads")

// A loop over the values of a VGPR, such as the descriptors of different lanes, begins with all lanes and ends with
// none. So the code saves EXEC in front of the loop and restores it behind. SIWholeQuadMode (LLVM 22) does not count
// the save and the restore as part of the mode. It switches between exact mode and whole quads behind the save, and in
// front of the restore. The restore then brings the other mode back: helper invocations store, or whole quads lack
// them.
//
// A branch saves its lanes at the end of a block; they are restored where its paths meet. LLVM looks there for a place
// to switch behind the end of another branch, and finds one between the save and the branch.
//
// So this pass puts the save behind the last switch, and a loop's restore in front of the first.
//
// Must run after SIWholeQuadMode.
LGC_MACHINE_PASS(SaveLanesLate, "Save lanes late")

// Reductions and scans are computed in all lanes of a wave. Their VGPRs are allocated apart from others, because lanes
// that wait elsewhere have values in those (SIPreAllocateWWMRegs). But an instruction that both kinds of code need,
// such as a move of a constant, has one result for both (LLVM 22). The register coalescer may then make it part of a
// tuple or of a phi of ordinary code, which so gets a VGPR of the whole wave. Where the control flow of the lanes that
// run leaves that ordinary value unused, the whole wave overwrites it in the lanes that wait.
//
// So this pass repeats such instructions for code of the whole wave.
//
// Must run after all passes that combine equal instructions, in SSA form.
LGC_MACHINE_PASS(SeparateWholeWaves, "Separate whole waves")

// Schedulers put markers of undefined registers (IMPLICIT_DEF) anywhere, also between instructions of the whole wave.
// LLVM then takes the register for one of the whole wave (SIPreAllocateWWMRegs, LLVM 22), with the harm that the pass
// above describes. So this pass moves these markers out.
//
// Where a value of the whole wave begins, LLVM reads the mask of the lanes that run as an undefined register
// (SIWholeQuadMode, LLVM 22). If that mask is spilled, no reload is put in front. So this pass marks it as defined.
//
// Must run after SIWholeQuadMode, and before registers are allocated.
LGC_MACHINE_PASS(UndefineOutside, "Undefine outside of whole waves")

// Where code of the whole wave begins, it reads a value of lanes. Register allocation puts a spill, a reload, a copy or
// a constant of such a value next to the instruction that reads it, so all lanes of the wave run it (LLVM 22). It
// overwrites VGPRs and stack slots in which lanes that wait elsewhere have other values. So this pass puts back the
// lanes that run for such instructions.
//
// Must run after register allocation and before the passes that expand copies and spills.
LGC_MACHINE_PASS(LeaveWholeWaves, "Leave whole waves")

} // namespace lgc
