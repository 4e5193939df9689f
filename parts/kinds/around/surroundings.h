// SPDX-License-Identifier: MIT
//
// Prologs and epilogs stand around a main part. Each kind has a file of its own and a row in parts/part_kinds.def. A
// part's code depends on its struct KindKey alone. The struct has a list of its fields (src/base/fields.h) and these
// members:
//
//   static constexpr PartKind Kind;
//   static Result<std::optional<KindKey>> make(const Surroundings &around);   // nothing: the main part needs none
//   PartKey partKey() const;
//   std::string describe() const;                                             // in words
//   Contract contract() const;
//   void complete(Part &part) const;                                          // if more than code and contract follow
//
// Next to the struct are these functions:
//
//   Listing listingOf(const KindKey &key);                                    // the steps of the code
//   llvm::Function *emitFunction(llvm::Module &, const KindKey &, std::string_view name);
//   Result<void> composeAround(lgc::HardwareFormShader &, const KindKey &);   // puts it around a main part's function
//
// All ways to make such a part use these (parts/cache/prologs_and_epilogs.h, kinds/monolithic.h).
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

// The facts that the key of a prolog or epilog may depend on.
struct Surroundings {
  const ShaderInterface &main;
  const PipelineState &state; // canonical
  const TargetInfo &target;
  const ShaderInterface *evaluation = nullptr; // the evaluation shader of the same pipeline, if it is tessellated
};

} // namespace dovetail
