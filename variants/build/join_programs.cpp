// SPDX-License-Identifier: MIT
#include "variants/build/join_programs.h"
#include <algorithm>
#include <chrono>
#include <iterator>

namespace dovetail {

namespace {

using lgc::ShaderStage;

ApiShaderHashes hashesOf(const ShaderSet &shaders) {
  constexpr std::pair<ApiStage, ShaderStage> Stages[] = {
      {ApiStage::Vertex, ShaderStage::Vertex},   {ApiStage::Hull, ShaderStage::TessControl},
      {ApiStage::Domain, ShaderStage::TessEval}, {ApiStage::Geometry, ShaderStage::Geometry},
      {ApiStage::Pixel, ShaderStage::Fragment},  {ApiStage::Compute, ShaderStage::Compute},
  };
  ApiShaderHashes hashes;
  for (auto [api, stage] : Stages)
    if (const ShaderRef &shader = shaders.shader(stage))
      hashes[unsigned(api)] = shader->hash;
  return hashes;
}

} // namespace

Result<std::shared_ptr<Variant>> joinStages(const JoinInput &input, const VariantKey &key) {
  auto variant = std::make_shared_for_overwrite<Variant>();
  variant->key = key;
  auto start = std::chrono::steady_clock::now();
  variant->image = DOVETAIL_TRY(join(input));
  variant->joinMicroseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  return variant;
}

Result<VariantRef> joinPrograms(const TargetInfo &target, const VariantKey &key, const ShaderSet &shaders,
                                std::vector<ProgramParts> programs, const PipelineState &canonicalState,
                                bool isMonolithic, bool isOptimized) {
  std::vector<PartUse> uses;
  boost::container::static_vector<StageParts, MaxStagesPerImage> stages;
  for (ProgramParts &program : programs) {
    stages.push_back(std::move(program.parts));
    std::ranges::move(program.uses, std::back_inserter(uses));
  }
  std::shared_ptr<Variant> variant =
      DOVETAIL_TRY(joinStages({{stages.data(), stages.size()}, canonicalState, target, hashesOf(shaders)}, key));
  variant->askedParts = std::move(uses);
  variant->monolithic = isMonolithic;
  variant->optimized = isOptimized;
  return variant;
}

} // namespace dovetail
