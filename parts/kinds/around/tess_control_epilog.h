// SPDX-License-Identifier: MIT
//
// The tessellation control epilog hands the tessellation factors of each patch to the tessellator, through the
// tess-factor buffer. If the evaluation shader reads the factors, the epilog also stores them in the off-chip buffer.
// The evaluation shader decides how many factors a patch has and who reads them, so the control main part leaves this
// to the epilog.
//
// The factors are in LDS, where any invocation may have written them, or in VGPRs of invocation 0 if the main part
// knows that all writes are equal. The first invocation of each patch writes, so factors in LDS must have arrived. If
// all invocations of a patch are in one wave, they have, because LDS instructions of a wave are executed in order.
// Otherwise the waves of the group wait for each other.
//
// Tess-factor buffer, from TessFactorOffset on: for each patch its outer, then its inner factors: 2 dwords for isolines
// (the second factor first), 4 for triangles, 6 for quads. GFX8 wants the HS control word 0x80000000 in front of the
// group's first patch.
#pragma once

#include "parts/kinds/around/surroundings.h"
#include "src/abi/interface/interface_fields.h"
#include "src/abi/interface/tessellation.h"
#include "src/abi/target_info.h"
#include "src/base/error.h"
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace dovetail {

struct TessControlEpilogKey {
  static constexpr PartKind Kind = PartKind::TessControlEpilog;

  std::string gpuName;
  std::vector<Binding> inputs; // the main part's outputs
  TessPrimitive primitive = TessPrimitive::Triangles;
  bool factorsInLds = true;
  bool needsBarrier = false; // only with factors in LDS
  bool evaluationReadsFactors = false;
  bool writesControlWord = false;

  bool operator==(const TessControlEpilogKey &) const = default;

  // Every control main part needs one. Errors: those of makeTessControlEpilogKey(); Internal without an evaluation
  // shader.
  static Result<std::optional<TessControlEpilogKey>> make(const Surroundings &around);
  PartKey partKey() const;
  // "triangles, factors in LDS, barrier, factors also off-chip".
  std::string describe() const;
  Contract contract() const;
};
DOVETAIL_FIELDS(TessControlEpilogKey, gpuName, inputs, primitive, factorsInLds, needsBarrier, evaluationReadsFactors,
                writesControlWord)

// The key of the epilog that the control main part with this interface needs in front of this evaluation shader.
// Errors: StateMismatch if neither shader declares the primitives; Internal if the main part does not hand on a value
// that the epilog needs.
Result<TessControlEpilogKey> makeTessControlEpilogKey(const ShaderInterface &main, const ShaderInterface &evaluation,
                                                      const TargetInfo &target);

// The steps of the epilog.
Listing listingOf(const TessControlEpilogKey &key);

// The epilog as a function `amdgpu_vs void name(i32 inreg × SGPR inputs, i32 × VGPR inputs)`.
llvm::Function *emitFunction(llvm::Module &module, const TessControlEpilogKey &key, std::string_view name);
Result<void> composeAround(lgc::HardwareFormShader &shader, const TessControlEpilogKey &key);

} // namespace dovetail
