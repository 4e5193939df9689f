// SPDX-License-Identifier: MIT
#include "src/lgc/state/shader_modes.h"
#include "src/lgc/state/metadata_nodes.h"
#include "src/lgc/state/state_fields.h"

namespace lgc {

void ShaderModes::record(llvm::Module &module) const {
  writeNode(module, *this);
}

bool ShaderModes::read(const llvm::Module &module) {
  return readNode(module, *this) == NodeReading::Good;
}

} // namespace lgc
