// SPDX-License-Identifier: MIT
//
// Runs group after group: its ES threads, its GS threads, then the copy shader for their output. The rings are much
// smaller than a draw's data, so waves take their places in turn.
// Sources: es_gs_launch.cpp and copy_waves.cpp, Mesa's si_shader_gs and si_generate_gs_copy_shader.
#include "tools/proof/emulator/draw/waves/geometry_waves.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include "tools/proof/emulator/draw/primitives/geometry_groups.h"
#include "tools/proof/emulator/draw/primitives/geometry_output.h"
#include "tools/proof/emulator/draw/waves/copy_waves.h"
#include "tools/proof/emulator/draw/waves/es_gs_launch.h"

namespace dovetail::emulator {

Result<ShadedDraw> shadeGeometry(Gpu &gpu, const Draw &command, const FrontDraw &front) {
  const GeometryState state = DOVETAIL_TRY(readGeometryState(gpu.generation(), command.registers));
  if (front.isTessellated) {
    const bool isMerged = gpu.generation() == Generation::Gfx9;
    const uint32_t value =
        registerValue(command.registers, isMerged ? reg::SPI_SHADER_PGM_RSRC2_GS : reg::SPI_SHADER_PGM_RSRC1_ES);
    DOVETAIL_CHECK(checkTessEvalVgprs(isMerged ? field::SPI_SHADER_PGM_RSRC2_GS::ES_VGPR_COMP_CNT.get(value)
                                               : field::SPI_SHADER_PGM_RSRC1_ES::VGPR_COMP_CNT.get(value)));
  }
  CopyWaves copies = DOVETAIL_TRY(CopyWaves::make(gpu, command));
  EsGsLaunch launch = DOVETAIL_TRY(EsGsLaunch::make(gpu, command, state));
  const bool lastProvokes = command.scene.state.flatProvokingVertexLast;
  for (const GeometryGroup &group : makeGeometryGroups(state, front)) {
    std::array<StreamPrimitives, VertexStreams> streams;
    DOVETAIL_CHECK(launch.run(group, [&](const Wave &wave, uint32_t gs2VsOffset) {
      collectOutput(state, wave, gs2VsOffset, lastProvokes, streams);
    }));
    for (unsigned stream = 0; stream < VertexStreams; ++stream)
      DOVETAIL_CHECK(copies.run(stream, streams[stream]));
  }
  return copies.finish();
}

} // namespace dovetail::emulator
