// SPDX-License-Identifier: MIT
//
// The registers that announce exports must not announce more than the code exports. Parameters and positions have a
// place in the hardware's caches from the start on, and the primitive assembler waits for each vector that
// PA_CL_VS_OUT_CNTL names. The components of pos1 must have the meaning that the code gives them. checkExports() checks
// each export by itself. Sources: Mesa's si_state_shaders.cpp (si_shader_vs) and radv_pipeline.c; components of pos1:
// ac_nir_to_llvm.c.
#include "merge/check/checks.h"
#include "merge/check/entry.h"
#include "src/abi/registers/registers.h"
#include <algorithm>
#include <bit>

namespace dovetail::check {

namespace {

// PA_CL_VS_OUT_CNTL.
constexpr uint32_t UsePointSize = 1u << 16, UseLayer = 1u << 18, UseViewport = 1u << 19, Miscellaneous = 1u << 21,
                   Distances0 = 1u << 22, Distances1 = 1u << 23, SideBus = 1u << 24;

struct Exported {
  unsigned parameters = 0;    // one past the last
  uint32_t positions = 0;     // a bit for each
  uint32_t miscellaneous = 0; // components of pos1
};

Exported exportsOf(const Program &program) {
  Exported exported;
  for (const isa::Instruction &inst : program.instructions) {
    if (!inst.is(isa::Exp))
      continue;
    if (inst.exportTarget >= TargetParam0)
      exported.parameters = std::max(exported.parameters, inst.exportTarget - TargetParam0 + 1u);
    else if (inst.exportTarget >= TargetPos0 && inst.exportTarget <= TargetPos3)
      exported.positions |= 1u << (inst.exportTarget - TargetPos0);
    if (inst.exportTarget == TargetPos1)
      exported.miscellaneous |= inst.exportEnable;
  }
  return exported;
}

void checkPositions(const Program &program, const Exported &exported, Defects &defects) {
  const uint32_t formats = registerValue(program.image, reg::SPI_SHADER_POS_FORMAT);
  for (unsigned i = 0; i <= TargetPos3 - TargetPos0; ++i)
    if ((formats >> (4 * i) & 15) != 0 && (exported.positions >> i & 1) == 0)
      defects.add<PositionInVain>(program.place(), i);

  const uint32_t control = registerValue(program.image, reg::PA_CL_VS_OUT_CNTL);
  const auto vectors = unsigned(std::popcount(control & (Miscellaneous | Distances0 | Distances1)));
  const auto positions = unsigned(std::popcount(exported.positions));
  if (positions != vectors + 1)
    defects.add<WrongPositionCount>(program.place(), positions, vectors + 1);
  // x: point size, z: layer, w: viewport; GFX9 has both indices in z.
  const bool isPacked = program.image.gpuName.starts_with("gfx9");
  uint32_t meant = 0;
  if (control & UsePointSize)
    meant |= 1;
  if (control & UseLayer)
    meant |= 4;
  if (control & UseViewport)
    meant |= isPacked ? 4 : 8;
  const bool hasMiscellaneous = (control & Miscellaneous) != 0;
  const uint32_t components = hasMiscellaneous ? exported.miscellaneous : 0;
  if (meant != components)
    defects.add<WrongMiscellaneous>(program.place(), components, meant);
  if (hasMiscellaneous != ((control & SideBus) != 0))
    defects.add<MiscellaneousBesideBus>(program.place());
}

} // namespace

void checkExportRegisters(const Program &program, Defects &defects) {
  if (program.stage.stage == HardwareStage::Vs) {
    const Exported exported = exportsOf(program);
    const unsigned announced = (registerValue(program.image, reg::SPI_VS_OUT_CONFIG) >> 1 & 31) + 1;
    if (announced > std::max(exported.parameters, 1u))
      defects.add<ParametersInVain>(program.place(), announced, exported.parameters);
    checkPositions(program, exported, defects);
  }
  if (program.stage.stage == HardwareStage::Ps && program.stage.fragmentExports) {
    const bool isDisabled = (registerValue(program.image, reg::DB_SHADER_CONTROL) >> 11 & 1) != 0;
    if (isDisabled == program.stage.fragmentExports->alphaToCoverage)
      defects.add<WrongAlphaToMask>(program.place(), isDisabled);
  }
}

} // namespace dovetail::check
