// SPDX-License-Identifier: MIT
//
// OpenGL's programs may have an evaluation shader without a control shader. Patches then go to the evaluation shader as
// they are, and the tessellation levels are state (GL_PATCH_DEFAULT_OUTER_LEVEL and INNER_LEVEL), which the driver
// gives as user data (ValueKind::DefaultTessLevel). The hardware cannot do without a control shader, so one is made up.
// Each invocation copies the outputs of its vertex; radeonsi does the same (si_create_passthrough_tcs).
//
// How many invocations there are is state, too: MainPartState::passThroughVertices. What is copied takes the place of
// SPIR-V words, so the shader is named, kept and found like any other.
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
class BuilderContext;
}

namespace dovetail {

struct PassedThrough {
  std::array<uint8_t, 32> components = {}; // by location, x from bit 0
  bool position = false;
  bool pointSize = false;
  uint8_t clipDistances = 0, cullDistances = 0; // how many
};

std::vector<uint32_t> encodePassedThrough(const PassedThrough &passed);

// Whether words are what encodePassedThrough() gives. No SPIR-V and no bitcode is.
bool isPassedThrough(std::span<const uint32_t> words);

// The shader as a Builder records it, for patches of so many vertices. Errors: Unsupported without vertices, because a
// shader that was compiled without a state has none.
Result<std::unique_ptr<llvm::Module>> makePassThroughControl(std::span<const uint32_t> words, unsigned vertices,
                                                             lgc::BuilderContext &context);

} // namespace dovetail
