// SPDX-License-Identifier: MIT
//
// A whole hardware shader compiled as one module: the prolog's IR, the main part's and the epilog's are joined by
// inlining before the last optimisations. It is what states that change the main part itself need, and what joined code
// is compared with.
#pragma once

#include "parts/fragment_epilog.h"
#include "parts/main_part.h"
#include "parts/vertex_prolog.h"
#include <optional>

namespace dovetail {

struct MonolithicKey {
  MainPartKey main;
  // The parts that it stands for beside the main part.
  std::optional<VertexPrologKey> prolog;
  std::optional<FragmentEpilogKey> epilog;

  PartKey partKey() const;
};

// The key of the monolithic part that does what the main part with this interface and its prolog or epilog do under
// this state. Errors: those of the prolog's and the epilog's keys.
Result<MonolithicKey> makeMonolithicKey(MainPartKey mainKey, const ShaderInterface &main, const PipelineState &state);

// Errors: those of makeMainPart.
Result<Part> makeMonolithicPart(const ShaderSource &source, const MonolithicKey &key, lgc::BuilderContext &context);

} // namespace dovetail
