// SPDX-License-Identifier: MIT
//
// The build of a joined variant has two halves. The first half finds or makes parts: main parts from their shaders,
// then prologs and epilogs, whose keys follow from the state and from the main parts' interfaces. The second half joins
// these parts; no compiler runs in it.
#include "variants/assemble/build_variant.h"
#include "gfx9-merged/stage_map.h"
#include "parts/kinds/main_part.h"
#include "src/base/field_bytes.h"
#include "variants/assemble/get_parts.h"
#include "variants/assemble/join_programs.h"
#include "variants/state/check_state.h"
#include <boost/container/static_vector.hpp>

namespace dovetail {

Hash128 hashShaders(const ShaderSet &shaders) {
  FieldWriter bytes;
  for (const ShaderRef &shader : shaders.shaders)
    bytes.add(shader ? shader->hash : Hash128());
  return bytes.add(shaders.userDataNodes()).add(shaders.immutableSamplers()).hash();
}

VariantKey makeVariantKey(const Hash128 &shaders, const PipelineState &canonicalState, const BuildOptions &options) {
  return makeVariantKey(shaders, hashState(canonicalState), options);
}

VariantKey makeVariantKey(const Hash128 &shaders, const StateHashes &canonicalState, const BuildOptions &options) {
  FieldWriter bytes;
  bytes.add(shaders).add(canonicalState.vertexInput).add(canonicalState.colorOutput).add(canonicalState.rest);
  return {bytes.add(options.monolithic).add(options.tier).hash()};
}

VariantKey makeVariantKey(const ShaderSet &shaders, const PipelineState &canonicalState, const BuildOptions &options) {
  return makeVariantKey(hashShaders(shaders), canonicalState, options);
}

Result<VariantRef> buildVariant(PartMaker &maker, const VariantKey &key, const ShaderSet &shaders,
                                const PipelineState &canonicalState, const BuildOptions &options) {
  StageMap stages = DOVETAIL_TRY(mapStages(shaders.stageMask(), maker.target().hasMergedStages));
  DOVETAIL_CHECK(checkTopology(shaders, canonicalState));

  // Beyond this point, the hardware programs are known.
  std::vector<ProgramParts> programs =
      DOVETAIL_TRY(options.monolithic ? getMonolithicParts(maker, stages, shaders, canonicalState)
                                      : getJoinableParts(maker, stages, shaders, canonicalState, options.tier));

  // Beyond this point, no compiler runs.
  return joinPrograms(maker.target(), key, shaders, std::move(programs), canonicalState, options.monolithic);
}

void noteParts(PartMaker &maker, const Variant &variant) {
  const std::shared_ptr<PartStore> &store = maker.cache().store();
  if (!store)
    return;
  boost::container::static_vector<PartKey, MaxImageParts> keys;
  for (const ImagePart &placed : variant.image->parts)
    keys.push_back(placed.part->key);
  store->noteVariant(variant.key.hash, {keys.data(), keys.size()});
}

} // namespace dovetail
