// SPDX-License-Identifier: MIT
#include "src/lgc/builder/builder.h"
#include <algorithm>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace lgc {

namespace {

// Large values are put together in long chains. Of these, only the last links are searched.
constexpr unsigned MaxLinks = 64;

// The element at an index that was put in before; nullptr if it is not known.
Value *knownElement(Value *vector, uint64_t index) {
  for (unsigned i = 0; i < MaxLinks; ++i) {
    if (auto *insertion = dyn_cast<InsertElementInst>(vector)) {
      auto *at = dyn_cast<ConstantInt>(insertion->getOperand(2));
      if (!at)
        return nullptr;
      if (at->getValue() == index)
        return insertion->getOperand(1);
      vector = insertion->getOperand(0);
    } else if (auto *shuffle = dyn_cast<ShuffleVectorInst>(vector)) {
      if (index >= shuffle->getShuffleMask().size() || shuffle->getMaskValue(static_cast<unsigned>(index)) < 0)
        return nullptr;
      const auto from = static_cast<unsigned>(shuffle->getMaskValue(static_cast<unsigned>(index)));
      const unsigned length = cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements();
      vector = shuffle->getOperand(from >= length);
      index = from % length;
    } else if (auto *constant = dyn_cast<Constant>(vector)) {
      return constant->getAggregateElement(static_cast<unsigned>(index));
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

// Goes into an aggregate as far as its parts are known: what is returned has the part at the indices that are left.
Value *knownPart(Value *aggregate, ArrayRef<unsigned> &indices) {
  for (unsigned i = 0; i < MaxLinks && !indices.empty(); ++i) {
    auto *insertion = dyn_cast<InsertValueInst>(aggregate);
    if (!insertion)
      break;
    const ArrayRef<unsigned> at = insertion->getIndices();
    const size_t common = std::min(at.size(), indices.size());
    if (!std::equal(at.begin(), at.begin() + common, indices.begin())) {
      aggregate = insertion->getAggregateOperand();
    } else if (at.size() <= indices.size()) {
      aggregate = insertion->getInsertedValueOperand();
      indices = indices.drop_front(at.size());
    } else {
      break;
    }
  }
  return aggregate;
}

} // namespace

Value *Builder::CreateExtractElement(Value *vector, Value *index, const Twine &name) {
  if (auto *constant = dyn_cast<ConstantInt>(index); constant && constant->getValue().ult(UINT32_MAX))
    if (Value *element = knownElement(vector, constant->getZExtValue()))
      return element;
  return IRBuilder::CreateExtractElement(vector, index, name);
}

Value *Builder::CreateExtractValue(Value *aggregate, ArrayRef<unsigned> indices, const Twine &name) {
  aggregate = knownPart(aggregate, indices);
  return indices.empty() ? aggregate : IRBuilder::CreateExtractValue(aggregate, indices, name);
}

} // namespace lgc
