// SPDX-License-Identifier: MIT
//
// A whole hardware shader compiled as one module: the prolog's IR, the main part's and the epilog's are joined by
// inlining before the last optimisations; on GFX9 both halves of a merged program likewise. It is what states that
// change the main part itself need, and what joined code is compared with.
#pragma once

#include "parts/kinds/compute_prolog.h"
#include "parts/kinds/fragment_epilog.h"
#include "parts/kinds/fragment_prolog.h"
#include "parts/kinds/geometry_prolog.h"
#include "parts/kinds/main_part.h"
#include "parts/kinds/tess_control_epilog.h"
#include "parts/kinds/vertex_prolog.h"
#include <optional>

namespace dovetail {

struct MonolithicKey {
  MainPartKey main;
  Hash128 function; // ShaderInterface::functionHash of the main part
  // The parts that it stands for beside the main part.
  std::optional<VertexPrologKey> prolog;
  std::optional<GeometryPrologKey> geometryProlog;
  std::optional<TessControlEpilogKey> tessControlEpilog;
  std::optional<FragmentPrologKey> fragmentProlog;
  std::optional<FragmentEpilogKey> epilog;
  std::optional<ComputePrologKey> computeProlog;

  // The function's hash stands for the knowledge: where shaders make the same use of it, the parts are the same.
  PartKey partKey() const;
};
DOVETAIL_FIELDS(MonolithicKey, main, function, prolog, geometryProlog, tessControlEpilog, fragmentProlog, epilog,
                computeProlog)

// The key of the monolithic part that does what the main part with this interface and its prolog or epilog do under
// this state. `evaluation`: the evaluation shader of the same pipeline, if it is tessellated. Errors: those of the
// prolog's and the epilog's keys.
Result<MonolithicKey> makeMonolithicKey(MainPartKey mainKey, const ShaderInterface &main, const PipelineState &state,
                                        const TargetInfo &target, const ShaderInterface *evaluation = nullptr);

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
