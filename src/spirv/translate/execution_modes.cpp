// SPDX-License-Identifier: MIT
#include "src/spirv/translate/execution_modes.h"
#include "src/spirv/module/names.h"
#include "src/spirv/module/newer_instructions.h"
#include "src/spirv/reflect/stage_modes.h"
#include <llvm/IR/Constants.h>

namespace dovetail::spirv {

namespace {

lgc::FpDenormMode &denormMode(lgc::CommonShaderMode &mode, uint32_t width) {
  return width == 16 ? mode.fp16DenormMode : width == 64 ? mode.fp64DenormMode : mode.fp32DenormMode;
}

lgc::FpRoundMode &roundMode(lgc::CommonShaderMode &mode, uint32_t width) {
  return width == 16 ? mode.fp16RoundMode : width == 64 ? mode.fp64RoundMode : mode.fp32RoundMode;
}

// The hardware's limit, and Vulkan's usual one.
constexpr uint64_t MaxWorkgroupInvocations = 1024;

} // namespace

Result<void> translateExecutionModes(Services &s) {
  lgc::ShaderModes &modes = s.builder.shaderModes();
  modes = {};
  modes.stage = s.options.stage;
  Instruction place; // for error texts
  std::array<uint64_t, 3> localSize = {1, 1, 1};

  for (const ExecutionMode &mode : s.module.executionModes) {
    if (mode.function != s.entry.function)
      continue;
    place.opcode = mode.isId ? spv::Op::OpExecutionModeId : spv::Op::OpExecutionMode;
    place.wordOffset = mode.wordOffset;
    if (DOVETAIL_TRY(takeStageMode(mode, modes)))
      continue;
    if (mode.mode == ModeQuadDerivatives) // derivatives always ask for whole quads
      continue;
    if (mode.mode == ModeRequireFullQuads) {
      modes.fragment.requireFullQuads = true;
      continue;
    }
    if (mode.mode == ModeMaximallyReconverges) {
      s.reconvergesMaximally = true;
      continue;
    }
    switch (mode.mode) {
    case spv::ExecutionMode::LocalSize:
      for (unsigned i = 0; i < 3; ++i)
        localSize[i] = mode.operands[i];
      break;
    case spv::ExecutionMode::LocalSizeId:
      for (unsigned i = 0; i < 3; ++i)
        localSize[i] = DOVETAIL_TRY(s.values.constantInteger(place, mode.operands[i]));
      break;
    case spv::ExecutionMode::PixelCenterInteger:
      modes.fragment.pixelCenterInteger = true;
      break;
    case spv::ExecutionMode::OriginUpperLeft:
    case spv::ExecutionMode::StencilRefReplacingEXT: // the output has the same information
      break;
    case spv::ExecutionMode::OriginLowerLeft:
      modes.fragment.originLowerLeft = true;
      break;
    case spv::ExecutionMode::EarlyFragmentTests:
      modes.fragment.earlyFragmentTests = true;
      break;
    case spv::ExecutionMode::DepthReplacing:
      modes.fragment.depthReplacing = true;
      break;
    case spv::ExecutionMode::DepthGreater:
      modes.fragment.conservativeDepth = lgc::ConservativeDepth::GreaterEqual;
      break;
    case spv::ExecutionMode::DepthLess:
      modes.fragment.conservativeDepth = lgc::ConservativeDepth::LessEqual;
      break;
    case spv::ExecutionMode::DepthUnchanged:
      modes.fragment.conservativeDepth = lgc::ConservativeDepth::Unchanged;
      break;
    case spv::ExecutionMode::PixelInterlockOrderedEXT:
    case spv::ExecutionMode::PixelInterlockUnorderedEXT:
      modes.fragment.interlock = FragmentInterlock::Pixel;
      break;
    case spv::ExecutionMode::SampleInterlockOrderedEXT:
    case spv::ExecutionMode::SampleInterlockUnorderedEXT:
      modes.fragment.interlock = FragmentInterlock::Sample;
      break;
    case spv::ExecutionMode::DenormPreserve:
      denormMode(modes.common, mode.operands[0]) = lgc::FpDenormMode::FlushNone;
      break;
    case spv::ExecutionMode::DenormFlushToZero:
      denormMode(modes.common, mode.operands[0]) = lgc::FpDenormMode::FlushInOut;
      break;
    case spv::ExecutionMode::RoundingModeRTE:
      roundMode(modes.common, mode.operands[0]) = lgc::FpRoundMode::Even;
      break;
    case spv::ExecutionMode::RoundingModeRTZ:
      roundMode(modes.common, mode.operands[0]) = lgc::FpRoundMode::Zero;
      break;
    case spv::ExecutionMode::SignedZeroInfNanPreserve:
      s.preservesSignedZero = true;
      break;
    case spv::ExecutionMode::DerivativeGroupQuadsNV:
      modes.compute.derivativeGroupQuads = true;
      break;
    case spv::ExecutionMode::SubgroupUniformControlFlowKHR:
    case spv::ExecutionMode::DerivativeGroupLinearNV: // derivatives are always taken like this: four lanes in a row
      break;
    default:
      return unsupported(place, fmt::format("execution mode {} is not supported", nameOf(mode.mode)));
    }
  }

  // The built-in WorkgroupSize, a constant, wins over LocalSize.
  for (const Instruction &inst : s.module.globals) {
    std::optional<uint32_t> builtIn = s.declarations.decoration(inst.result, spv::Decoration::BuiltIn);
    if (!builtIn || static_cast<spv::BuiltIn>(*builtIn) != spv::BuiltIn::WorkgroupSize ||
        inst.opcode == spv::Op::OpVariable)
      continue;
    place = inst;
    const IdValue *bound = s.values.find(inst.result);
    auto *vector = bound ? llvm::dyn_cast_or_null<llvm::Constant>(bound->value) : nullptr;
    for (unsigned i = 0; i < 3; ++i) {
      auto *size = vector ? llvm::dyn_cast_or_null<llvm::ConstantInt>(vector->getAggregateElement(i)) : nullptr;
      if (!size)
        return unsupported(inst, "a workgroup size that is not a known constant is not supported");
      localSize[i] = size->getZExtValue();
    }
  }

  if (s.options.stage == lgc::ShaderStage::Compute) {
    for (uint64_t size : localSize) {
      if (size == 0 || size > MaxWorkgroupInvocations)
        return unsupported(place, fmt::format("a workgroup of {} x {} x {} invocations is not supported", localSize[0],
                                              localSize[1], localSize[2]));
    }
    if (localSize[0] * localSize[1] * localSize[2] > MaxWorkgroupInvocations)
      return unsupported(place, fmt::format("a workgroup of {} x {} x {} invocations is not supported (at most {})",
                                            localSize[0], localSize[1], localSize[2], MaxWorkgroupInvocations));
  }
  if (modes.compute.derivativeGroupQuads && (localSize[0] % 2 != 0 || localSize[1] % 2 != 0))
    return makeError(ErrorCode::InvalidInput,
                     "a workgroup of {} x {} x {} invocations has no whole quads, which DerivativeGroupQuads asks for",
                     localSize[0], localSize[1], localSize[2]);
  modes.compute.workgroupSizeX = localSize[0];
  modes.compute.workgroupSizeY = localSize[1];
  modes.compute.workgroupSizeZ = localSize[2];
  return {};
}

} // namespace dovetail::spirv
