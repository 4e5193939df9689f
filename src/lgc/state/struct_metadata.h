// SPDX-License-Identifier: MIT
//
// One struct with a list of fields as a named metadata of a module, in the form of field_metadata.h.
#pragma once

#include "src/lgc/state/field_metadata.h"
#include <llvm/IR/Module.h>

namespace lgc {

// Replaces what the module has under that name.
template <typename T> void writeStructMetadata(llvm::Module &module, llvm::StringRef name, const T &value) {
  if (llvm::NamedMDNode *old = module.getNamedMetadata(name))
    module.eraseNamedMetadata(old);
  llvm::Metadata *node = FieldMetadataWriter(module.getContext()).write(value);
  module.getOrInsertNamedMetadata(name)->addOperand(llvm::cast<llvm::MDNode>(node));
}

enum class StructMetadata { Absent, Malformed, Good };

// Only what is good replaces the value.
template <typename T> StructMetadata readStructMetadata(const llvm::Module &module, llvm::StringRef name, T &value) {
  const llvm::NamedMDNode *named = module.getNamedMetadata(name);
  if (!named)
    return StructMetadata::Absent;
  FieldMetadataReader reader;
  T read{};
  if (named->getNumOperands() != 1)
    return StructMetadata::Malformed;
  reader.read(named->getOperand(0), read);
  if (!reader.isGood())
    return StructMetadata::Malformed;
  value = std::move(read);
  return StructMetadata::Good;
}

} // namespace lgc
