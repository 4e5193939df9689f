// SPDX-License-Identifier: MIT
//
// Without this prolog, a wave has 64 invocations that follow each other along x. The compute prolog gives each wave a
// square of 8 by 8 invocations of its workgroup, and each four neighbouring lanes a square of 2 by 2. A shader that
// reads images around each invocation then finds more of them in the caches, and textures are sampled for four lanes at
// a time. (Sources: GPUOpen's FidelityFX, whose shaders remap 64 lanes so by hand; LLPC's forceCsThreadIdSwizzling, for
// which it compiles the shader anew.)
//
// Each invocation stays in its workgroup, and a workgroup in its waves. A shader can tell its lane only if it asks for
// lanes or waves; such shaders get no prolog.
#pragma once

#include "parts/kinds/around/surroundings.h"
#include "src/base/fields.h"
#include "src/state/pipeline_state.h"
#include <optional>
#include <string>
#include <string_view>

namespace dovetail {

struct ComputePrologKey {
  static constexpr PartKind Kind = PartKind::ComputeProlog;

  std::string gpuName;
  uint8_t sgprCount = 0;    // passed on from s0, as in other prologs
  uint16_t rowLength = 0;   // the workgroup's size along x, a multiple of 8
  bool passesDepth = false; // the main part reads the third id, which is passed on

  bool operator==(const ComputePrologKey &) const = default;

  // Nothing if the main part needs none.
  static Result<std::optional<ComputePrologKey>> make(const Surroundings &around);
  PartKey partKey() const;
  // "squares in rows of 16".
  std::string describe() const;
  Contract contract() const;
  unsigned vgprCount() const { return passesDepth ? 3 : 2; }
};
DOVETAIL_FIELDS(ComputePrologKey, gpuName, sgprCount, rowLength, passesDepth)

// The key of the prolog that the compute main part with this interface needs under this state. Nothing if it needs
// none: the state wants none, the workgroup is not made of squares, or the shader can tell its lane.
std::optional<ComputePrologKey> makeComputePrologKey(const ShaderInterface &main, const PipelineState &state,
                                                     std::string_view gpuName);

// The steps of the prolog.
Listing listingOf(const ComputePrologKey &key);

// The prolog as a function `amdgpu_vs {i32 × sgprCount, float × vgprCount} name(i32 inreg × sgprCount, float ×
// vgprCount)`. It is not a compute function, because LLVM's compute convention returns nothing.
llvm::Function *emitFunction(llvm::Module &module, const ComputePrologKey &key, std::string_view name);
Result<void> composeAround(lgc::HardwareFormShader &shader, const ComputePrologKey &key);

} // namespace dovetail
