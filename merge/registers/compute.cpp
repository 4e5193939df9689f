// SPDX-License-Identifier: MIT
//
// Sources: RADV, radv_pipeline_emit_hw_cs and radv_pipeline_emit_compute_state; LLPC, Gfx9ConfigBuilder.cpp,
// buildCsRegConfig.
#include "merge/registers/registers.h"

namespace dovetail {

void writeCompute(RegisterWriter &registers, const ImageStage &cs) {
  using namespace field;
  const ShaderInterface &interface = *cs.interface;
  auto hasWorkgroupId = [&](uint8_t dimension) { return readsValue(interface, {ValueKind::WorkgroupId, dimension}); };
  registers.set(reg::COMPUTE_PGM_RSRC1, programResources(registers, cs));
  registers.set(
      reg::COMPUTE_PGM_RSRC2,
      COMPUTE_PGM_RSRC2::SCRATCH_EN(cs.usage.scratchBytes != 0) | COMPUTE_PGM_RSRC2::USER_SGPR(cs.userSgprCount) |
          COMPUTE_PGM_RSRC2::TRAP_PRESENT(hasTrapHandler(registers, cs)) |
          COMPUTE_PGM_RSRC2::TGID_X_EN(hasWorkgroupId(0)) | COMPUTE_PGM_RSRC2::TGID_Y_EN(hasWorkgroupId(1)) |
          COMPUTE_PGM_RSRC2::TGID_Z_EN(hasWorkgroupId(2)) | COMPUTE_PGM_RSRC2::TIDIG_COMP_CNT(cs.vgprCompCount) |
          COMPUTE_PGM_RSRC2::LDS_SIZE(ldsGranules(cs.usage.ldsBytes)));
  for (unsigned i = 0; i < 3; ++i)
    registers.set(reg::COMPUTE_NUM_THREAD_X + i,
                  COMPUTE_NUM_THREAD_X::NUM_THREAD_FULL(interface.compute.workgroupSize[i]));
  registers.setUserData(cs, reg::COMPUTE_USER_DATA_0);
}

} // namespace dovetail
