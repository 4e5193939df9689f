// SPDX-License-Identifier: MIT
#include "src/first/read/reader.h"
#include <bit>
#include <llvm/IR/Constants.h>

namespace dovetail::first {

namespace {

using first::nameOf;

bool isBoolType(const llvm::Type *type) {
  return type->getScalarType()->isIntegerTy(1);
}

bool isWideInteger(const llvm::Type *type) {
  return type->isIntegerTy() && type->getIntegerBitWidth() > 32 && type->getIntegerBitWidth() <= 64;
}

std::string nameOf(const llvm::Instruction &instruction) {
  return std::string(instruction.getOpcodeName()) + " of " + nameOf(instruction.getType());
}

} // namespace

void Reader::readInstruction(const llvm::Instruction &instruction) {
  if (const auto *binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return readBinary(*binary);
  if (const auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return readCast(*cast);
  if (const auto *compare = llvm::dyn_cast<llvm::CmpInst>(&instruction))
    return readCompare(*compare);
  if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return readCall(*call);
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Select:
    return readSelect(llvm::cast<llvm::SelectInst>(instruction));
  case llvm::Instruction::ShuffleVector:
    return readShuffle(llvm::cast<llvm::ShuffleVectorInst>(instruction));
  case llvm::Instruction::InsertElement:
  case llvm::Instruction::ExtractElement:
    return readElement(instruction);
  case llvm::Instruction::InsertValue:
  case llvm::Instruction::ExtractValue:
    return readAggregate(instruction);
  case llvm::Instruction::Load:
    return readLoad(llvm::cast<llvm::LoadInst>(instruction));
  case llvm::Instruction::Store:
    return readStore(llvm::cast<llvm::StoreInst>(instruction));
  case llvm::Instruction::AtomicRMW:
    return readAtomicOperation(llvm::cast<llvm::AtomicRMWInst>(instruction));
  case llvm::Instruction::AtomicCmpXchg:
    return readExchange(llvm::cast<llvm::AtomicCmpXchgInst>(instruction));
  case llvm::Instruction::GetElementPtr:
    return readGep(llvm::cast<llvm::GetElementPtrInst>(instruction));
  case llvm::Instruction::Alloca:
    return readAlloca(llvm::cast<llvm::AllocaInst>(instruction));
  case llvm::Instruction::Freeze: {
    if (!partsOf(instruction.getType()))
      break;
    Nodes nodes = valuesOf(instruction.getOperand(0));
    for (NodeId &node : nodes)
      if (nodeOf(node).op == Op::Undefined)
        node = nodeOf(node).isBool ? boolConstant(false) : constant(0);
    return set(&instruction, nodes);
  }
  case llvm::Instruction::FNeg: {
    const llvm::Type *type = instruction.getType()->getScalarType();
    if (!type->isFloatTy() && !type->isHalfTy() && !type->isDoubleTy())
      break;
    const Nodes nodes = valuesOf(instruction.getOperand(0));
    const size_t each = type->isDoubleTy() ? 2 : 1;
    Nodes result;
    for (size_t i = 0; i < nodes.size(); i += each)
      result.append(negated(type, llvm::ArrayRef(nodes).slice(i, each)));
    return set(&instruction, result);
  }
  case llvm::Instruction::Fence: {
    llvm::SmallVector<llvm::StringRef, 16> scopes;
    m_function.getContext().getSyncScopeNames(scopes);
    const llvm::StringRef scope = scopes[llvm::cast<llvm::FenceInst>(instruction).getSyncScopeID()];
    Node node;
    node.op = Op::WaitAll;
    node.imm = scope.starts_with("wavefront") || scope.starts_with("singlethread") ? OfWave
               : scope.starts_with("workgroup")                                    ? 0
                                                                                   : EmptyCaches;
    return effect(makeList(node, {}));
  }
  default:
    break;
  }
  refuse(nameOf(instruction));
}

NodeId Reader::boolOperation(Op op, NodeId left, NodeId right) {
  for (unsigned i = 0; i < 2; ++i) {
    const NodeId known = i ? right : left, other = i ? left : right;
    if (nodeOf(known).op != Op::True)
      continue;
    const bool value = nodeOf(known).imm;
    switch (op) {
    case Op::BoolAnd:
      return value ? other : known;
    case Op::BoolOr:
      return value ? known : other;
    case Op::BoolXor:
      return value ? operation(Op::BoolNot, {other}) : other;
    default:
      break;
    }
  }
  return operation(op, {left, right});
}

NodeId Reader::selectBool(NodeId condition, NodeId left, NodeId right) {
  if (nodeOf(right).op == Op::True && !nodeOf(right).imm)
    return boolOperation(Op::BoolAnd, condition, left);
  if (nodeOf(left).op == Op::True && nodeOf(left).imm)
    return boolOperation(Op::BoolOr, condition, right);
  const NodeId taken = boolOperation(Op::BoolAnd, condition, left);
  return boolOperation(Op::BoolOr, taken, boolOperation(Op::BoolAnd, operation(Op::BoolNot, {condition}), right));
}

void Reader::readBinary(const llvm::BinaryOperator &instruction) {
  const llvm::Type *type = instruction.getType();
  if (!partsOf(type))
    return refuse(nameOf(instruction));
  const Nodes left = valuesOf(instruction.getOperand(0)), right = valuesOf(instruction.getOperand(1));
  Nodes result;
  const unsigned opcode = instruction.getOpcode();
  const auto bitwise = opcode == llvm::Instruction::And ? Op::And : opcode == llvm::Instruction::Or ? Op::Or : Op::Xor;
  const bool isBitwise =
      opcode == llvm::Instruction::And || opcode == llvm::Instruction::Or || opcode == llvm::Instruction::Xor;
  if (isBoolType(type)) {
    // Sums and differences of one bit are exclusive ors, products are ands.
    const bool isSum = opcode == llvm::Instruction::Add || opcode == llvm::Instruction::Sub;
    if (!isBitwise && !isSum && opcode != llvm::Instruction::Mul)
      return refuse(nameOf(instruction));
    const Op op = isSum                              ? Op::BoolXor
                  : opcode == llvm::Instruction::Mul ? Op::BoolAnd
                  : bitwise == Op::And               ? Op::BoolAnd
                  : bitwise == Op::Or                ? Op::BoolOr
                                                     : Op::BoolXor;
    for (size_t i = 0; i < left.size(); ++i)
      result.push_back(boolOperation(op, left[i], right[i]));
    return set(&instruction, result);
  }
  if (isBitwise) {
    // A disjoint or of a constant is a sum, from which an offset can be taken.
    const auto *disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
    const bool isSum = disjoint && disjoint->isDisjoint();
    for (size_t i = 0; i < left.size(); ++i)
      result.push_back(
          operation(isSum && isConstant(right[i]) && isDwords(type) ? Op::Add : bitwise, {left[i], right[i]}));
    return set(&instruction, result);
  }
  const llvm::Type *scalar = type->getScalarType();
  if (isWideInteger(scalar) && readWide(instruction, left, right))
    return;
  if ((scalar->isHalfTy() || scalar->isDoubleTy()) && readFloats(instruction, left, right))
    return;
  if (const unsigned bits = narrowBits(type);
      bits && scalar->isIntegerTy() && readNarrow(instruction, left, right, bits))
    return;
  if (!isDwords(type))
    return refuse(nameOf(instruction));
  // What LLVM takes away, too (InstSimplify).
  constexpr uint32_t negativeZero = 0x80000000;
  const auto *floating = llvm::dyn_cast<llvm::FPMathOperator>(&instruction);
  auto isZero = [&](NodeId node) {
    return isConstant(node) &&
           (valueOf(node) == negativeZero || (valueOf(node) == 0 && floating && floating->hasNoSignedZeros()));
  };
  auto isOne = [&](NodeId node) { return isConstant(node) && valueOf(node) == std::bit_cast<uint32_t>(1.0f); };
  for (size_t i = 0; i < left.size(); ++i) {
    const NodeId l = left[i], r = right[i];
    switch (opcode) {
    case llvm::Instruction::Add:
      result.push_back(operation(Op::Add, {l, r}));
      break;
    case llvm::Instruction::Sub:
      result.push_back(isConstant(r) ? addConstant(l, -valueOf(r)) : operation(Op::Sub, {l, r}));
      break;
    case llvm::Instruction::Mul:
      result.push_back(operation(Op::Mul, {l, r}));
      break;
    case llvm::Instruction::Shl:
      result.push_back(operation(Op::ShiftLeft, {l, r}));
      break;
    case llvm::Instruction::LShr:
      result.push_back(operation(Op::ShiftRight, {l, r}));
      break;
    case llvm::Instruction::AShr:
      result.push_back(operation(Op::ShiftRightSigned, {l, r}));
      break;
    case llvm::Instruction::FAdd:
      result.push_back(isZero(r) ? l : isZero(l) ? r : operation(Op::AddF, {l, r}));
      break;
    case llvm::Instruction::FSub:
      result.push_back(isConstant(r) && valueOf(r) == 0 ? l : operation(Op::SubF, {l, r}));
      break;
    case llvm::Instruction::FMul:
      result.push_back(isOne(r) ? l : isOne(l) ? r : multiply(instruction, l, r));
      break;
    case llvm::Instruction::FDiv:
      result.push_back(divide(instruction, l, r));
      break;
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem: {
      if (!isConstant(r))
        return refuse("a division by a vector that is not constant");
      const bool isSigned = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
      const bool isRemainder = opcode == llvm::Instruction::URem || opcode == llvm::Instruction::SRem;
      const NodeId quotient = divideByConstant(l, valueOf(r), isSigned);
      result.push_back(isRemainder ? operation(Op::Sub, {l, operation(Op::Mul, {quotient, r})}) : quotient);
      break;
    }
    default:
      return refuse(nameOf(instruction));
    }
  }
  set(&instruction, result);
}

// The parts of a value of another type with the same bits; nothing: there is no such cast.
Reader::Nodes Reader::recast(const llvm::Type *from, const llvm::Type *to, llvm::ArrayRef<NodeId> parts) {
  if (isBoolType(from) != isBoolType(to))
    return {};
  const unsigned fromBits = narrowBits(from) ? narrowBits(from) : 32, toBits = narrowBits(to) ? narrowBits(to) : 32;
  if (fromBits == toBits)
    return parts.size() == partsOf(to) ? Nodes(parts.begin(), parts.end()) : Nodes();
  if (from->isPtrOrPtrVectorTy() || to->isPtrOrPtrVectorTy() || 32 % fromBits != 0 || 32 % toBits != 0)
    return {};
  return unpacked(packed(parts, fromBits), toBits, partsOf(to));
}

void Reader::readCast(const llvm::CastInst &instruction) {
  const llvm::Type *from = instruction.getSrcTy(), *to = instruction.getDestTy();
  const llvm::Value *operand = instruction.getOperand(0);
  if (instruction.getOpcode() == llvm::Instruction::IntToPtr && !to->isVectorTy() && partsOf(to) == 2) {
    const Nodes parts = valuesOf(operand);
    if (parts.size() != 2 || !from->isIntegerTy(64))
      return refuse("an address of another type");
    return setAddress(&instruction, {parts[0], parts[1]});
  }
  const bool isHuge = partsOf(from->getScalarType()) > 2 || partsOf(to->getScalarType()) > 2; // parts of a vector
  if (!partsOf(from) || !partsOf(to) || (isHuge && instruction.getOpcode() != llvm::Instruction::BitCast))
    return refuse(nameOf(instruction));
  const Nodes parts = valuesOf(operand);
  Nodes result;
  const NodeId one = constant(1), zero = constant(0);
  const llvm::Type *toScalar = to->getScalarType();
  const bool isFromWide = isWideInteger(from->getScalarType()), isWide = isWideInteger(toScalar);
  switch (instruction.getOpcode()) {
  case llvm::Instruction::BitCast:
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::PtrToInt:
    result = recast(from, to, parts);
    if (result.empty())
      break;
    return set(&instruction, result);
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
    for (size_t i = 0; isFromWide && i < parts.size(); i += 2) {
      const Wide value = extendWide({parts[i], parts[i + 1]}, from->getScalarSizeInBits(),
                                    instruction.getOpcode() == llvm::Instruction::SExt);
      result.append({value.low, value.high});
    }
    for (NodeId part : isFromWide ? Nodes() : parts) {
      const bool isSigned = instruction.getOpcode() == llvm::Instruction::SExt;
      NodeId value = part;
      if (isBoolType(from))
        value = operation(Op::Select, {part, isSigned ? constant(UINT32_MAX) : one, zero});
      else if (const unsigned bits = narrowBits(from))
        value = extend(part, bits, isSigned);
      result.push_back(value);
      if (isWide)
        result.push_back(isSigned ? operation(Op::ShiftRightSigned, {value, constant(31)}) : zero);
    }
    return set(&instruction, result);
  case llvm::Instruction::Trunc:
    if (isWide)
      return set(&instruction, parts);
    for (size_t i = 0; i < parts.size(); i += isFromWide ? 2 : 1)
      result.push_back(isBoolType(to) ? operation(Op::BoolOf, {operation(Op::And, {parts[i], one})})
                                      : lowBitsOf(parts[i], narrowBits(to) ? narrowBits(to) : 32));
    return set(&instruction, result);
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::FPToUI:
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPTrunc:
  case llvm::Instruction::FPExt:
    if (convertFloats(instruction, parts))
      return;
    break;
  default:
    break;
  }
  refuse(nameOf(instruction));
}

void Reader::readShuffle(const llvm::ShuffleVectorInst &instruction) {
  const unsigned count = partsOf(instruction.getType());
  if (!count)
    return refuse(nameOf(instruction));
  const Nodes left = valuesOf(instruction.getOperand(0)), right = valuesOf(instruction.getOperand(1));
  const auto mask = instruction.getShuffleMask();
  const unsigned each = count / unsigned(mask.size());
  const unsigned elements = unsigned(left.size()) / each;
  Nodes result;
  for (int element : mask)
    for (unsigned i = 0; i < each; ++i)
      result.push_back(element < 0                    ? undefined(isBoolType(instruction.getType()))
                       : unsigned(element) < elements ? left[unsigned(element) * each + i]
                                                      : right[(unsigned(element) - elements) * each + i]);
  set(&instruction, result);
}

void Reader::readCompare(const llvm::CmpInst &instruction) {
  const llvm::Type *type = instruction.getOperand(0)->getType();
  const Nodes left = valuesOf(instruction.getOperand(0)), right = valuesOf(instruction.getOperand(1));
  const auto predicate = instruction.getPredicate();
  Nodes result;
  if (isBoolType(type)) {
    using enum llvm::CmpInst::Predicate;
    auto negate = [&](NodeId node) { return boolOperation(Op::BoolXor, node, boolConstant(true)); };
    for (size_t i = 0; i < left.size(); ++i) {
      const NodeId l = left[i], r = right[i];
      switch (predicate) {
      case ICMP_EQ:
        result.push_back(negate(boolOperation(Op::BoolXor, l, r)));
        break;
      case ICMP_NE:
        result.push_back(boolOperation(Op::BoolXor, l, r));
        break;
      case ICMP_UGT:
      case ICMP_SLT: // true is -1
        result.push_back(boolOperation(Op::BoolAnd, l, negate(r)));
        break;
      case ICMP_ULT:
      case ICMP_SGT:
        result.push_back(boolOperation(Op::BoolAnd, negate(l), r));
        break;
      case ICMP_UGE:
      case ICMP_SLE:
        result.push_back(boolOperation(Op::BoolOr, l, negate(r)));
        break;
      default: // ICMP_ULE, ICMP_SGE
        result.push_back(boolOperation(Op::BoolOr, negate(l), r));
        break;
      }
    }
    return set(&instruction, result);
  }
  const llvm::Type *scalar = type->getScalarType();
  const bool isWide = partsOf(scalar) == 2;
  const unsigned narrow = narrowBits(type), bits = scalar->isPointerTy() ? 64 : scalar->getScalarSizeInBits();
  if (!partsOf(type) || partsOf(scalar) > 2)
    return refuse("a comparison of " + nameOf(type));
  for (size_t i = 0; i < left.size(); i += isWide ? 2 : 1) {
    const auto l = llvm::ArrayRef(left).slice(i, isWide ? 2 : 1), r = llvm::ArrayRef(right).slice(i, isWide ? 2 : 1);
    if (predicate == llvm::CmpInst::FCMP_TRUE || predicate == llvm::CmpInst::FCMP_FALSE)
      result.push_back(boolConstant(predicate == llvm::CmpInst::FCMP_TRUE));
    else if (!instruction.isIntPredicate())
      result.push_back(compareFloats(scalar, predicate, l, r));
    else if (isWide)
      result.push_back(compareWide(predicate, extendWide({l[0], l[1]}, bits, instruction.isSigned()),
                                   extendWide({r[0], r[1]}, bits, instruction.isSigned())));
    else
      result.push_back(operation(Op::CompareI,
                                 {extend(l[0], narrow ? narrow : 32, instruction.isSigned()),
                                  extend(r[0], narrow ? narrow : 32, instruction.isSigned())},
                                 predicate));
  }
  set(&instruction, result);
}

void Reader::readSelect(const llvm::SelectInst &instruction) {
  if (!partsOf(instruction.getType()))
    return refuse(nameOf(instruction));
  const Nodes conditions = valuesOf(instruction.getCondition());
  const Nodes left = valuesOf(instruction.getTrueValue()), right = valuesOf(instruction.getFalseValue());
  const bool isVector = instruction.getCondition()->getType()->isVectorTy();
  const size_t each = isVector ? left.size() / conditions.size() : left.size();
  Nodes result;
  for (size_t i = 0; i < left.size(); ++i) {
    const NodeId condition = conditions[isVector ? i / each : 0];
    if (left[i] == right[i] || nodeOf(right[i]).op == Op::Undefined)
      result.push_back(left[i]);
    else if (nodeOf(left[i]).op == Op::Undefined)
      result.push_back(right[i]);
    else if (nodeOf(condition).op == Op::True)
      result.push_back(nodeOf(condition).imm ? left[i] : right[i]);
    else if (nodeOf(left[i]).isBool)
      result.push_back(selectBool(condition, left[i], right[i]));
    else
      result.push_back(operation(Op::Select, {condition, left[i], right[i]}));
  }
  set(&instruction, result);
}

void Reader::readElement(const llvm::Instruction &instruction) {
  const bool isInsert = llvm::isa<llvm::InsertElementInst>(instruction);
  const llvm::Value *position = instruction.getOperand(isInsert ? 2 : 1);
  const auto *index = llvm::dyn_cast<llvm::ConstantInt>(position);
  if (!partsOf(instruction.getType()))
    return refuse(nameOf(instruction));
  Nodes nodes = valuesOf(instruction.getOperand(0));
  const unsigned each = partsOf(llvm::cast<llvm::VectorType>(instruction.getOperand(0)->getType())->getElementType());
  if (!index) {
    const Nodes element = isInsert ? valuesOf(instruction.getOperand(1)) : Nodes();
    const unsigned bits = narrowBits(position->getType());
    return selectElement(instruction, nodes, element, each, extend(valueOf1(position), bits ? bits : 32, false));
  }
  const uint64_t at = index->getZExtValue() * each;
  if (at + each > nodes.size()) { // poison
    if (!isInsert)
      nodes.assign(each, undefined(isBoolType(instruction.getType())));
    return set(&instruction, nodes);
  }
  if (!isInsert)
    return set(&instruction, llvm::ArrayRef(nodes).slice(at, each));
  const Nodes element = valuesOf(instruction.getOperand(1));
  std::copy(element.begin(), element.end(), nodes.begin() + at);
  set(&instruction, nodes);
}

// By an index that is computed: one element after the other is compared with it.
void Reader::selectElement(const llvm::Instruction &instruction, Nodes nodes, llvm::ArrayRef<NodeId> element,
                           unsigned each, NodeId index) {
  const bool isBool = isBoolType(instruction.getType());
  auto choose = [&](NodeId condition, NodeId left, NodeId right) {
    return left == right ? left
           : isBool      ? selectBool(condition, left, right)
                         : operation(Op::Select, {condition, left, right});
  };
  // A scalar is selected after a scalar comparison, a vector after a vector one.
  auto isScalar = [&](NodeId node) { return nodeOf(node).bank == Bank::Scalar; };
  const bool ofScalars = llvm::all_of(nodes, isScalar) && llvm::all_of(element, isScalar);
  constexpr size_t minElements = 3; // that make up for the copy
  if (!differs(index) && ofScalars)
    index = uniform(index);
  else if (isScalar(index) && !ofScalars && !isConstant(index) && nodes.size() / each >= minElements)
    index = operation(Op::CopyToVector, {index});
  Nodes chosen(nodes.begin(), nodes.begin() + each);
  for (size_t i = 0; i < nodes.size() / each; ++i) {
    if (element.empty() && i == 0)
      continue;
    const NodeId isHere = operation(Op::CompareI, {index, constant(uint32_t(i))}, llvm::CmpInst::ICMP_EQ);
    for (unsigned k = 0; k < each; ++k)
      if (element.empty())
        chosen[k] = choose(isHere, nodes[i * each + k], chosen[k]);
      else
        nodes[i * each + k] = choose(isHere, element[k], nodes[i * each + k]);
  }
  set(&instruction, element.empty() ? chosen : nodes);
}

// Large aggregates are made and taken apart element by element, so neither may copy all of them. An insertion may
// overwrite what only it reads. It is in the block of the insertion before, which has seen what loops carry.
std::optional<std::pair<uint32_t, uint32_t>> Reader::valuesToKeep(const llvm::Instruction &instruction) const {
  const llvm::Value *aggregate = instruction.getOperand(0);
  const auto found = m_values.find(aggregate);
  if (m_isWhole || found == m_values.end())
    return std::nullopt;
  if (llvm::isa<llvm::ExtractValueInst>(instruction))
    return m_program.loops.empty() ? std::optional(found->second) : std::nullopt;
  const auto *before = llvm::dyn_cast<llvm::InsertValueInst>(aggregate);
  if (!before || !before->hasOneUse() || before->getParent() != instruction.getParent() ||
      m_lessons.carried.contains(before) || m_lessons.carried.contains(&instruction))
    return std::nullopt;
  return found->second;
}

void Reader::readAggregate(const llvm::Instruction &instruction) {
  const bool isInsert = llvm::isa<llvm::InsertValueInst>(instruction);
  const auto indices = isInsert ? llvm::cast<llvm::InsertValueInst>(instruction).getIndices()
                                : llvm::cast<llvm::ExtractValueInst>(instruction).getIndices();
  const llvm::Type *type = instruction.getOperand(0)->getType();
  if (!partsOf(type))
    return refuse(nameOf(instruction));
  unsigned at = 0;
  for (unsigned index : indices) {
    if (const auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
      for (unsigned i = 0; i < index; ++i)
        at += partsOf(structure->getElementType(i));
      type = structure->getElementType(index);
    } else {
      type = type->getArrayElementType();
      at += index * partsOf(type);
    }
  }
  if (const auto known = valuesToKeep(instruction)) {
    const auto part = m_parts.begin() + known->first + at;
    if (!isInsert)
      return set(&instruction, Nodes(part, part + partsOf(type)));
    const Nodes element = valuesOf(instruction.getOperand(1));
    std::copy(element.begin(), element.end(), m_parts.begin() + known->first + at);
    m_values[&instruction] = *known;
    return;
  }
  Nodes nodes = valuesOf(instruction.getOperand(0));
  if (!isInsert)
    return set(&instruction, llvm::ArrayRef(nodes).slice(at, partsOf(type)));
  const Nodes element = valuesOf(instruction.getOperand(1));
  std::copy(element.begin(), element.end(), nodes.begin() + at);
  set(&instruction, nodes);
}

} // namespace dovetail::first
