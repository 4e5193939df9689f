// SPDX-License-Identifier: MIT
//
// The checks that together prove an image. Each check adds the defects that it finds. The checks restate the hardware's
// rules on purpose and share no code with the steps of a join. They read the finished bytes and register values. Of the
// parts, they read only the claims (contracts, relocations), never how the parts were put together.
#pragma once

#include "merge/check/defects.h"
#include "merge/image.h"
#include "src/mc/disassembler.h"
#include <map>
#include <vector>

namespace dovetail::check {

// Targets of exports (ISA manuals, "Export": the TGT field).
constexpr unsigned TargetMrtz = 8, TargetNull = 9, TargetPos0 = 12, TargetPos1 = 13, TargetPos3 = 15, TargetParam0 = 32;

// One hardware shader, found by walking from its entry. Offsets count from the start of the image.
struct Program {
  const Image &image;
  const ImageStage &stage;
  // Reachable instructions in order of their offsets.
  std::vector<isa::Instruction> instructions;
  std::vector<std::vector<uint32_t>> successors;   // indices
  std::vector<std::vector<uint32_t>> predecessors; // indices
  std::map<uint32_t, uint32_t> indexAt;            // offset -> index

  // The part that holds an offset of the text; nullptr for a wait state between parts.
  const ImagePart *partAt(uint32_t offset) const;
  // Where a defect is: an offset of the text, or the program as a whole.
  DefectPlace place(uint32_t offset) const;
  DefectPlace place() const { return {stage.stage, std::nullopt, {}}; }
};

// Whether memory instructions that met a page fault run once more (LLVM: FeatureSupportsXNACK).
inline bool replaysMemory(std::string_view gpuName) {
  return gpuName == "gfx801" || gpuName == "gfx810" || gpuName.starts_with("gfx9");
}

// Main parts list some registers only because these take a place. Without scratch, nobody reads the scratch offset, and
// the hardware loads a vertex shader's ids only as far as somebody reads them. checkInitialised() proves that the code
// does not read them otherwise.
inline bool isListedForItsPlace(const ImagePart &part, const Binding &input) {
  if (input.value.kind == ValueKind::ScratchOffset)
    return part.part->usage.scratchBytes == 0;
  return part.part->key.kind == PartKind::VertexMain &&
         (input.value.kind == ValueKind::InstanceId || input.value.kind == ValueKind::VertexPrimitiveId);
}

// The checks in running order.
// control_flow.cpp: every reachable instruction decodes; no branch leaves the stage or lands inside an instruction;
// nothing runs off the end. An empty program if the stage cannot even be placed.
Program walkControlFlow(const Image &image, const ImageStage &stage, Defects &defects);
// placement.cpp: stages and parts lie where they may, and the image holds the parts' bytes; fields that depend on
// places are right.
void checkPlacement(const Image &image, Defects &defects);
// front_end.cpp: primitives are cut into waves as the stages need it.
void checkFrontEnd(const Image &image, Defects &defects);
// constants.cpp: an address that is computed from the PC points to the constants (or the code) of its own part.
void checkConstants(const Program &program, Defects &defects);
// initialised.cpp: the hardware or an earlier instruction wrote every register that is read; contracts name only such
// registers.
void checkInitialised(const Program &program, Defects &defects);
// contracts.cpp: every value that a part expects is where the parts before it, or the register values, put it; what a
// part says that it preserves is preserved.
void checkContracts(const Program &program, Defects &defects);
// halves.cpp: EXEC and the barrier of merged programs; the messages of geometry waves.
void checkHalves(const Program &program, Defects &defects);
// wait_states.cpp: no two instructions are closer than the hardware allows.
void checkWaitStates(const Program &program, Defects &defects);
// forms.cpp: no instruction has a form that LLVM or the hardware gets wrong.
void checkForms(const Program &program, Defects &defects);
// lane_restores.cpp: where paths meet, no vector instruction runs before the lanes of the other path are back.
void checkLaneRestores(const Program &program, Defects &defects);
// soft_clauses.cpp: consecutive memory instructions that may be replayed do not overwrite each other's operands.
void checkSoftClauses(const Program &program, Defects &defects);
// exports.cpp: a pixel shader ends with one done export with a valid mask, a vertex shader with a done position.
void checkExports(const Program &program, Defects &defects);
// export_registers.cpp: the registers announce the same exports as the code makes.
void checkExportRegisters(const Program &program, Defects &defects);
// resources.cpp: RSRC1 and RSRC2 allocate exactly what the parts use; pixel shader inputs follow the hardware's rules.
void checkResources(const Program &program, Defects &defects);
// launch.cpp: the hardware loads only what some part takes.
void checkLaunch(const Program &program, Defects &defects);

} // namespace dovetail::check
