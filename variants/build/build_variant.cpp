// SPDX-License-Identifier: MIT
//
// The build of a joined variant has two halves. The first finds or makes parts: main parts from their shaders, then
// prologs and epilogs, whose keys follow from the state and from what the main parts say about themselves. The second
// half joins what the first found, and no compiler runs in it.
#include "variants/build/build_variant.h"
#include "gfx9-merged/stage_map.h"
#include "src/lgc/ops/op_types.h"
#include "variants/build/canonicalize.h"
#include "variants/build/check_topology.h"
#include "variants/build/get_parts.h"
#include "variants/build/join_programs.h"
#include <algorithm>

namespace dovetail {

namespace {

using lgc::ShaderStage;

// Of GL's colours, as the fragment shader was described.
bool hasColorInputs(const ShaderSet &shaders) {
  const ShaderRef &fragment = shaders.shader(ShaderStage::Fragment);
  return fragment && std::ranges::any_of(fragment->description.colorInputs, [](const lgc::ColorInputLocations &color) {
           return color.front != lgc::ColorInputLocations::None;
         });
}

// The last shader in front of the rasteriser; nullptr for compute shaders.
const spirv::Reflection *lastVertexShader(const ShaderSet &shaders) {
  for (ShaderStage stage : {ShaderStage::Geometry, ShaderStage::TessEval, ShaderStage::Vertex})
    if (const spirv::Reflection *reflection = shaders.reflection(stage))
      return reflection;
  return nullptr;
}

// How many clip distances it may write.
unsigned clipDistanceCount(const spirv::Reflection &shader) {
  constexpr uint32_t clipDistance = uint32_t(lgc::BuiltIn::ClipDistance);
  unsigned count = 0;
  for (const spirv::BuiltInVariable &variable : shader.builtIns)
    if (variable.builtIn == clipDistance && variable.isOutput)
      count = std::max(count, variable.elements);
  return std::min(count, 8u);
}

} // namespace

PipelineState canonicalizeFor(const ShaderSet &shaders, const PipelineState &state) {
  PipelineState canonical =
      canonicalize(state, shaders.reflection(ShaderStage::Vertex), shaders.reflection(ShaderStage::Fragment));
  if (!shaders.shader(ShaderStage::TessControl)) {
    canonical.patchControlPoints = PipelineState().patchControlPoints;
    canonical.tessellationDomainLowerLeft = false;
  }
  const spirv::Reflection *last = lastVertexShader(shaders);
  canonical.clipDistanceEnable |= uint8_t(0xff << (last ? clipDistanceCount(*last) : 0)); // of those there are not
  if (!last || std::ranges::none_of(last->xfbStrides, [](uint32_t stride) { return stride != 0; }))
    canonical.transformFeedbackEnable = true;
  if (!hasColorInputs(shaders)) {
    canonical.colorTwoSide = false;
    canonical.flatShadeColors = false;
  }
  return canonical;
}

Hash128 hashShaders(const ShaderSet &shaders) {
  Hasher hasher;
  for (const ShaderRef &shader : shaders.shaders)
    hasher.add(shader ? shader->hash : Hash128());
  hasher.add(shaders.userDataNodes.size());
  for (const lgc::UserDataNode &node : shaders.userDataNodes) {
    hasher.add(node.type).add(node.set).add(node.binding);
    hasher.add(node.offsetInDwords).add(node.sizeInDwords).add(node.strideInDwords);
  }
  return hasher.finish();
}

VariantKey makeVariantKey(const Hash128 &shaders, const PipelineState &canonicalState, const BuildOptions &options) {
  return {Hasher().add(shaders).add(hashState(canonicalState)).add(options.monolithic).finish()};
}

VariantKey makeVariantKey(const ShaderSet &shaders, const PipelineState &canonicalState, const BuildOptions &options) {
  return makeVariantKey(hashShaders(shaders), canonicalState, options);
}

Result<VariantRef> buildVariant(PartMaker &maker, const VariantKey &key, const ShaderSet &shaders,
                                const PipelineState &canonicalState, const BuildOptions &options) {
  StageMap stages = DOVETAIL_TRY(mapStages(shaders.stageMask(), maker.target().hasMergedStages));
  DOVETAIL_CHECK(checkTopology(shaders, canonicalState));

  // Beyond this point, it is known which hardware programs there are.
  std::vector<ProgramParts> programs =
      DOVETAIL_TRY(options.monolithic ? getMonolithicParts(maker, stages, shaders, canonicalState)
                                      : getJoinableParts(maker, stages, shaders, canonicalState));

  // Beyond this point, no compiler runs.
  VariantRef variant =
      DOVETAIL_TRY(joinPrograms(maker.target(), key, std::move(programs), canonicalState, options.monolithic));
  noteParts(maker, *variant);
  return variant;
}

void noteParts(PartMaker &maker, const Variant &variant) {
  const std::shared_ptr<PartStore> &store = maker.cache().store();
  if (!store)
    return;
  boost::container::static_vector<PartKey, MaxImageParts> keys;
  for (const PartUse &use : variant.parts)
    keys.push_back(use.part->key);
  store->noteVariant(variant.key.hash, {keys.data(), keys.size()});
}

} // namespace dovetail
