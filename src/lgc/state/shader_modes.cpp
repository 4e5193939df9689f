// SPDX-License-Identifier: MIT
#include "src/lgc/state/shader_modes.h"
#include "src/lgc/state/state_fields.h"
#include "src/lgc/state/struct_metadata.h"

namespace lgc {

namespace {

constexpr char ModesMetadata[] = "lgc.shader.modes";

} // namespace

void ShaderModes::record(llvm::Module &module) const {
  writeStructMetadata(module, ModesMetadata, *this);
}

bool ShaderModes::read(const llvm::Module &module) {
  return readStructMetadata(module, ModesMetadata, *this) == StructMetadata::Good;
}

} // namespace lgc
