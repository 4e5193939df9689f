// SPDX-License-Identifier: MIT
//
// A whole hardware shader compiled as one module. The IR of the prolog, the main part and the epilog is put together by
// inlining before the last optimisations; on GFX9, so are both halves of a merged program. States that change the main
// part itself need monolithic code, and joined code is compared with it.
#pragma once

#include "parts/kinds/around/surrounding_keys.h"
#include "parts/kinds/main_part.h"

namespace dovetail {

struct MonolithicKey {
  MainPartKey main;
  Hash128 function;       // ShaderInterface::functionHash of the main part
  SurroundingKeys around; // the keys of the prologs and epilogs that it includes

  // Knowledge is left out, because the function's hash covers it: shaders that make the same use of it share a part.
  PartKey partKey() const;
};
DOVETAIL_FIELDS(MonolithicKey, main, function, around)

// The key of the monolithic part that includes the main part with this key and its surroundings. Errors: those of
// makeSurroundingKeys().
Result<MonolithicKey> makeMonolithicKey(MainPartKey mainKey, const Surroundings &around);

// `name`: see describe() of main parts.
std::string describe(const MonolithicKey &key, std::string_view name);

// `main`: the result of lowerShader() for key.main, with this compiler. Errors: those of the compiler.
Result<Part> makeMonolithicPart(const MonolithicKey &key, lgc::HardwareFormShader main, lgc::BuilderContext &context);

// The key of a monolithic merged program.
struct MonolithicMergedKey {
  HardwareStage stage = HardwareStage::Hs; // Hs or Gs
  MonolithicKey first;
  MonolithicKey second;
  uint32_t patchControlPoints = 0; // Hs: from StageKnowledge

  PartKey partKey() const; // as that of MonolithicKey
};
DOVETAIL_FIELDS(MonolithicMergedKey, stage, first, second, patchControlPoints)

// The float modes of both shaders must agree. Errors: those of makeMainPart, with the stage in front.
Result<Part> makeMonolithicMergedPart(const MonolithicMergedKey &key, std::span<const uint32_t> firstWords,
                                      std::span<const uint32_t> secondWords, lgc::BuilderContext &context);

} // namespace dovetail
