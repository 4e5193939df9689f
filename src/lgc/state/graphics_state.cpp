// SPDX-License-Identifier: MIT
#include "src/lgc/state/graphics_state.h"
#include "src/lgc/state/metadata_nodes.h"
#include "src/lgc/state/state_fields.h"

// Vulkan's last enumerators, or, for enums that extensions add to, a bound to which they may grow: code that uses a
// value looks it up.
constexpr VkFormat lastOf(VkFormat) {
  return VK_FORMAT_MAX_ENUM;
}
constexpr VkPrimitiveTopology lastOf(VkPrimitiveTopology) {
  return VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
}
constexpr VkVertexInputRate lastOf(VkVertexInputRate) {
  return VK_VERTEX_INPUT_RATE_INSTANCE;
}
constexpr VkBlendFactor lastOf(VkBlendFactor) {
  return VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}
constexpr VkBlendOp lastOf(VkBlendOp) {
  return VK_BLEND_OP_MAX;
}

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
