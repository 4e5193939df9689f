// SPDX-License-Identifier: MIT
#include "src/lgc/state/front_end_state.h"
#include "src/lgc/state/metadata_nodes.h"
#include "src/lgc/state/state_fields.h"

namespace lgc {

void FrontEndState::record(llvm::Module &module) const {
  writeNode(module, *this);
}

bool FrontEndState::isIn(const llvm::Module &module) {
  return module.getNamedMetadata(MetadataNode<FrontEndState>::Name);
}

bool FrontEndState::read(const llvm::Module &module) {
  return readNode(module, *this) == NodeReading::Good;
}

} // namespace lgc
