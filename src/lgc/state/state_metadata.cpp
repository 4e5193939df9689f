// SPDX-License-Identifier: MIT
#include "src/lgc/state/state_metadata.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace lgc {

void writeNamedWords(Module &module, StringRef name, ArrayRef<StateWords> nodes) {
  if (NamedMDNode *old = module.getNamedMetadata(name))
    module.eraseNamedMetadata(old);
  if (nodes.empty())
    return;
  LLVMContext &context = module.getContext();
  NamedMDNode *named = module.getOrInsertNamedMetadata(name);
  for (const StateWords &words : nodes) {
    SmallVector<Metadata *, 32> operands;
    for (uint32_t word : words)
      operands.push_back(ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), word)));
    named->addOperand(MDNode::get(context, operands));
  }
}

bool readNamedWords(const Module &module, StringRef name, SmallVectorImpl<StateWords> &nodes) {
  const NamedMDNode *named = module.getNamedMetadata(name);
  if (!named)
    return true;
  for (const MDNode *node : named->operands()) {
    StateWords &words = nodes.emplace_back();
    for (const MDOperand &operand : node->operands()) {
      auto *constant = mdconst::dyn_extract_or_null<ConstantInt>(operand);
      if (!constant || constant->getBitWidth() != 32)
        return false;
      words.push_back(static_cast<uint32_t>(constant->getZExtValue()));
    }
  }
  return true;
}

} // namespace lgc
