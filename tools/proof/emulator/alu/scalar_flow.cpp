// SPDX-License-Identifier: MIT
//
// Program flow: the end of a wave, branches, s_waitcnt, messages, and exports with the rules for how a program must
// end.
#include "tools/proof/emulator/alu/scalar.h"

namespace dovetail::emulator::scalar_ops {

namespace {

// Export targets ("Vega" ISA manual, section 13.9.1).
constexpr unsigned LastColorTarget = 7, DepthTarget = 8, NullTarget = 9, FirstPosition = 12, LastPosition = 15,
                   FirstParameter = 32, LastParameter = 63;

bool isPosition(unsigned target) {
  return target >= FirstPosition && target <= LastPosition;
}

bool hasDoneExport(const Wave &wave) {
  for (const Export &done : wave.exports) {
    if (done.done)
      return true;
  }
  return false;
}

// Checks that the stage has the target. Before the done export, a pixel shader must export colours and depth, a vertex
// shader positions.
bool checkTarget(Wave &wave, unsigned target, bool done) {
  WaveStage stage = wave.setup().stage;
  bool isKnown = false, isBeforeDone = false;
  if (stage == WaveStage::Vs && !wave.setup().isRasterised) {
    wave.trap(TrapKind::BadExport, "an export of a vertex that is not rasterised");
    return false;
  }
  if (stage == WaveStage::Ps) {
    isKnown = target <= NullTarget;
    isBeforeDone = true;
  } else if (stage == WaveStage::Vs) {
    isKnown = isPosition(target) || (target >= FirstParameter && target <= LastParameter);
    isBeforeDone = isPosition(target);
  }
  if (!isKnown) {
    wave.trap(TrapKind::BadExport, "the stage has no export target {}", target);
    return false;
  }
  if (done && !isBeforeDone) {
    wave.trap(TrapKind::BadExport, "target {} cannot be the last one", target);
    return false;
  }
  if (isBeforeDone && hasDoneExport(wave)) {
    wave.trap(TrapKind::SecondDoneExport, "target {} after the done export", target);
    return false;
  }
  return true;
}

} // namespace

void endProgram(Wave &wave) {
  WaveStage stage = wave.setup().stage;
  const bool mustExport = stage == WaveStage::Ps || (stage == WaveStage::Vs && wave.setup().isRasterised);
  if (mustExport && !hasDoneExport(wave))
    wave.trap(TrapKind::NoDoneExport, "the program ends without a done export");
  checkGsEnd(wave);
  endOrderedWave(wave);
  if (wave.status != WaveStatus::Trapped)
    wave.status = WaveStatus::Ended;
}

void branchIf(Wave &wave, const Instruction &instruction, bool condition) {
  if (condition)
    wave.pc += uint64_t(int64_t(int16_t(instruction.simm16)) * 4);
}

// VM_CNT has bits [3:0] and, from GFX9 on, [15:14]; EXP_CNT [6:4]; LGKM_CNT [11:8], on GFX10 [13:8] ("Vega" ISA manual,
// section 12.5; LLVM, AMDGPUBaseInfo.cpp, getVmcntBitWidthHi and its neighbours).
void waitForCounters(Wave &wave, uint16_t simm16) {
  const unsigned vm = ((simm16 & 15u) | (simm16 >> 14 & 3u) << 4) & wave.counterLimit(Counter::Vm);
  auto waitFor = [&](Counter counter, unsigned atMost) {
    if (atMost != wave.counterLimit(counter)) // the highest value waits for nothing
      wave.waitFor(counter, atMost);
  };
  waitFor(Counter::Vm, vm);
  waitFor(Counter::Exp, simm16 >> 4 & 7u);
  waitFor(Counter::Lgkm, simm16 >> 8 & wave.counterLimit(Counter::Lgkm));
}

void waitForCounter(Wave &wave, const Instruction &instruction, Counter counter) {
  wave.waitFor(counter, instruction.simm16 + wave.readSgpr(instruction.dst));
}

void waitForAll(Wave &wave) {
  for (Counter counter : {Counter::Vm, Counter::Lgkm, Counter::Exp, Counter::Vs})
    wave.waitFor(counter, 0);
}

void sendMessage(Wave &wave, uint16_t simm16) {
  constexpr unsigned orderedPsDone = 7; // this message does not use M0
  if ((simm16 & 15) == orderedPsDone) {
    leaveOrderedSection(wave);
    return wave.issue(Counter::Lgkm, {}, true);
  }
  const Message message = {simm16, wave.m0(), wave.exec()};
  checkGsMessage(wave, message);
  wave.messages.push_back(message);
  wave.issue(Counter::Lgkm, {}, true);
}

// Index and mode are fields of M0. Its other bits stay, even if they were never written.
void setGprIndex(Wave &wave, uint32_t index) {
  wave.writeSgpr(M0, (wave.peekSgpr(M0) & ~0xffu) | (index & 0xff));
}

void setGprIndexMode(Wave &wave, uint32_t mode) {
  wave.writeSgpr(M0, (wave.peekSgpr(M0) & ~0xf000u) | (mode & 15) << 12);
}

void setGprIndexOn(Wave &wave, uint32_t index, uint32_t mode) {
  wave.setMode(wave.mode() | GprIndexEnable);
  setGprIndex(wave, index);
  setGprIndexMode(wave, mode);
}

namespace {

constexpr unsigned ModeRegister = 1; // HW_REG_MODE

struct HardwareField {
  unsigned reg, offset;
  uint32_t mask; // the field's mask, shifted to bit 0
};

HardwareField hardwareField(uint16_t simm16) {
  unsigned size = (simm16 >> 11 & 31u) + 1;
  return {simm16 & 63u, simm16 >> 6 & 31u, size == 32 ? 0xffffffff : (1u << size) - 1};
}

bool isModelled(Wave &wave, unsigned reg) {
  if (reg == ModeRegister)
    return true;
  wave.trap(TrapKind::Unsupported, "hardware register {}", reg);
  return false;
}

} // namespace

uint32_t readHardwareField(Wave &wave, uint16_t simm16) {
  HardwareField field = hardwareField(simm16);
  return isModelled(wave, field.reg) ? wave.mode() >> field.offset & field.mask : 0;
}

void writeHardwareField(Wave &wave, uint16_t simm16, uint32_t value) {
  HardwareField field = hardwareField(simm16);
  if (isModelled(wave, field.reg))
    wave.setMode((wave.mode() & ~(field.mask << field.offset)) | (value & field.mask) << field.offset);
}

void exportData(Wave &wave, const Instruction &instruction) {
  unsigned target = instruction.exportTarget;
  if (!checkTarget(wave, target, instruction.exportDone))
    return;
  // No pixel gets an export to Null. All other targets must not get values of helper lanes.
  if (wave.setup().stage == WaveStage::Ps && target != NullTarget && (wave.exec() & ~wave.setup().covered) != 0)
    wave.trap(TrapKind::WrongExec, "exports lanes {:#x}, of which only {:#x} are covered", wave.exec(),
              wave.setup().covered);

  Export result;
  result.target = uint8_t(target);
  result.enable = instruction.exportEnable;
  result.compressed = instruction.exportCompressed;
  result.done = instruction.exportDone;
  result.validMask = instruction.exportValidMask;
  result.exec = wave.exec();
  // Compressed: two components share a register, and each has two bits of EN.
  std::array<Wave::InFlight, 4> sources = {};
  for (unsigned i = 0; i < (result.compressed ? 2u : 4u); ++i) {
    unsigned enabled = result.compressed ? result.enable >> (2 * i) & 3u : result.enable >> i & 1u;
    if (enabled == 0)
      continue;
    unsigned source = instruction.exportSource[i];
    result.data[i] = wave.readVgpr(source);
    sources[i] = {.isVgpr = true, .result = false, .first = uint16_t(source), .count = 1};
  }
  wave.issue(Counter::Exp, {sources[0], sources[1], sources[2], sources[3]});
  wave.exports.push_back(result);
}

} // namespace dovetail::emulator::scalar_ops
