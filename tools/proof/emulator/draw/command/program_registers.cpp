// SPDX-License-Identifier: MIT
//
// RSRC1 counts VGPRs in fours and SGPRs in eights, each minus one; the SGPRs include the last ones, which the hardware
// uses itself. RSRC2's fields for user SGPRs and scratch have the same bits in all stages; this file uses their names
// for VS in the table of registers. Sources: registers.def; the granules: Mesa, ac_gpu_info.c and
// radv_postprocess_config.
#include "tools/proof/emulator/draw/command/program_registers.h"
#include "src/abi/registers/registers.h"

namespace dovetail::emulator {

namespace {

constexpr unsigned VgprGranule = 4, SgprGranule = 8;
constexpr unsigned NumberedSgprs = 102;

} // namespace

uint32_t registerValue(const HardwareRegisters &registers, uint32_t address) {
  auto found = registers.find(address);
  return found == registers.end() ? 0 : found->second;
}

uint32_t steppedInstance(const HardwareRegisters &registers, uint32_t instance) {
  const uint32_t rate = registerValue(registers, reg::VGT_INSTANCE_STEP_RATE_0);
  return rate == 0 ? UndefinedValue : instance / rate;
}

Result<void> checkTessEvalVgprs(uint32_t vgprCompCount) {
  constexpr uint32_t RelPatchIdVgpr = 2;
  if (vgprCompCount < RelPatchIdVgpr)
    return makeError(ErrorCode::StateMismatch, "VGPR_COMP_CNT of an evaluation shader is {}, and may not be below {}",
                     vgprCompCount, RelPatchIdVgpr);
  return {};
}

bool hasScratch(uint32_t rsrc2) {
  return field::SPI_SHADER_PGM_RSRC2_VS::SCRATCH_EN.get(rsrc2) != 0;
}

Result<WaveSetup> makeProgramSetup(const Gpu &gpu, WaveStage stage, const HardwareProgram &program, uint32_t rsrc1,
                                   uint32_t rsrc2) {
  using namespace field;
  WaveSetup setup;
  setup.stage = stage;
  setup.address = program.address;
  setup.vgprCount = (PGM_RSRC1::VGPRS.get(rsrc1) + 1) * VgprGranule;
  // The hardware uses the last allocated SGPRs itself.
  const unsigned allocated = (PGM_RSRC1::SGPRS.get(rsrc1) + 1) * SgprGranule;
  setup.sgprCount = std::min(allocated - std::min(allocated, gpu.reservedSgprs), NumberedSgprs);
  setup.floatMode = uint8_t(PGM_RSRC1::FLOAT_MODE.get(rsrc1));
  setup.dx10Clamp = PGM_RSRC1::DX10_CLAMP.get(rsrc1) != 0;
  setup.ieeeMode = PGM_RSRC1::IEEE_MODE.get(rsrc1) != 0;
  setup.partEnds = &program.partEnds;
  setup.codeEnd = program.codeEnd;
  setup.mayReadUndefined = program.mayReadUndefined;

  unsigned userSgprs = SPI_SHADER_PGM_RSRC2_VS::USER_SGPR.get(rsrc2) | SPI_SHADER_PGM_RSRC2_VS::USER_SGPR_MSB.get(rsrc2)
                                                                           << 5;
  if (userSgprs != program.userSgprs.size())
    return makeError(ErrorCode::StateMismatch, "RSRC2 announces {} user SGPRs, but {} are given", userSgprs,
                     program.userSgprs.size());
  if (userSgprs > setup.sgprCount)
    return makeError(ErrorCode::StateMismatch, "{} user SGPRs do not fit into {} allocated SGPRs", userSgprs,
                     setup.sgprCount);
  for (uint32_t value : program.userSgprs)
    setup.sgprs.push_back(value);
  return setup;
}

} // namespace dovetail::emulator
