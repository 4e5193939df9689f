// SPDX-License-Identifier: MIT
//
// Compute: packs the invocations of a workgroup into waves, in the order of their local index; the last wave has the
// rest. Workgroups run one after the other, x first. The waves of a workgroup take turns at barriers, so each wave has
// scratch memory of its own.
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include "tools/proof/emulator/draw/draw.h"

namespace dovetail::emulator {

namespace {

constexpr uint32_t LdsGranule = 512;       // bytes: Mesa, ac_gpu_info.c, lds_encode_granularity
constexpr uint32_t ScratchGranule = 1024;  // bytes: Mesa, ac_get_scratch_tmpring_size
constexpr uint32_t MaxGroupThreads = 1024; // "Vega" ISA manual, section 4.3: 16 waves

struct GroupShape {
  std::array<uint32_t, 3> threads;
  uint32_t total = 0;
  uint32_t ldsBytes = 0;
};

Result<GroupShape> readShape(const HardwareRegisters &registers, uint32_t rsrc2) {
  using namespace field;
  GroupShape shape;
  uint64_t total = 1;
  for (uint32_t i = 0; i < 3; ++i) {
    uint32_t value = registerValue(registers, reg::COMPUTE_NUM_THREAD_X + i);
    shape.threads[i] = COMPUTE_NUM_THREAD_X::NUM_THREAD_FULL.get(value);
    total *= shape.threads[i];
  }
  if (total == 0 || total > MaxGroupThreads)
    return makeError(ErrorCode::StateMismatch, "COMPUTE_NUM_THREAD_X, _Y and _Z make a workgroup of {} threads", total);
  shape.total = static_cast<uint32_t>(total);
  shape.ldsBytes = COMPUTE_PGM_RSRC2::LDS_SIZE.get(rsrc2) * LdsGranule;
  return shape;
}

// LocalInvocationId of each lane of a wave, as many components as TIDIG_COMP_CNT asks for.
std::vector<std::optional<Lanes>> localIds(const GroupShape &shape, uint32_t firstThread, uint32_t lastComponent) {
  std::vector<std::optional<Lanes>> vgprs;
  for (uint32_t component = 0; component <= lastComponent; ++component) {
    Lanes lanes = {};
    for (uint32_t lane = 0; lane < WaveSize; ++lane) {
      uint32_t thread = firstThread + lane;
      if (component > 0)
        thread /= shape.threads[0];
      if (component > 1)
        thread /= shape.threads[1];
      lanes[lane] = component < 2 ? thread % shape.threads[component] : thread;
    }
    vgprs.emplace_back(lanes);
  }
  return vgprs;
}

} // namespace

Result<void> dispatch(Gpu &gpu, const Dispatch &command) {
  using namespace field;
  const HardwareRegisters &registers = command.registers;
  const uint32_t rsrc1 = registerValue(registers, reg::COMPUTE_PGM_RSRC1);
  const uint32_t rsrc2 = registerValue(registers, reg::COMPUTE_PGM_RSRC2);
  const uint32_t scratchBytes =
      COMPUTE_TMPRING_SIZE::WAVESIZE.get(registerValue(registers, reg::COMPUTE_TMPRING_SIZE)) * ScratchGranule;
  GroupShape shape = DOVETAIL_TRY(readShape(registers, rsrc2));
  WaveSetup common = DOVETAIL_TRY(makeProgramSetup(gpu, WaveStage::Cs, command.cs, rsrc1, rsrc2));
  const bool hasGroupId[] = {COMPUTE_PGM_RSRC2::TGID_X_EN.get(rsrc2) != 0, COMPUTE_PGM_RSRC2::TGID_Y_EN.get(rsrc2) != 0,
                             COMPUTE_PGM_RSRC2::TGID_Z_EN.get(rsrc2) != 0};
  const uint32_t lastComponent = std::min(COMPUTE_PGM_RSRC2::TIDIG_COMP_CNT.get(rsrc2), 2u);

  std::array<uint32_t, 3> id;
  for (id[2] = 0; id[2] < command.workgroups[2]; ++id[2])
    for (id[1] = 0; id[1] < command.workgroups[1]; ++id[1])
      for (id[0] = 0; id[0] < command.workgroups[0]; ++id[0]) {
        Workgroup group;
        group.lds.resize(shape.ldsBytes);
        // Waves refer to their setups.
        std::vector<WaveSetup> setups;
        for (uint32_t first = 0; first < shape.total; first += WaveSize) {
          WaveSetup &setup = setups.emplace_back(common);
          for (unsigned i = 0; i < 3; ++i)
            if (hasGroupId[i])
              setup.sgprs.push_back(id[i]);
          if (COMPUTE_PGM_RSRC2::TG_SIZE_EN.get(rsrc2) != 0) // [5:0] waves of the group, [11:6] number of this wave
            setup.sgprs.push_back((shape.total + WaveSize - 1) / WaveSize | first / WaveSize << 6);
          if (hasScratch(rsrc2))
            setup.sgprs.push_back(first / WaveSize * scratchBytes);
          setup.vgprs = localIds(shape, first, lastComponent);
          uint32_t lanes = std::min<uint32_t>(shape.total - first, WaveSize);
          setup.exec = lanes == WaveSize ? ~uint64_t(0) : (uint64_t(1) << lanes) - 1;
          setup.covered = setup.exec;
        }
        std::vector<Wave> waves;
        for (const WaveSetup &setup : setups)
          waves.emplace_back(gpu.generation(), gpu.memory(), group, setup);
        Result<void> ran = runWaves(gpu, waves);
        if (!ran)
          return makeError(ran.error().code, "workgroup {}, {}, {}: {}", id[0], id[1], id[2], ran.error().text);
      }
  return {};
}

} // namespace dovetail::emulator
