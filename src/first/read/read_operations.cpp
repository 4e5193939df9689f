// SPDX-License-Identifier: MIT
#include "src/first/read/reader.h"
#include <bit>
#include <cmath>
#include <llvm/IR/Constants.h>
#include <llvm/Support/DivisionByConstantInfo.h>

namespace dovetail::first {

namespace {

bool isBoolType(const llvm::Type *type) {
  return type->getScalarType()->isIntegerTy(1);
}

std::string nameOf(const llvm::Instruction &instruction) {
  std::string text = instruction.getOpcodeName();
  text += " of ";
  llvm::raw_string_ostream out(text);
  instruction.getType()->print(out);
  return text;
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
    if (!isDwords(instruction.getType()))
      break;
    Nodes nodes = valuesOf(instruction.getOperand(0));
    for (NodeId &node : nodes)
      node = unary(Op::Negate, node);
    return set(&instruction, nodes);
  }
  case llvm::Instruction::Fence: {
    // Between workgroups, caches would have to be emptied.
    llvm::SmallVector<llvm::StringRef, 16> scopes;
    m_function.getContext().getSyncScopeNames(scopes);
    const llvm::StringRef scope = scopes[llvm::cast<llvm::FenceInst>(instruction).getSyncScopeID()];
    if (!scope.starts_with("workgroup") && !scope.starts_with("wavefront") && !scope.starts_with("singlethread"))
      return refuse("a fence between workgroups");
    Node node;
    node.op = Op::WaitAll;
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
    if (!isBitwise)
      return refuse(nameOf(instruction));
    const Op op = bitwise == Op::And ? Op::BoolAnd : bitwise == Op::Or ? Op::BoolOr : Op::BoolXor;
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
  if (type->isIntegerTy(64)) {
    if (opcode == llvm::Instruction::Add) {
      const auto [low, high] = wholeAddress({left[0], left[1], 0, UINT32_MAX, NoNode});
      Node node;
      node.op = Op::AddWide;
      bool isScalar = true;
      for (NodeId operand : {low, high, right[0], right[1]}) {
        isScalar &= nodeOf(operand).bank == Bank::Scalar;
        node.isDivergent |= nodeOf(operand).isDivergent;
      }
      node.bank = isScalar ? Bank::Scalar : Bank::Vector;
      const NodeId sum = makeList(node, {low, high, right[0], right[1]});
      return setParts(&instruction, sum, 2, node.isDivergent, node.bank);
    }
    // A product of two values of 32 bits.
    const bool isNarrow =
        isConstant(left[1]) && valueOf(left[1]) == 0 && isConstant(right[1]) && valueOf(right[1]) == 0;
    if (opcode == llvm::Instruction::Mul && isNarrow)
      return set(&instruction, {operation(Op::Mul, {left[0], right[0]}), operation(Op::MulHighU, {left[0], right[0]})});
    const bool isBy32 = isConstant(right[0]) && valueOf(right[0]) == 32;
    if (opcode == llvm::Instruction::Shl && isBy32)
      return set(&instruction, {constant(0), left[0]});
    if (opcode == llvm::Instruction::LShr && isBy32)
      return set(&instruction, {left[1], constant(0)});
    return refuse(nameOf(instruction));
  }
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
      result.push_back(isOne(r) ? l : isOne(l) ? r : operation(Op::MulF, {l, r}));
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

// As LLVM expands it (AMDGPUCodeGenPrepare, visitFDiv; SIISelLowering, lowerFDIV_FAST), so that both tiers give the
// same bits.
NodeId Reader::divide(const llvm::BinaryOperator &instruction, NodeId dividend, NodeId divisor) {
  if (isConstant(divisor)) { // LLVM multiplies (InstCombine, foldFDivConstantDivisor)
    const auto value = std::bit_cast<float>(valueOf(divisor));
    const float inverse = 1.0f / value;
    int exponent;
    const bool isExact = std::abs(std::frexp(value, &exponent)) == 0.5f;
    if (std::isnormal(inverse) && std::isnormal(value) && (isExact || instruction.hasAllowReciprocal()))
      return operation(Op::MulF, {dividend, constant(std::bit_cast<uint32_t>(inverse))});
  }
  constexpr float accuracyOfRcp = 1.0f, accuracyOfScaling = 2.5f; // units in the last place that may be wrong
  const float accuracy = llvm::cast<llvm::FPMathOperator>(instruction).getFPAccuracy();
  if (accuracy < accuracyOfRcp)
    return operation(Op::DivideF, {dividend, divisor});
  if (isConstant(dividend) && valueOf(dividend) == std::bit_cast<uint32_t>(1.0f))
    return unary(Op::Rcp, divisor);
  if (isConstant(dividend) && valueOf(dividend) == std::bit_cast<uint32_t>(-1.0f))
    return unary(Op::Rcp, unary(Op::Negate, divisor));
  if (instruction.hasAllowReciprocal())
    return operation(Op::MulF, {dividend, unary(Op::Rcp, divisor)});
  if (accuracy < accuracyOfScaling)
    return operation(Op::DivideF, {dividend, divisor});
  const NodeId isLarge =
      operation(Op::CompareF, {unary(Op::Absolute, divisor), constant(0x6f800000)}, llvm::CmpInst::FCMP_OGT);
  const NodeId scale = operation(Op::Select, {isLarge, constant(0x2f800000), constant(std::bit_cast<uint32_t>(1.0f))});
  const NodeId inverse = unary(Op::Rcp, operation(Op::MulF, {divisor, scale}));
  return operation(Op::MulF, {scale, operation(Op::MulF, {dividend, inverse})});
}

// Multiplies by an inverse, as LLVM does. ExpandDivisionsPass has expanded divisions by what is no constant.
NodeId Reader::divideByConstant(NodeId dividend, uint32_t divisor, bool isSigned) {
  if (divisor == 0)
    return undefined(false);
  if (divisor == 1)
    return dividend;
  const llvm::APInt number(32, divisor);
  auto by = [&](Op op, NodeId value, unsigned amount) {
    return amount ? operation(op, {value, constant(amount)}) : value;
  };
  if (!isSigned) {
    if (number.isPowerOf2())
      return by(Op::ShiftRight, dividend, number.logBase2());
    const auto inverse = llvm::UnsignedDivisionByConstantInfo::get(number);
    const NodeId magic = constant(uint32_t(inverse.Magic.getZExtValue()));
    NodeId quotient = operation(Op::MulHighU, {by(Op::ShiftRight, dividend, inverse.PreShift), magic});
    if (inverse.IsAdd) {
      const NodeId rest = by(Op::ShiftRight, operation(Op::Sub, {dividend, quotient}), 1);
      quotient = operation(Op::Add, {rest, quotient});
    }
    return by(Op::ShiftRight, quotient, inverse.PostShift);
  }
  if (number.isAllOnes())
    return operation(Op::Sub, {constant(0), dividend});
  const auto inverse = llvm::SignedDivisionByConstantInfo::get(number);
  NodeId quotient = operation(Op::MulHighI, {dividend, constant(uint32_t(inverse.Magic.getZExtValue()))});
  if (number.isStrictlyPositive() && inverse.Magic.isNegative())
    quotient = operation(Op::Add, {quotient, dividend});
  else if (number.isNegative() && inverse.Magic.isStrictlyPositive())
    quotient = operation(Op::Sub, {quotient, dividend});
  quotient = by(Op::ShiftRightSigned, quotient, inverse.ShiftAmount);
  return operation(Op::Add, {quotient, operation(Op::ShiftRight, {quotient, constant(31)})});
}

void Reader::readCast(const llvm::CastInst &instruction) {
  const llvm::Type *from = instruction.getSrcTy(), *to = instruction.getDestTy();
  const llvm::Value *operand = instruction.getOperand(0);
  if (instruction.getOpcode() == llvm::Instruction::IntToPtr && to->getPointerAddressSpace() == 4) {
    const Nodes parts = valuesOf(operand);
    if (parts.size() != 2)
      return refuse("an address of another type");
    m_addresses[&instruction] = {parts[0], parts[1], 0, UINT32_MAX, NoNode};
    return;
  }
  if (!partsOf(from) || !partsOf(to))
    return refuse(nameOf(instruction));
  const Nodes parts = valuesOf(operand);
  Nodes result;
  const NodeId one = constant(1), zero = constant(0);
  const bool isWide = to->getScalarType()->isIntegerTy(64);
  switch (instruction.getOpcode()) {
  case llvm::Instruction::BitCast:
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::PtrToInt:
    if (isBoolType(from) != isBoolType(to) || partsOf(from) != partsOf(to))
      return refuse(nameOf(instruction));
    return set(&instruction, parts);
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
    for (NodeId part : parts) {
      const bool isSigned = instruction.getOpcode() == llvm::Instruction::SExt;
      NodeId value = part;
      if (isBoolType(from))
        value = operation(Op::Select, {part, isSigned ? constant(UINT32_MAX) : one, zero});
      result.push_back(value);
      if (isWide)
        result.push_back(isSigned ? operation(Op::ShiftRightSigned, {value, constant(31)}) : zero);
    }
    return set(&instruction, result);
  case llvm::Instruction::Trunc:
    if (from->isIntegerTy(64) && to->isIntegerTy(32))
      return set(&instruction, {parts[0]});
    if (isDwords(from) && isBoolType(to)) {
      for (NodeId part : parts)
        result.push_back(operation(Op::BoolOf, {operation(Op::And, {part, one})}));
      return set(&instruction, result);
    }
    break;
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::SIToFP:
    if (!to->getScalarType()->isFloatTy() || isBoolType(from) || !isDwords(from))
      break;
    for (NodeId part : parts)
      result.push_back(unary(instruction.getOpcode() == llvm::Instruction::UIToFP ? Op::FloatOfU : Op::FloatOfI, part));
    return set(&instruction, result);
  case llvm::Instruction::FPToUI:
  case llvm::Instruction::FPToSI:
    if (!from->getScalarType()->isFloatTy() || !to->getScalarType()->isIntegerTy(32))
      break;
    for (NodeId part : parts)
      result.push_back(unary(instruction.getOpcode() == llvm::Instruction::FPToUI ? Op::UintOfF : Op::IntOfF, part));
    return set(&instruction, result);
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
  if (!isDwords(type)) {
    std::string name;
    llvm::raw_string_ostream(name) << *type;
    return refuse("a comparison of " + name);
  }
  for (size_t i = 0; i < left.size(); ++i) {
    if (predicate == llvm::CmpInst::FCMP_TRUE || predicate == llvm::CmpInst::FCMP_FALSE)
      result.push_back(boolConstant(predicate == llvm::CmpInst::FCMP_TRUE));
    else if (instruction.isIntPredicate())
      result.push_back(operation(Op::CompareI, {left[i], right[i]}, predicate));
    else
      result.push_back(operation(Op::CompareF, {left[i], right[i]}, predicate));
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
    else if (isBoolType(instruction.getType()))
      result.push_back(selectBool(condition, left[i], right[i]));
    else
      result.push_back(operation(Op::Select, {condition, left[i], right[i]}));
  }
  set(&instruction, result);
}

void Reader::readElement(const llvm::Instruction &instruction) {
  const bool isInsert = llvm::isa<llvm::InsertElementInst>(instruction);
  const auto *index = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(isInsert ? 2 : 1));
  if (!partsOf(instruction.getType()) || !index)
    return refuse(index ? nameOf(instruction) : "an element by an index that is computed");
  Nodes nodes = valuesOf(instruction.getOperand(0));
  const unsigned each = partsOf(llvm::cast<llvm::VectorType>(instruction.getOperand(0)->getType())->getElementType());
  const uint64_t at = index->getZExtValue() * each;
  if (at + each > nodes.size())
    return refuse("an element that is not there");
  if (!isInsert)
    return set(&instruction, llvm::ArrayRef(nodes).slice(at, each));
  const Nodes element = valuesOf(instruction.getOperand(1));
  std::copy(element.begin(), element.end(), nodes.begin() + at);
  set(&instruction, nodes);
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
  Nodes nodes = valuesOf(instruction.getOperand(0));
  if (!isInsert)
    return set(&instruction, llvm::ArrayRef(nodes).slice(at, partsOf(type)));
  const Nodes element = valuesOf(instruction.getOperand(1));
  std::copy(element.begin(), element.end(), nodes.begin() + at);
  set(&instruction, nodes);
}

} // namespace dovetail::first
