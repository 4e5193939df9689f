// SPDX-License-Identifier: MIT
//
// What stands around a main part: prologs and epilogs, each with a file of its own and a row in parts/part_kinds.def.
// The struct KindKey is all that a part's code depends on. It has
//
//   static constexpr PartKind Kind;
//   static Result<std::optional<KindKey>> make(const Surroundings &around);   // nothing: the main part needs none
//   PartKey partKey() const;
//   std::string describe() const;                                             // in words
//   Contract contract() const;
//   void complete(Part &part) const;                                          // if more than code and contract follow
//
// beside a list of its fields (src/base/fields.h), and beside it there are
//
//   Listing listingOf(const KindKey &key);                                    // what the code does
//   llvm::Function *emitFunction(llvm::Module &, const KindKey &, std::string_view name);
//   Result<void> composeAround(lgc::HardwareFormShader &, const KindKey &);   // puts it around a main part's function
//
// From these come all ways to make it (parts/cache/prologs_and_epilogs.h, kinds/monolithic.h).
#pragma once

#include "parts/part.h"
#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "src/state/pipeline_state.h"

namespace lgc {
struct HardwareFormShader;
} // namespace lgc

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace dovetail {

class Listing;

// What the key of a prolog or epilog may depend on.
struct Surroundings {
  const ShaderInterface &main;
  const PipelineState &state; // canonical
  const TargetInfo &target;
  const ShaderInterface *evaluation = nullptr; // the evaluation shader of the same pipeline, if it is tessellated
};

} // namespace dovetail
