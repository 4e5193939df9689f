// SPDX-License-Identifier: MIT
#include "src/spirv/module/names.h"
#include "src/spirv/module/visible_module.h"
#include "src/spirv/reflect/stage_modes.h"
#include "src/spirv/translate/globals.h"
#include <llvm/IR/Constants.h>

namespace dovetail::spirv {

namespace {

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
    if (DOVETAIL_TRY(takeMode(mode, modes)))
      continue;
    if (mode.mode == spv::ExecutionMode::SignedZeroInfNanPreserve)
      s.preservesSignedZero = true;
    else if (mode.mode == ModeMaximallyReconverges)
      s.reconvergesMaximally = true;
    else if (mode.mode == spv::ExecutionMode::LocalSize || mode.mode == spv::ExecutionMode::LocalSizeId)
      for (unsigned i = 0; i < 3; ++i)
        localSize[i] = mode.isId ? DOVETAIL_TRY(s.values.constantInteger(place, mode.operands[i])) : mode.operands[i];
    else
      return unsupported(place, fmt::format("execution mode {} is not supported", nameOf(mode.mode)));
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
