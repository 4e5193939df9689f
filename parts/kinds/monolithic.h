// SPDX-License-Identifier: MIT
//
// A whole hardware shader compiled as one module: the prolog's IR, the main part's and the epilog's are joined by
// inlining before the last optimisations; on GFX9 both halves of a merged program likewise. It is what states that
// change the main part itself need, and what joined code is compared with.
#pragma once

#include "parts/kinds/around/surrounding_keys.h"
#include "parts/kinds/main_part.h"

namespace dovetail {

struct MonolithicKey {
  MainPartKey main;
  Hash128 function;       // ShaderInterface::functionHash of the main part
  SurroundingKeys around; // of the parts that it stands for beside the main part

  // The function's hash stands for the knowledge: where shaders make the same use of it, the parts are the same.
  PartKey partKey() const;
};
DOVETAIL_FIELDS(MonolithicKey, main, function, around)

// The key of the monolithic part that does what the main part with this key and what stands around it do. Errors: those
// of makeSurroundingKeys().
Result<MonolithicKey> makeMonolithicKey(MainPartKey mainKey, const Surroundings &around);

// `name`: see describe() of main parts.
std::string describe(const MonolithicKey &key, std::string_view name);

// `main`: what lowerShader() makes for key.main, with this compiler. Errors: those of the compiler.
Result<Part> makeMonolithicPart(const MonolithicKey &key, lgc::HardwareFormShader main, lgc::BuilderContext &context);

// A merged program.
struct MonolithicMergedKey {
  HardwareStage stage = HardwareStage::Hs; // Hs or Gs
  MonolithicKey first;
  MonolithicKey second;
  uint32_t patchControlPoints = 0; // Hs: StageKnowledge's

  PartKey partKey() const; // as that of MonolithicKey
};
DOVETAIL_FIELDS(MonolithicMergedKey, stage, first, second, patchControlPoints)

// The float modes of both shaders must agree. Errors: those of makeMainPart, with the stage in front.
Result<Part> makeMonolithicMergedPart(const MonolithicMergedKey &key, std::span<const uint32_t> firstWords,
                                      std::span<const uint32_t> secondWords, lgc::BuilderContext &context);

} // namespace dovetail
