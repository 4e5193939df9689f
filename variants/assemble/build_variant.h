// SPDX-License-Identifier: MIT
//
// Builds a variant of shaders and a state, in named steps.
#pragma once

#include "parts/code_tier.h"
#include "src/state/pipeline_state.h"
#include "variants/shader.h"
#include "variants/state/canonicalize.h"
#include "variants/variant.h"

namespace dovetail {

class PartMaker;

struct BuildOptions {
  bool monolithic = false; // compile prolog, main and epilog of each stage as one module
  // Of the main parts of joined variants that nobody has. If it is FirstCode, a main part is LLVM's nevertheless if
  // somebody has that part, or if first code refuses the shader.
  CodeTier tier = CodeTier::Llvm;

  bool operator==(const BuildOptions &) const = default;
};

// A hash of the shaders and the layout of their root table, without names.
Hash128 hashShaders(const ShaderSet &shaders);

// `shaders`: their hashShaders().
VariantKey makeVariantKey(const Hash128 &shaders, const StateHashes &canonicalState, const BuildOptions &options);
VariantKey makeVariantKey(const Hash128 &shaders, const PipelineState &canonicalState, const BuildOptions &options);
VariantKey makeVariantKey(const ShaderSet &shaders, const PipelineState &canonicalState, const BuildOptions &options);

// Builds a variant; parts that the cache does not hold are made. Thread-safe. Errors: InvalidInput and Unsupported for
// sets of stages (stage_map.h), those of the parts (StateMismatch if state and shaders contradict each other), and
// JoinRefused.
Result<VariantRef> buildVariant(PartMaker &maker, const VariantKey &key, const ShaderSet &shaders,
                                const PipelineState &canonicalState, const BuildOptions &options);

// Tells the part store, if there is one, which parts the variant uses.
void noteParts(PartMaker &maker, const Variant &variant);

} // namespace dovetail
