// SPDX-License-Identifier: MIT
//
// Up to GFX9, the hardware assembles the odd triangles of a strip with adjacency in the order of the first vertex
// convention, whatever convention is set. The geometry prolog puts these vertices into the API's order: in the last
// vertex convention (and in GL), the vertex in place i belongs in place (i + 2) % 6. All else is left in its place.
//
// Sources: radeonsi's tri_strip_adj_fix, for GL. Like this prolog, it goes by the parity of the primitive's number, so
// both are wrong after a primitive restart that follows an odd number of triangles. RADV uses Vulkan's first vertex
// convention and needs no such fix.
#pragma once

#include "parts/kinds/around/surroundings.h"
#include "src/base/fields.h"
#include "src/state/pipeline_state.h"
#include <optional>
#include <string>
#include <string_view>

namespace dovetail {

struct GeometryPrologKey {
  static constexpr PartKind Kind = PartKind::GeometryProlog;

  std::string gpuName;
  uint8_t sgprCount = 0; // passed on from s0: user data and system values, rounded up so that shaders share prologs

  bool operator==(const GeometryPrologKey &) const = default;

  // Nothing if the main part needs none.
  static Result<std::optional<GeometryPrologKey>> make(const Surroundings &around);
  PartKey partKey() const;
  // "triangle strip with adjacency".
  std::string describe() const;
  Contract contract() const;
};
DOVETAIL_FIELDS(GeometryPrologKey, gpuName, sgprCount)

// How many hardware VGPRs a geometry main part is launched with.
constexpr unsigned GeometryVgprCount = 8;

// The key of the prolog that the geometry main part with this interface needs under this state; nothing if it needs
// none. `tessellated`: the input comes from an evaluation shader, which makes no strips.
std::optional<GeometryPrologKey> makeGeometryPrologKey(const ShaderInterface &main, bool tessellated,
                                                       const PipelineState &state, std::string_view gpuName);

// The steps of the prolog.
Listing listingOf(const GeometryPrologKey &key);

// The prolog as a function `amdgpu_vs {i32 × sgprCount, float × 8} name(i32 inreg × sgprCount, float × 8)`.
llvm::Function *emitFunction(llvm::Module &module, const GeometryPrologKey &key, std::string_view name);
Result<void> composeAround(lgc::HardwareFormShader &shader, const GeometryPrologKey &key);

} // namespace dovetail
