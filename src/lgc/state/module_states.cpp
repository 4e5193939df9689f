// SPDX-License-Identifier: MIT
//
// Structs that modules carry as metadata: each writes and reads its node (metadata_nodes.def).
#include "src/lgc/state/graphics_state.h"
#include "src/lgc/state/metadata_nodes.h"
#include "src/lgc/state/state_fields.h"
#include "src/state/state_values.h"

namespace lgc {

DOVETAIL_FIELDS(GraphicsState, state, userDataNodes, immutableSamplers)

void ShaderModes::record(llvm::Module &module) const {
  writeNode(module, *this);
}
void FrontEndState::record(llvm::Module &module) const {
  writeNode(module, *this);
}
void GraphicsState::record(llvm::Module &module) const {
  writeNode(module, *this);
}

bool ShaderModes::read(const llvm::Module &module) {
  return readNode(module, *this) == NodeReading::Good;
}
bool FrontEndState::read(const llvm::Module &module) {
  return readNode(module, *this) == NodeReading::Good;
}
bool GraphicsState::read(const llvm::Module &module) {
  return readNode(module, *this) == NodeReading::Good;
}

bool FrontEndState::isIn(const llvm::Module &module) {
  return module.getNamedMetadata(MetadataNode<FrontEndState>::Name);
}
bool GraphicsState::isIn(const llvm::Module &module) {
  return module.getNamedMetadata(MetadataNode<GraphicsState>::Name);
}

void GraphicsState::erase(llvm::Module &module) {
  if (llvm::NamedMDNode *node = module.getNamedMetadata(MetadataNode<GraphicsState>::Name))
    module.eraseNamedMetadata(node);
}

} // namespace lgc
