// SPDX-License-Identifier: MIT
//
// Exports, by dataflow: how many `done` exports can have happened where an instruction starts. A pixel shader must
// export exactly one with the valid mask before it ends, and none after it; a vertex shader sets done on its last
// position export. (Vega ISA, section 11 "Exporting Pixel Color and Vertex Shader Parameters".)
#include "merge/check/checks.h"

namespace dovetail::check {

namespace {

// A set of possible counts.
enum DoneCounts : uint8_t { None = 1, One = 2, Many = 4 };

constexpr uint8_t FirstPositionTarget = 12;
constexpr uint8_t LastPositionTarget = 15;

bool isPosition(const mc::Instruction &instruction) {
  return instruction.exportTarget >= FirstPositionTarget && instruction.exportTarget <= LastPositionTarget;
}

uint8_t afterDone(uint8_t counts) {
  uint8_t result = 0;
  if (counts & None)
    result |= One;
  if (counts & (One | Many))
    result |= Many;
  return result;
}

} // namespace

void checkExports(const StageText &text, Defects &defects) {
  bool isPixel = text.stage->stage == HardwareStage::Ps;
  bool isVertex = text.stage->stage == HardwareStage::Vs;

  std::vector<uint8_t> before(text.instructions.size(), 0);
  before[0] = None;
  std::vector<uint32_t> pending = {0};
  while (!pending.empty()) {
    uint32_t index = pending.back();
    pending.pop_back();
    const mc::Instruction &instruction = text.instructions[index];
    bool done = instruction.is(mc::Exp) && instruction.exportDone;
    uint8_t after = done ? afterDone(before[index]) : before[index];
    for (uint32_t successor : text.successors[index]) {
      if ((before[successor] | after) != before[successor]) {
        before[successor] |= after;
        pending.push_back(successor);
      }
    }
  }

  for (uint32_t index = 0; index < text.instructions.size(); ++index) {
    const mc::Instruction &instruction = text.instructions[index];
    if (!text.reachable[index])
      continue;
    if (instruction.is(mc::Exp)) {
      if (!isPixel && !isVertex)
        defects.add(text, instruction.offset, "this hardware stage has no exports");
      bool countsForDone = isPixel || isPosition(instruction);
      if (countsForDone && (before[index] & (One | Many)))
        defects.add(text, instruction.offset, "an export after the one that says done");
      if (isPixel && instruction.exportDone && !instruction.exportValidMask)
        defects.add(text, instruction.offset, "the done export does not send the valid mask (vm)");
      if (isVertex && instruction.exportDone && !isPosition(instruction))
        defects.add(text, instruction.offset, "done on an export that is not a position");
    }
    if (instruction.is(mc::EndsProgram) && (isPixel || isVertex) && before[index] != One)
      defects.add(text, instruction.offset, "a path ends here {} done export",
                  before[index] & Many ? "with more than one" : "without a");
  }
}

} // namespace dovetail::check
