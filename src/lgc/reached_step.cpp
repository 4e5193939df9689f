// SPDX-License-Identifier: MIT
#include "src/lgc/reached_step.h"
#include "src/lgc/ops/op.h"
#include "src/lgc/state/metadata_nodes.h"
#include <algorithm>
#include <array>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::makeError;
using dovetail::Result;

namespace lgc {

namespace {

constexpr char StepMetadata[] = "lgc.step";

// The steps between which a step may run. Nobody makes up for a step that is left out: a compile that goes on from a
// file begins after the last step that the module names.
struct StepRow {
  std::optional<Step> needs; // must have run on the module
  Step before;               // must not have run yet: the step itself, if it runs once
};
constexpr StepRow rowOf(Step step) {
  switch (step) {
  case Step::SetAttributes:
    return {std::nullopt, Step::SetAttributes};
  case Step::Replay:
    return {Step::SetAttributes, Step::Replay};
  case Step::FoldInlinableUniforms:
  case Step::ApplyKnowledge:
  case Step::OptimizeShader:
    return {Step::Replay, Step::CollectResources};
  case Step::CollectResources:
    return {Step::OptimizeShader, Step::CollectResources};
  case Step::LowerInOut:
    return {Step::CollectResources, Step::LowerInOut};
  case Step::LowerUserData:
    return {Step::LowerInOut, Step::LowerUserData};
  case Step::MakeEntryPoint:
    return {Step::LowerUserData, Step::MakeEntryPoint};
  case Step::OptimizeHardwareForm:
    return {Step::MakeEntryPoint, Step::OptimizeHardwareForm};
  case Step::FinishEntryPoint:
    return {Step::OptimizeHardwareForm, Step::FinishEntryPoint};
  }
  llvm_unreachable("a step without a row");
}

constexpr std::array Steps = {
#define LGC_STEP(name, passName) Step::name,
#include "src/lgc/middle_end.def"
#undef LGC_STEP
};

std::string describe(const std::optional<Step> &reached) {
  return reached ? "behind " + std::string(passNameOf(*reached)) : "as a Builder left it";
}

template <typename T> bool isMissing(const Module &module) {
  return !module.getNamedMetadata(MetadataNode<T>::Name);
}

} // namespace

Result<std::optional<Step>> reachedStep(const Module &module) {
  const NamedMDNode *node = module.getNamedMetadata(StepMetadata);
  if (!node)
    return std::optional<Step>();
  const MDNode *named = node->getNumOperands() == 1 ? node->getOperand(0) : nullptr;
  const auto *name = named && named->getNumOperands() == 1 ? dyn_cast<MDString>(named->getOperand(0)) : nullptr;
  const auto found =
      std::ranges::find_if(Steps, [&](Step step) { return name && name->getString() == StringRef(passNameOf(step)); });
  if (found == Steps.end())
    return makeError(ErrorCode::InvalidInput, "the module's {} is malformed: it names no step", StepMetadata);
  // Missing usage would count as no usage.
  if (*found >= Step::CollectResources && isMissing<ResourceUsage>(module))
    return makeError(ErrorCode::InvalidInput, "the module is {} and has no {}", describe(*found),
                     MetadataNode<ResourceUsage>::Name.str());
  if (*found >= Step::LowerInOut && isMissing<dovetail::ShaderInterface>(module))
    return makeError(ErrorCode::InvalidInput, "the module is {} and has no {}", describe(*found),
                     MetadataNode<dovetail::ShaderInterface>::Name.str());
  return std::optional(*found);
}

void recordStep(Module &module, Step step) {
  if (const Result<std::optional<Step>> reached = reachedStep(module); reached && *reached >= step)
    return;
  NamedMDNode *node = module.getOrInsertNamedMetadata(StepMetadata);
  node->clearOperands();
  LLVMContext &context = module.getContext();
  node->addOperand(MDNode::get(context, MDString::get(context, StringRef(passNameOf(step)))));
}

Result<void> checkStep(const Module &module, Step step) {
  const std::optional<Step> reached = DOVETAIL_TRY(reachedStep(module));
  const StepRow row = rowOf(step);
  if (row.needs && (!reached || *reached < *row.needs))
    return makeError(ErrorCode::InvalidInput, "{} takes a module behind {}, and this one is {}", passNameOf(step),
                     passNameOf(*row.needs), describe(reached));
  if (reached && *reached >= step && row.before == step)
    return makeError(ErrorCode::InvalidInput, "{} runs once, and this module is {}", passNameOf(step),
                     describe(reached));
  if (reached && *reached >= row.before)
    return makeError(ErrorCode::InvalidInput, "{} takes a module in front of {}, and this one is {}", passNameOf(step),
                     passNameOf(row.before), describe(reached));
  return {};
}

Result<void> checkIsRecorded(const Module &module) {
  if (const std::optional<Step> reached = DOVETAIL_TRY(reachedStep(module)))
    return makeError(ErrorCode::InvalidInput, "a shader is taken as a Builder left it, and this module is {}",
                     describe(reached));
  for (const Function &function : module)
    for (const Instruction &inst : instructions(function))
      if (const auto *call = dyn_cast<CallInst>(&inst))
        if (const OpCode code = Op::opCodeOf(call); isInternal(code))
          return makeError(ErrorCode::InvalidInput,
                           "a shader is taken as a Builder left it, and lgc.{} is an op of the middle-end's own",
                           Op::mnemonicOf(code).str());
  return {};
}

} // namespace lgc
