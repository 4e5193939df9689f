// SPDX-License-Identifier: MIT
#include "src/spirv/translate/context/extract_value.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace dovetail::spirv {

namespace {

// The part that was inserted at an index; nullptr if that is not found among the last insertions.
llvm::Value *insertedAt(llvm::Value *whole, uint32_t index) {
  constexpr unsigned maxInsertions = 64;
  for (unsigned i = 0; i < maxInsertions; ++i) {
    if (auto *insertion = llvm::dyn_cast<llvm::InsertValueInst>(whole)) {
      const llvm::ArrayRef<unsigned> indices = insertion->getIndices();
      if (indices.front() == index)
        return indices.size() == 1 ? insertion->getInsertedValueOperand() : nullptr;
      whole = insertion->getAggregateOperand();
    } else if (auto *element = llvm::dyn_cast<llvm::InsertElementInst>(whole)) {
      auto *at = llvm::dyn_cast<llvm::ConstantInt>(element->getOperand(2));
      if (!at)
        return nullptr;
      if (at->getValue() == index)
        return element->getOperand(1);
      whole = element->getOperand(0);
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

} // namespace

llvm::Value *extractValue(lgc::Builder &builder, llvm::Value *whole, std::span<const uint32_t> path) {
  for (uint32_t index : path) {
    if (llvm::Value *inserted = insertedAt(whole, index))
      whole = inserted;
    else
      whole = whole->getType()->isVectorTy() ? builder.CreateExtractElement(whole, uint64_t(index))
                                             : builder.CreateExtractValue(whole, index);
  }
  return whole;
}

} // namespace dovetail::spirv
