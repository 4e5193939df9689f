// SPDX-License-Identifier: MIT
#include "variants/build/join_programs.h"
#include "merge/combine.h"
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

// `make`: Result<ImageRef>().
template <typename Make> Result<std::shared_ptr<Variant>> makeVariant(const VariantKey &key, const Make &make) {
  auto variant = std::make_shared_for_overwrite<Variant>();
  variant->key = key;
  auto start = std::chrono::steady_clock::now();
  variant->image = DOVETAIL_TRY(make());
  variant->joinMicroseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  return variant;
}

} // namespace

Result<std::shared_ptr<Variant>> joinStages(const JoinInput &input, const VariantKey &key) {
  return makeVariant(key, [&] { return join(input); });
}

Result<VariantRef> combineVariant(const Image &front, const Image &pixel, const VariantKey &key) {
  return makeVariant(key, [&] { return combine(front, pixel); });
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
  std::shared_ptr<Variant> variant = DOVETAIL_TRY(
      joinStages({{stages.data(), stages.size()}, canonicalState, target, hashesOf(shaders), shaders.layout}, key));
  variant->askedParts = std::move(uses);
  variant->monolithic = isMonolithic;
  variant->optimized = isOptimized;
  return variant;
}

} // namespace dovetail
