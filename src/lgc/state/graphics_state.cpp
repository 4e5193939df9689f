// SPDX-License-Identifier: MIT
#include "src/lgc/state/graphics_state.h"
#include "src/lgc/state/metadata_nodes.h"
#include "src/lgc/state/state_fields.h"
#include "src/state/state_values.h"

namespace lgc {

DOVETAIL_FIELDS(GraphicsState, state, userDataNodes, immutableSamplers)

void GraphicsState::record(llvm::Module &module) const {
  writeNode(module, *this);
}

bool GraphicsState::isIn(const llvm::Module &module) {
  return module.getNamedMetadata(MetadataNode<GraphicsState>::Name);
}

bool GraphicsState::read(const llvm::Module &module) {
  return readNode(module, *this) == NodeReading::Good;
}

void GraphicsState::erase(llvm::Module &module) {
  if (llvm::NamedMDNode *node = module.getNamedMetadata(MetadataNode<GraphicsState>::Name))
    module.eraseNamedMetadata(node);
}

} // namespace lgc
