// SPDX-License-Identifier: MIT
//
// Typed access to the metadata nodes of modules and functions (metadata_nodes.def).
#pragma once

#include "src/lgc/state/field_metadata.h"
#include <llvm/IR/Module.h>

namespace dovetail {
struct Hash128;
struct ShaderInterface;
} // namespace dovetail

namespace lgc {

struct FrontEndState;
struct GraphicsState;
struct ResourceUsage;
struct ShaderModes;

template <typename T> struct MetadataNode;
#define LGC_METADATA_NODE(type, name)                                                                                  \
  template <> struct MetadataNode<type> { static constexpr llvm::StringLiteral Name = name; };
#include "src/lgc/state/metadata_nodes.def"
#undef LGC_METADATA_NODE

// Replaces the module's node.
template <typename T> void writeNode(llvm::Module &module, const T &value) {
  constexpr llvm::StringRef name = MetadataNode<T>::Name;
  if (llvm::NamedMDNode *old = module.getNamedMetadata(name))
    module.eraseNamedMetadata(old);
  llvm::Metadata *node = FieldMetadataWriter(module.getContext()).write(value);
  module.getOrInsertNamedMetadata(name)->addOperand(llvm::cast<llvm::MDNode>(node));
}

// The same for a function.
template <typename T> void writeNode(llvm::Function &function, const T &value) {
  llvm::Metadata *node = FieldMetadataWriter(function.getContext()).write(value);
  function.setMetadata(MetadataNode<T>::Name, llvm::cast<llvm::MDNode>(node));
}

enum class NodeReading { Absent, Malformed, Good };

// Replaces the value only if the node is well formed.
template <typename T> NodeReading readNode(const llvm::MDNode *node, T &value) {
  FieldMetadataReader reader;
  T read{};
  reader.read(node, read);
  if (!reader.isGood())
    return NodeReading::Malformed;
  value = std::move(read);
  return NodeReading::Good;
}

template <typename T> NodeReading readNode(const llvm::Module &module, T &value) {
  const llvm::NamedMDNode *named = module.getNamedMetadata(MetadataNode<T>::Name);
  if (!named)
    return NodeReading::Absent;
  return named->getNumOperands() == 1 ? readNode(named->getOperand(0), value) : NodeReading::Malformed;
}

template <typename T> NodeReading readNode(const llvm::Function &function, T &value) {
  const llvm::MDNode *node = function.getMetadata(MetadataNode<T>::Name);
  return node ? readNode(node, value) : NodeReading::Absent;
}

} // namespace lgc
