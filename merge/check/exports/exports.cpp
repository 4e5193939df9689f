// SPDX-License-Identifier: MIT
//
// The hardware waits for the export that is marked as the last one ("Vega" ISA manual, chapter 11, "done"). Without it,
// a wave hangs; after it, no other colour (position) may come. A pixel shader's last export also carries the valid
// mask.
//
// A wave of a copy shader has the vertices of one stream. Only stream 0 is rasterised: its waves export like those of
// any vertex shader. Waves of other streams write to transform feedback and export nothing, as in Mesa's
// si_shader_llvm_gs.c.
#include "merge/check/checks.h"
#include "merge/check/data_flow.h"
#include "merge/check/entry.h"
#include "merge/check/exports/stream_paths.h"
#include "src/abi/registers/registers.h"

namespace dovetail::check {

namespace {

// Whether the done bit belongs on the last export of this kind.
bool isCounted(const ImageStage &stage, const isa::Instruction &inst) {
  if (!inst.is(isa::Exp))
    return false;
  if (stage.stage == HardwareStage::Ps)
    return inst.exportTarget <= TargetNull;
  return inst.exportTarget >= TargetPos0 && inst.exportTarget <= TargetPos3;
}

// The registers must announce the target to the hardware, which allocates memory for it.
void checkTarget(const Program &program, const isa::Instruction &inst, Defects &defects) {
  const unsigned target = inst.exportTarget;
  const DefectPlace place = program.place(inst.offset);
  if (program.stage.stage == HardwareStage::Ps) {
    uint32_t colFormat = registerValue(program.image, reg::SPI_SHADER_COL_FORMAT);
    if (target < 8) {
      uint32_t format = (colFormat >> (4 * target)) & 15;
      bool packed = format >= 4 && format <= 8; // the 16-bit formats
      if (format == 0)
        defects.add<ColorWithoutFormat>(place);
      else if (packed != inst.exportCompressed)
        defects.add<ColorInOtherWidth>(place);
    } else if (target == TargetMrtz) {
      if (registerValue(program.image, reg::SPI_SHADER_Z_FORMAT) == 0)
        defects.add<MrtzWithoutFormat>(place);
    } else if (target != TargetNull) {
      defects.add<NotPixelTarget>(place);
    }
    return;
  }
  if (target >= TargetParam0 && inst.exportDone)
    defects.add<ParameterSaysDone>(place);
  if (target >= TargetPos0 && target <= TargetPos3) {
    if (((registerValue(program.image, reg::SPI_SHADER_POS_FORMAT) >> (4 * (target - TargetPos0))) & 15) == 0)
      defects.add<PositionWithoutFormat>(place);
  } else if (target >= TargetParam0) {
    if (target - TargetParam0 > ((registerValue(program.image, reg::SPI_VS_OUT_CONFIG) >> 1) & 31))
      defects.add<ParameterBeyondCount>(place);
  } else {
    defects.add<NotVertexTarget>(place);
  }
}

// Each path has one done export, and none of its counted exports comes behind that.
void checkDone(const Program &program, const std::vector<std::vector<uint32_t>> &successors, Defects &defects) {
  const bool isPixel = program.stage.stage == HardwareStage::Ps;
  const FlowStates<Happened> done = flowOf(program, successors, [&](const isa::Instruction &inst) {
    return isCounted(program.stage, inst) && inst.exportDone;
  });
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    const isa::Instruction &inst = program.instructions[i];
    const Happened before = done.before(i) ? *done.before(i) : Happened();
    if (isCounted(program.stage, inst)) {
      if (before.onSomePath)
        defects.add<ExportBehindLast>(program.place(inst.offset));
      if (isPixel && inst.exportDone && !inst.exportValidMask)
        defects.add<LastExportWithoutValidMask>(program.place(inst.offset));
    }
    if (!inst.is(isa::EndsProgram) || !before.notOnSomePath)
      continue;
    if (isPixel)
      defects.add<EndWithoutColorExport>(program.place(inst.offset));
    else
      defects.add<EndWithoutPositionExport>(program.place(inst.offset));
  }
}

// Waves of the stream must export nothing.
void checkSilent(const Program &program, unsigned stream, Defects &defects) {
  const std::vector<std::vector<uint32_t>> successors = successorsForStream(program, stream);
  std::vector<bool> isReached(program.instructions.size());
  if (auto first = program.indexAt.find(program.stage.entry); first != program.indexAt.end())
    isReached[first->second] = true;
  for (const std::vector<uint32_t> &list : successors)
    for (uint32_t successor : list)
      isReached[successor] = true;
  for (uint32_t i = 0; i < program.instructions.size(); ++i)
    if (isReached[i] && program.instructions[i].is(isa::Exp))
      defects.add<SilentStreamExports>(program.place(program.instructions[i].offset), stream);
}

} // namespace

void checkExports(const Program &program, Defects &defects) {
  const HardwareStage stage = program.stage.stage;
  if (stage == HardwareStage::Ls || stage == HardwareStage::Hs || stage == HardwareStage::Es ||
      stage == HardwareStage::Gs)
    for (const isa::Instruction &inst : program.instructions)
      if (inst.is(isa::Exp))
        defects.add<ExportFromSilentStage>(program.place(inst.offset));
  if (program.instructions.empty() || (stage != HardwareStage::Ps && stage != HardwareStage::Vs))
    return;
  for (const isa::Instruction &inst : program.instructions)
    if (inst.is(isa::Exp))
      checkTarget(program, inst, defects);
  if (!runsForStreams(program))
    return checkDone(program, program.successors, defects);
  checkDone(program, successorsForStream(program, 0), defects);
  // Other streams have waves only if they are captured.
  const uint32_t capturedStreams = registerValue(program.image, reg::VGT_STRMOUT_CONFIG) & 15;
  for (unsigned stream = 1; stream < MaxVertexStreams; ++stream)
    if (capturedStreams >> stream & 1)
      checkSilent(program, stream, defects);
}

} // namespace dovetail::check
