// SPDX-License-Identifier: MIT
#include "variants/assemble/join_programs.h"
#include "merge/join.h"
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

// `fill`: Result<void>(const MakeImage &).
template <typename Fill> Result<std::shared_ptr<Variant>> makeVariant(const VariantKey &key, const Fill &fill) {
  const auto start = std::chrono::steady_clock::now();
  std::shared_ptr<VariantInRoom> variant;
  DOVETAIL_CHECK(fill([&](size_t bytes) -> Image & {
    variant = makeWithRoom<VariantInRoom>(bytes);
    return variant->held.image;
  }));
  variant->key = key;
  variant->joinMicroseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  return variant;
}

} // namespace

Result<std::shared_ptr<Variant>> joinStages(const JoinInput &input, const VariantKey &key) {
  return makeVariant(key, [&](const MakeImage &make) { return join(input, make); });
}

Result<VariantRef> combineVariant(const Image &front, const Image &pixel, const VariantKey &key) {
  return makeVariant(key, [&](const MakeImage &make) { return combine(front, pixel, make); });
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
