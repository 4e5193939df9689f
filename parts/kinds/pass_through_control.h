// SPDX-License-Identifier: MIT
//
// OpenGL's programs may have an evaluation shader without a control shader, but the hardware needs a control shader. So
// this file makes one, in which each invocation copies the outputs of its vertex; radeonsi does the same
// (si_create_passthrough_tcs). Patches reach the evaluation shader unchanged. The tessellation levels are state
// (GL_PATCH_DEFAULT_OUTER_LEVEL and INNER_LEVEL), which the driver gives as user data (ValueKind::DefaultTessLevel).
//
// The number of invocations is state, too: MainPartState::passThroughVertices. A list of the copied outputs takes the
// place of SPIR-V words, so the shader is named, kept and found like any other.
#pragma once

#include "src/base/error.h"
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace llvm {
class Module;
}
namespace lgc {
class Builder;
class BuilderContext;
} // namespace lgc

namespace dovetail {

struct PassedThrough {
  std::array<uint8_t, 32> components = {}; // by location, x from bit 0
  bool position = false;
  bool pointSize = false;
  uint8_t clipDistances = 0, cullDistances = 0; // numbers of distances
};

std::vector<uint32_t> encodePassedThrough(const PassedThrough &passed);

// Whether words come from encodePassedThrough(). SPIR-V and bitcode never look like that.
bool isPassedThrough(std::span<const uint32_t> words);

// The shader as this Builder makes it, for patches of this many vertices. The shader modes are left in the Builder.
// Errors: Unsupported without vertices, as in a shader that is compiled without a state.
Result<std::unique_ptr<llvm::Module>> makePassThroughControl(std::span<const uint32_t> words, unsigned vertices,
                                                             lgc::BuilderContext &context, lgc::Builder &builder);

} // namespace dovetail
