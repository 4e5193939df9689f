// SPDX-License-Identifier: MIT
#include "variants/device.h"
#include "src/lgc/builder_context.h"
#include "variants/get_parts.h"
#include <llvm/IR/LLVMContext.h>
#include <string>

namespace dovetail {

namespace {

JoinTarget joinTargetOf(const lgc::TargetInfo &target) {
  JoinTarget join;
  join.gpuName = std::string(target.gpuName);
  join.elfMachine = target.elfMachine;
  join.maxSgprs = target.maxSgprs;
  join.sgprGranularity = target.sgprGranularity;
  join.vgprGranularity = target.vgprGranularity;
  join.maxUserSgprs = target.maxUserSgprs;
  join.hasMergedStages = target.hasMergedStages;
  join.tessDistribution = target.tessDistribution;
  join.needsPartialVsWavesForGs = target.needsPartialVsWavesForGs;
  join.hasLsVgprInitBug = target.hasLsVgprInitBug;
  return join;
}

std::string knownGpus() {
  std::string names;
  for (const lgc::TargetInfo &target : lgc::allTargets())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", target.gpuName);
  return names;
}

} // namespace

Device::Device(std::unique_ptr<PartMaker> partMaker)
    : m_partMaker(std::move(partMaker)), m_joinTarget(joinTargetOf(m_partMaker->target())) {}

Result<std::unique_ptr<Device>> Device::create(std::string_view gpuName) {
  if (!lgc::findTarget(gpuName))
    return makeError(ErrorCode::UnknownGpu, "GPU '{}' is not known; these are: {}", gpuName, knownGpus());
  lgc::BuilderContext::initialize();
  std::unique_ptr<PartMaker> partMaker = DOVETAIL_TRY(PartMaker::create(gpuName));
  return std::unique_ptr<Device>(new Device(std::move(partMaker)));
}

Result<VariantRef> Device::bind(const ShaderSet &shaders, const PipelineState &state, const BuildOptions &options) {
  PipelineState canonical = canonicalizeFor(shaders, state);
  VariantKey key = makeVariantKey(shaders, canonical, options);
  if (VariantRef variant = m_variants.find(key))
    return variant;
  VariantRef variant = DOVETAIL_TRY(buildVariant({*m_partMaker, m_joinTarget}, key, shaders, canonical, options));
  return m_variants.publish(std::move(variant)); // the first one wins
}

Result<std::string> Device::printIr(const ShaderSet &shaders) {
  llvm::LLVMContext llvmContext;
  std::unique_ptr<lgc::BuilderContext> context =
      DOVETAIL_TRY(lgc::BuilderContext::create(llvmContext, target().gpuName));
  std::string text;
  for (const ShaderRef &shader : shaders.shaders) {
    if (!shader)
      continue;
    ShaderSource source = sourceOf(shaders, shader->description.stage);
    lgc::CompiledShader compiled = DOVETAIL_TRY(compileShader(source, *context, {}, true));
    text += fmt::format("; {}\n{}", source.name, compiled.ir);
  }
  return text;
}

} // namespace dovetail
