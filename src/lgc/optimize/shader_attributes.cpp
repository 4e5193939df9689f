// SPDX-License-Identifier: MIT
#include "src/lgc/optimize/shader_attributes.h"
#include <algorithm>
#include <fmt/format.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::HardwareStage;
using dovetail::makeError;
using dovetail::Result;

namespace lgc {

namespace {

// Glue keeps the registers that the second half of a merged program needs behind those of the first half. A geometry
// shader needs the most VGPRs: three pairs of vertex offsets, the primitive and the invocation.
constexpr unsigned FirstHalfSgprs = 80;
constexpr unsigned FirstHalfVgprs = 256 - 5;

// 16- and 64-bit denormals share one setting in hardware; both keep them unless one of the two modes asks for flushing.
bool flushes16And64(const CommonShaderMode &mode) {
  return mode.fp16DenormMode == FpDenormMode::FlushInOut || mode.fp64DenormMode == FpDenormMode::FlushInOut;
}

// v_mac_f32 and v_mad_f32 have full rate and always flush, so 32-bit denormals are flushed unless the shader needs
// them.
bool flushes32(const CommonShaderMode &mode) {
  return mode.fp32DenormMode != FpDenormMode::FlushNone;
}

CommonShaderMode floatModesOf(const PipelineState &state) {
  CommonShaderMode modes = state.shaderModes().common;
  if (const FpDenormMode chosen = state.shaderOptions(state.shaderModes().stage).fp32DenormMode;
      chosen != FpDenormMode::DontCare)
    modes.fp32DenormMode = chosen;
  return modes;
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

// The number of waves that a SIMD may have: "1" or "1,4".
std::string waveLimits(const ShaderOptions &options, const ShaderModes &modes) {
  constexpr uint64_t simdsOfUnit = 4; // "Vega" ISA manual, chapter 1; the same on GFX8
  const uint64_t least = std::max(options.waveLimit, 1u);
  if (modes.stage != ShaderStage::Compute || options.maxThreadGroupsPerComputeUnit == 0)
    return std::to_string(least);
  const ComputeShaderMode &mode = modes.compute;
  const uint64_t invocations = uint64_t(mode.workgroupSizeX) * mode.workgroupSizeY * mode.workgroupSizeZ;
  const uint64_t waves = (invocations + WaveLanes - 1) / WaveLanes * options.maxThreadGroupsPerComputeUnit;
  return fmt::format("{},{}", least, std::max((waves + simdsOfUnit - 1) / simdsOfUnit, least));
}

// Overrides the metadata of loops.
void forbidUnrolling(Function &function) {
  DominatorTree tree(function);
  LoopInfo loops(tree);
  for (Loop *loop : loops.getLoopsInPreorder())
    loop->setLoopAlreadyUnrolled();
}

} // namespace

uint8_t floatModeOf(const PipelineState &state) {
  const CommonShaderMode mode = floatModesOf(state);
  unsigned round16And64 = roundBits(mode.fp16RoundMode) | roundBits(mode.fp64RoundMode);
  unsigned denormals32 = flushes32(mode) ? 0 : 3;
  unsigned denormals16And64 = flushes16And64(mode) ? 0 : 3;
  return roundBits(mode.fp32RoundMode) | round16And64 << 2 | denormals32 << 4 | denormals16And64 << 6;
}

Result<void> checkShaderOptions(const PipelineState &state) {
  const ShaderModes &modes = state.shaderModes();
  const unsigned size = state.shaderOptions(modes.stage).subgroupSize;
  if (modes.common.useSubgroupSize && size != 0 && size != WaveLanes)
    return makeError(ErrorCode::Unsupported,
                     "the shader asks for gl_SubgroupSize, which cannot be {}: waves of {} have {} lanes", size,
                     state.targetInfo().gpuName, WaveLanes);
  return {};
}

void setShaderAttributes(Function &function, const PipelineState &state) {
  const ShaderModes &modes = state.shaderModes();
  const CommonShaderMode floatModes = floatModesOf(state);
  ShaderOptions options = state.shaderOptions(modes.stage);
  function.setDoesNotThrow();
  function.addFnAttr("denormal-fp-math", flushes16And64(floatModes) ? "preserve-sign,preserve-sign" : "ieee,ieee");
  function.addFnAttr("denormal-fp-math-f32", flushes32(floatModes) ? "preserve-sign,preserve-sign" : "ieee,ieee");
  if (floatModes.fp16DenormMode == FpDenormMode::FlushNone)
    function.addFnAttr("target-features", FeaturesKeepingHalfDenormals);
  function.addFnAttr("amdgpu-unroll-threshold",
                     std::to_string(options.unrollThreshold ? options.unrollThreshold : DefaultUnrollThreshold));
  if (options.disableLoopUnroll)
    forbidUnrolling(function);

  if (modes.stage == ShaderStage::Compute) {
    const ComputeShaderMode &mode = modes.compute;
    unsigned size = mode.workgroupSizeX * mode.workgroupSizeY * mode.workgroupSizeZ;
    function.addFnAttr("amdgpu-flat-work-group-size", fmt::format("{},{}", size, size));
  }
  // The number of patches decides how many waves a control shader's group has. It is not known here, so barriers must
  // stay.
  if (modes.stage == ShaderStage::TessControl)
    function.addFnAttr("amdgpu-flat-work-group-size", "256,256");

  bool isFirstHalf = state.hardwareStage() == HardwareStage::Ls || state.hardwareStage() == HardwareStage::Es;
  if (isFirstHalf && state.targetInfo().hasMergedStages) {
    auto limit = [](unsigned &option, unsigned most) { option = option ? std::min(option, most) : most; };
    limit(options.sgprLimit, FirstHalfSgprs);
    limit(options.vgprLimit, FirstHalfVgprs);
  }
  if (options.vgprLimit)
    function.addFnAttr("amdgpu-num-vgpr", std::to_string(options.vgprLimit));
  if (options.sgprLimit)
    function.addFnAttr("amdgpu-num-sgpr", std::to_string(options.sgprLimit));
  if (const std::string limits = waveLimits(options, modes); limits != "1")
    function.addFnAttr("amdgpu-waves-per-eu", limits);
}

} // namespace lgc
