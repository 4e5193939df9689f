// SPDX-License-Identifier: MIT
//
// The checks that together prove an image. Each adds the defects that it finds. They restate the hardware's rules on
// purpose and share no code with the steps of a join: they see the finished bytes and register values, and of the parts
// only what these claim (contracts, relocations), never how they were put together.
#pragma once

#include "merge/check/defects.h"
#include "merge/image.h"
#include "src/mc/disassembler.h"
#include <map>
#include <vector>

namespace dovetail::check {

// Targets of exports (ISA manuals, "Export": the TGT field).
constexpr unsigned TargetMrtz = 8, TargetNull = 9, TargetPos0 = 12, TargetPos1 = 13, TargetPos3 = 15, TargetParam0 = 32;

// One hardware shader as it is found by walking from its entry. Offsets are those of the image.
struct Program {
  const Image &image;
  const ImageStage &stage;
  // Reachable instructions in order of their offsets.
  std::vector<isa::Instruction> instructions;
  std::vector<std::vector<uint32_t>> successors;   // indices
  std::vector<std::vector<uint32_t>> predecessors; // indices
  std::map<uint32_t, uint32_t> indexAt;            // offset -> index

  // The part that holds an offset of the text, or nullptr (a wait state between parts).
  const ImagePart *partAt(uint32_t offset) const;
  // Where a defect is: an offset of the text, or the program as a whole.
  DefectPlace place(uint32_t offset) const;
  DefectPlace place() const { return {stage.stage, std::nullopt, {}}; }
};

// Memory instructions that met a page fault run once more (LLVM: FeatureSupportsXNACK).
inline bool replaysMemory(std::string_view gpuName) {
  return gpuName == "gfx801" || gpuName == "gfx810" || gpuName.starts_with("gfx9");
}

// Main parts list some registers for their places only: nothing reads the scratch offset without scratch, and the ids
// of a vertex shader's hardware are loaded as far as somebody reads them. That nothing else is read is the business of
// checkInitialised.
inline bool isListedForItsPlace(const ImagePart &part, const Binding &input) {
  if (input.value.kind == ValueKind::ScratchOffset)
    return part.part->usage.scratchBytes == 0;
  return part.part->key.kind == PartKind::VertexMain &&
         (input.value.kind == ValueKind::InstanceId || input.value.kind == ValueKind::VertexPrimitiveId);
}

// In running order.
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
// initialised.cpp: no register is read that neither the hardware nor an earlier instruction wrote; contracts name only
// such.
void checkInitialised(const Program &program, Defects &defects);
// contracts.cpp: every value that a part expects is where the parts before it, or the registers, say; what is preserved
// is preserved.
void checkContracts(const Program &program, Defects &defects);
// halves.cpp: EXEC and the barrier of merged programs; the messages of geometry waves.
void checkHalves(const Program &program, Defects &defects);
// wait_states.cpp: no two instructions are closer than the hardware allows.
void checkWaitStates(const Program &program, Defects &defects);
// forms.cpp: no instruction has a form that LLVM or the hardware gets wrong.
void checkForms(const Program &program, Defects &defects);
// lane_restores.cpp: where ways meet, no vector instruction comes in front of the lanes of the other way.
void checkLaneRestores(const Program &program, Defects &defects);
// soft_clauses.cpp: consecutive memory instructions that may be replayed do not overwrite each other's operands.
void checkSoftClauses(const Program &program, Defects &defects);
// exports.cpp: a pixel shader ends with one done export with a valid mask, a vertex shader with a done position.
void checkExports(const Program &program, Defects &defects);
// export_registers.cpp: what is announced to the hardware is what is exported.
void checkExportRegisters(const Program &program, Defects &defects);
// resources.cpp: what RSRC1 and RSRC2 allocate is what the parts use; pixel shader inputs follow the hardware's rules.
void checkResources(const Program &program, Defects &defects);
// launch.cpp: the hardware loads nothing that no part takes.
void checkLaunch(const Program &program, Defects &defects);

} // namespace dovetail::check
