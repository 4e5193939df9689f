// SPDX-License-Identifier: MIT
#include "merge/registers/registers.h"
#include <algorithm>

namespace dovetail {

void RegisterWriter::setUserData(const ImageStage &stage, uint32_t firstAddress) {
  for (unsigned i = 0; i < stage.userSgprCount; ++i)
    set(firstAddress + i, stage.userDataMap[i]);
}

namespace {

// Whether a shader of the program asks for an option. The copy shader asks for what its geometry shader asks for.
bool asksFor(bool ShaderInterface::*option, const RegisterWriter &registers, const ImageStage &stage) {
  const ImageStage &asking = stage.stage == HardwareStage::Vs && registers.gs ? *registers.gs : stage;
  const ShaderInterface *first = &asking == &stage ? stage.firstInterface : nullptr;
  return asking.interface->*option || (first && first->*option);
}

} // namespace

bool hasTrapHandler(const RegisterWriter &registers, const ImageStage &stage) {
  return asksFor(&ShaderInterface::trapPresent, registers, stage);
}

// RSRC1 counts VGPRs in granules. It counts SGPRs in eights on all chips; GFX8 and GFX9 allocate two such eights at a
// time. Source: Mesa, radv_postprocess_config; ac_gpu_info.c, sgpr_alloc_granularity.
uint32_t programResources(const RegisterWriter &registers, const ImageStage &stage) {
  constexpr unsigned SgprUnit = 8;
  const TargetInfo &target = registers.target;
  const Usage &usage = stage.usage;
  unsigned vgprGranules = (std::max<unsigned>(usage.vgprs, 1) + target.vgprGranularity - 1) / target.vgprGranularity;
  unsigned sgprGranules = (std::max<unsigned>(usage.sgprs, 1) + target.sgprGranularity - 1) / target.sgprGranularity;
  using namespace field::PGM_RSRC1;
  return VGPRS(vgprGranules - 1) | SGPRS(sgprGranules * target.sgprGranularity / SgprUnit - 1) |
         FLOAT_MODE(usage.floatMode) | DX10_CLAMP(usage.dx10Clamp) |
         DEBUG_MODE(asksFor(&ShaderInterface::debugMode, registers, stage)) | IEEE_MODE(usage.ieeeMode);
}

uint32_t ldsGranules(uint32_t bytes) {
  return (bytes + LdsGranuleBytes - 1) / LdsGranuleBytes;
}

bool readsValue(const ShaderInterface &interface, const ValueName &value) {
  return std::ranges::find(interface.inputs, value, &Binding::value) != interface.inputs.end();
}

void writeRegisters(const PipelineState &state, const TargetInfo &target, Image &image) {
  RegisterWriter registers(state, target, image);
  if (const ImageStage *cs = image.findStage(HardwareStage::Cs))
    writeCompute(registers, *cs);
  if (const ImageStage *vs = image.findStage(HardwareStage::Vs)) {
    writeFrontEnd(registers, *vs);
    writeVertex(registers, *vs);
    if (registers.hs)
      writeTessellation(registers, *registers.hs);
    if (registers.gs)
      writeGeometry(registers, *registers.gs);
    image.firstPixelRegister = uint32_t(registers.values().size());
    if (const ImageStage *ps = image.findStage(HardwareStage::Ps))
      writePixel(registers, *vs, *ps);
  }
  image.registers.resize(registers.values().size());
  std::copy_n(registers.values().data(), registers.values().size(), image.registers.data());
}

} // namespace dovetail
