// SPDX-License-Identifier: MIT
#include "src/lgc/optimize/shader_attributes.h"
#include <algorithm>
#include <fmt/format.h>

using namespace llvm;
using dovetail::HardwareStage;

namespace lgc {

namespace {

// 16- and 64-bit denormals share one setting in hardware; both keep them unless one of the two modes asks for flushing.
bool flushes16And64(const CommonShaderMode &mode) {
  return mode.fp16DenormMode == FpDenormMode::FlushInOut || mode.fp64DenormMode == FpDenormMode::FlushInOut;
}

// v_mac_f32 and v_mad_f32 have full rate and always flush, so 32-bit denormals are flushed unless the shader wants
// them.
bool flushes32(const CommonShaderMode &mode) {
  return mode.fp32DenormMode != FpDenormMode::FlushNone;
}

unsigned roundBits(FpRoundMode mode) {
  switch (mode) {
  case FpRoundMode::Positive:
    return 1;
  case FpRoundMode::Negative:
    return 2;
  case FpRoundMode::Zero:
    return 3;
  default:
    return 0;
  }
}

} // namespace

uint8_t floatModeOf(const CommonShaderMode &mode) {
  unsigned round16And64 = roundBits(mode.fp16RoundMode) | roundBits(mode.fp64RoundMode);
  unsigned denormals32 = flushes32(mode) ? 0 : 3;
  unsigned denormals16And64 = flushes16And64(mode) ? 0 : 3;
  return roundBits(mode.fp32RoundMode) | round16And64 << 2 | denormals32 << 4 | denormals16And64 << 6;
}

void setShaderAttributes(Function &function, const PipelineState &state) {
  const ShaderModes &modes = state.shaderModes();
  function.setDoesNotThrow();
  function.addFnAttr("denormal-fp-math", flushes16And64(modes.common) ? "preserve-sign,preserve-sign" : "ieee,ieee");
  function.addFnAttr("denormal-fp-math-f32", flushes32(modes.common) ? "preserve-sign,preserve-sign" : "ieee,ieee");
  // Unroll more eagerly than LLVM's default for kernels: shader loops are short, and what they index is faster in
  // registers.
  function.addFnAttr("amdgpu-unroll-threshold", "700");

  if (modes.stage == ShaderStage::Compute) {
    const ComputeShaderMode &mode = modes.compute;
    unsigned size = mode.workgroupSizeX * mode.workgroupSizeY * mode.workgroupSizeZ;
    function.addFnAttr("amdgpu-flat-work-group-size", fmt::format("{},{}", size, size));
  }
  // A control shader's group is as many waves as the patches take, which is not known here: barriers must stay.
  if (modes.stage == ShaderStage::TessControl)
    function.addFnAttr("amdgpu-flat-work-group-size", "256,256");

  ShaderOptions options = state.shaderOptions(modes.stage);
  // Behind the first half of a merged program's registers, glue keeps the SGPRs that the second half needs.
  constexpr unsigned firstHalfSgprs = 80;
  bool isFirstHalf = state.hardwareStage() == HardwareStage::Ls || state.hardwareStage() == HardwareStage::Es;
  if (isFirstHalf && state.targetInfo().hasMergedStages)
    options.sgprLimit = options.sgprLimit ? std::min(options.sgprLimit, firstHalfSgprs) : firstHalfSgprs;
  if (options.vgprLimit)
    function.addFnAttr("amdgpu-num-vgpr", std::to_string(options.vgprLimit));
  if (options.sgprLimit)
    function.addFnAttr("amdgpu-num-sgpr", std::to_string(options.sgprLimit));
  if (options.waveLimit)
    function.addFnAttr("amdgpu-waves-per-eu", std::to_string(options.waveLimit));
}

} // namespace lgc
