// SPDX-License-Identifier: MIT
//
// Which nodes are a value of IR.
#include "src/first/read/reader.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

namespace dovetail::first {

unsigned Reader::partsOf(const llvm::Type *type) {
  switch (type->getTypeID()) {
  case llvm::Type::FloatTyID:
  case llvm::Type::HalfTyID:
    return 1;
  case llvm::Type::DoubleTyID:
    return 2;
  case llvm::Type::IntegerTyID: {
    const unsigned bits = type->getIntegerBitWidth();
    return bits <= 32 ? 1 : bits <= 64 ? 2 : bits % 32 == 0 ? bits / 32 : 0;
  }
  case llvm::Type::PointerTyID:
    switch (type->getPointerAddressSpace()) {
    case 3:
    case 5:
      return 1;
    case 1:
    case 4:
      return 2;
    default:
      return 0;
    }
  case llvm::Type::FixedVectorTyID: {
    const auto *vector = llvm::cast<llvm::FixedVectorType>(type);
    return vector->getNumElements() * partsOf(vector->getElementType());
  }
  case llvm::Type::ArrayTyID:
    return unsigned(type->getArrayNumElements()) * partsOf(type->getArrayElementType());
  case llvm::Type::StructTyID: {
    unsigned sum = 0;
    for (const llvm::Type *element : llvm::cast<llvm::StructType>(type)->elements()) {
      const unsigned parts = partsOf(element);
      if (!parts)
        return 0;
      sum += parts;
    }
    return sum;
  }
  default:
    return 0;
  }
}

// Whether each part of a value of the type is a bool.
void Reader::findBools(const llvm::Type *type, llvm::SmallVectorImpl<bool> &bools) {
  if (const auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    for (const llvm::Type *element : structure->elements())
      findBools(element, bools);
  } else if (type->isArrayTy()) {
    for (uint64_t i = 0; i < type->getArrayNumElements(); ++i)
      findBools(type->getArrayElementType(), bools);
  } else {
    bools.append(partsOf(type), type->getScalarType()->isIntegerTy(1));
  }
}

// Variables of a workgroup lie one behind the other.
NodeId Reader::ldsAddress(const llvm::Constant *pointer) {
  const llvm::DataLayout &layout = m_function.getParent()->getDataLayout();
  llvm::APInt offset(layout.getIndexSizeInBits(pointer->getType()->getPointerAddressSpace()), 0);
  const auto *variable =
      llvm::dyn_cast<llvm::GlobalVariable>(pointer->stripAndAccumulateConstantOffsets(layout, offset, true));
  if (!variable) {
    refuse("an address of a workgroup's memory");
    return constant(0);
  }
  const auto [known, isNew] = m_ldsOffsets.try_emplace(variable, 0);
  if (isNew) {
    constexpr uint32_t alignment = 16;
    known->second = (m_program.ldsBytes + alignment - 1) / alignment * alignment;
    const uint64_t size = layout.getTypeAllocSize(variable->getValueType());
    constexpr uint64_t maxLds = 1u << 16;
    if (size > maxLds || known->second + size > maxLds)
      refuse("too much memory of a workgroup");
    m_program.ldsBytes = known->second + uint32_t(size);
  }
  return constant(known->second + uint32_t(offset.getZExtValue()));
}

void Reader::constantParts(const llvm::Constant *value, Nodes &nodes) {
  if (const auto *integer = llvm::dyn_cast<llvm::ConstantInt>(value)) {
    const unsigned bits = integer->getBitWidth();
    if (bits == 1) {
      nodes.push_back(boolConstant(integer->isOne()));
      return;
    }
    for (unsigned first = 0; first < bits; first += 32)
      nodes.push_back(
          constant(uint32_t(integer->getValue().extractBitsAsZExtValue(std::min(32u, bits - first), first))));
  } else if (const auto *floating = llvm::dyn_cast<llvm::ConstantFP>(value)) {
    const uint64_t number = floating->getValueAPF().bitcastToAPInt().getZExtValue();
    nodes.push_back(constant(uint32_t(number)));
    if (value->getType()->isDoubleTy())
      nodes.push_back(constant(uint32_t(number >> 32)));
  } else if (const bool isUndefined = llvm::isa<llvm::UndefValue>(value);
             !value->getType()->isAggregateType() && (isUndefined || value->isNullValue())) {
    const bool isBool = value->getType()->getScalarType()->isIntegerTy(1);
    const NodeId node = isUndefined ? undefined(isBool) : isBool ? boolConstant(false) : constant(0);
    nodes.append(partsOf(value->getType()), node);
  } else if (value->getType()->isVectorTy() || value->getType()->isAggregateType()) {
    const unsigned count = value->getType()->isVectorTy()
                               ? llvm::cast<llvm::FixedVectorType>(value->getType())->getNumElements()
                           : value->getType()->isArrayTy() ? unsigned(value->getType()->getArrayNumElements())
                                                           : value->getType()->getStructNumElements();
    for (unsigned i = 0; i < count; ++i) {
      const llvm::Constant *element = value->getAggregateElement(i);
      if (!element)
        return refuse("a constant expression");
      constantParts(element, nodes);
    }
  } else if (const auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(value);
             expression && (expression->getOpcode() == llvm::Instruction::IntToPtr ||
                            expression->getOpcode() == llvm::Instruction::BitCast)) {
    Nodes parts;
    constantParts(expression->getOperand(0), parts);
    parts = recast(expression->getOperand(0)->getType(), value->getType(), parts);
    if (parts.empty())
      return refuse("a constant expression");
    nodes.append(parts);
  } else if (value->getType()->isPointerTy() && value->getType()->getPointerAddressSpace() == 3) {
    nodes.push_back(ldsAddress(value));
  } else {
    refuse("a constant that is an address or an expression");
  }
}

Reader::Nodes Reader::valuesOf(const llvm::Value *value) {
  Nodes nodes;
  if (const auto *constant = llvm::dyn_cast<llvm::Constant>(value)) {
    if (!partsOf(value->getType()))
      refuse("the type " + nameOf(value->getType()));
    else
      constantParts(constant, nodes);
    if (!m_refusal.empty())
      nodes.assign(std::max(1u, partsOf(value->getType())), undefined(false));
    return nodes;
  }
  if (m_isWhole) {
    if (const auto whole = m_wholeValues.find(value); whole != m_wholeValues.end()) {
      if (llvm::any_of(whole->second, [&](NodeId node) { return leavesLoopApart(node); }))
        refuse("a value of the whole wave from a loop that lanes leave apart");
      return whole->second;
    }
  }
  const auto found = m_values.find(value);
  if (found == m_values.end()) {
    if (m_addresses.contains(value)) {
      const auto [low, high] = wholeAddress(addressOf(value));
      nodes.assign({low, high});
      return nodes;
    }
    refuse("a value that was not read");
    nodes.assign(std::max(1u, partsOf(value->getType())), undefined(false));
    return nodes;
  }
  const auto [first, count] = found->second;
  nodes.append(m_parts.begin() + first, m_parts.begin() + first + count);
  if (!m_program.loops.empty() && isCarried(value, nodes)) {
    const auto bools = m_carriedBools.find(value);
    if (bools == m_carriedBools.end()) {
      m_mustRepeat |= m_lessons.carried.insert(value).second;
    } else {
      size_t next = 0;
      for (NodeId &node : nodes)
        if (nodeOf(node).isBool)
          node = operation(Op::BoolOf, {bools->second[next++]});
    }
  }
  return nodes;
}

// Whether the value comes from a loop that lanes leave apart, in a place that all lanes share. Then each lane keeps its
// own (set()).
bool Reader::isCarried(const llvm::Value *value, llvm::ArrayRef<NodeId> nodes) {
  if (!llvm::isa<llvm::Instruction>(value))
    return false;
  return llvm::any_of(
      nodes, [&](NodeId id) { return (nodeOf(id).bank == Bank::Scalar || nodeOf(id).isBool) && leavesLoopApart(id); });
}

void Reader::set(const llvm::Value *value, llvm::ArrayRef<NodeId> made) {
  Nodes nodes(made.begin(), made.end());
  if (m_isWhole) {
    m_wholeValues[value] = nodes;
    return;
  }
  if (m_lessons.carried.contains(value)) {
    Nodes &bools = m_carriedBools[value];
    for (NodeId &node : nodes) {
      const bool isBool = nodeOf(node).isBool;
      const NodeId dword = isBool ? operation(Op::Select, {node, constant(1), constant(0)}) : node;
      const NodeId own = nodeOf(dword).bank == Bank::Scalar ? operation(Op::CopyToVector, {dword}) : dword;
      if (isBool)
        bools.push_back(own);
      else
        node = own;
    }
  }
  m_values[value] = {uint32_t(m_parts.size()), uint32_t(nodes.size())};
  m_parts.insert(m_parts.end(), nodes.begin(), nodes.end());
}
} // namespace dovetail::first
