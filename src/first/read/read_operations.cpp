// SPDX-License-Identifier: MIT
#include "src/first/read/reader.h"
#include <bit>
#include <cmath>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Metadata.h>
#include <optional>

namespace dovetail::first {

using llvm::Intrinsic::ID;
namespace Intrinsic = llvm::Intrinsic;

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

// Operations on each part of their operands, one for one.
std::optional<Op> elementwise(ID id) {
  switch (id) {
  case Intrinsic::fmuladd:
    return Op::MadF;
  case Intrinsic::fma:
    return Op::FmaF;
  case Intrinsic::fabs:
    return Op::Absolute;
  case Intrinsic::minnum:
    return Op::MinF;
  case Intrinsic::maxnum:
    return Op::MaxF;
  case Intrinsic::floor:
    return Op::Floor;
  case Intrinsic::ceil:
    return Op::Ceil;
  case Intrinsic::trunc:
    return Op::Truncate;
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    return Op::RoundEven;
  case Intrinsic::smin:
    return Op::MinI;
  case Intrinsic::smax:
    return Op::MaxI;
  case Intrinsic::umin:
    return Op::MinU;
  case Intrinsic::umax:
    return Op::MaxU;
  case Intrinsic::ctpop:
    return Op::CountBits;
  case Intrinsic::bitreverse:
    return Op::ReverseBits;
  case Intrinsic::ldexp:
    return Op::Ldexp;
  case Intrinsic::amdgcn_ubfe:
    return Op::ExtractU;
  case Intrinsic::amdgcn_sbfe:
    return Op::ExtractI;
  case Intrinsic::amdgcn_mul_u24:
    return Op::MulU24;
  case Intrinsic::amdgcn_fmed3:
    return Op::MedF;
  case Intrinsic::amdgcn_fmul_legacy:
    return Op::MulLegacy;
  case Intrinsic::amdgcn_rcp:
    return Op::Rcp;
  case Intrinsic::amdgcn_rsq:
    return Op::Rsq;
  case Intrinsic::amdgcn_sqrt:
    return Op::Sqrt;
  case Intrinsic::amdgcn_log:
    return Op::Log;
  case Intrinsic::amdgcn_exp2:
    return Op::Exp;
  case Intrinsic::amdgcn_fract:
    return Op::Fract;
  case Intrinsic::amdgcn_frexp_mant:
    return Op::FrexpMantissa;
  case Intrinsic::amdgcn_frexp_exp:
    return Op::FrexpExponent;
  case Intrinsic::amdgcn_cubeid:
    return Op::CubeId;
  case Intrinsic::amdgcn_cubesc:
    return Op::CubeSc;
  case Intrinsic::amdgcn_cubetc:
    return Op::CubeTc;
  case Intrinsic::amdgcn_cubema:
    return Op::CubeMa;
  case Intrinsic::amdgcn_readfirstlane:
    return Op::ReadFirstLane;
  case Intrinsic::amdgcn_mbcnt_lo:
    return Op::LanesBelowLow;
  case Intrinsic::amdgcn_mbcnt_hi:
    return Op::LanesBelowHigh;
  default:
    return std::nullopt;
  }
}

bool is32Bit(const llvm::Type *type) {
  const llvm::Type *scalar = type->getScalarType();
  return scalar->isFloatTy() || scalar->isIntegerTy(32);
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
    if (!is32Bit(instruction.getType()))
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
          operation(isSum && isConstant(right[i]) && is32Bit(type) ? Op::Add : bitwise, {left[i], right[i]}));
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
    const bool isBy32 = isConstant(right[0]) && valueOf(right[0]) == 32;
    if (opcode == llvm::Instruction::Shl && isBy32)
      return set(&instruction, {constant(0), left[0]});
    if (opcode == llvm::Instruction::LShr && isBy32)
      return set(&instruction, {left[1], constant(0)});
    return refuse(nameOf(instruction));
  }
  if (!is32Bit(type))
    return refuse(nameOf(instruction));
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
      result.push_back(operation(Op::AddF, {l, r}));
      break;
    case llvm::Instruction::FSub:
      result.push_back(operation(Op::SubF, {l, r}));
      break;
    case llvm::Instruction::FMul:
      result.push_back(operation(Op::MulF, {l, r}));
      break;
    case llvm::Instruction::FDiv:
      result.push_back(divide(instruction, l, r));
      break;
    case llvm::Instruction::UDiv:
      result.push_back(quotient(l, r, false, false));
      break;
    case llvm::Instruction::SDiv:
      result.push_back(quotient(l, r, true, false));
      break;
    case llvm::Instruction::URem:
      result.push_back(quotient(l, r, false, true));
      break;
    case llvm::Instruction::SRem:
      result.push_back(quotient(l, r, true, true));
      break;
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
  const auto *accuracy = llvm::cast<llvm::FPMathOperator>(instruction).getFPAccuracy() >= 1.0f ? &instruction : nullptr;
  if (!accuracy) {
    return operation(Op::DivideF, {dividend, divisor});
  }
  if (isConstant(dividend) && valueOf(dividend) == std::bit_cast<uint32_t>(1.0f))
    return unary(Op::Rcp, divisor);
  if (isConstant(dividend) && valueOf(dividend) == std::bit_cast<uint32_t>(-1.0f))
    return unary(Op::Rcp, unary(Op::Negate, divisor));
  if (instruction.hasAllowReciprocal())
    return operation(Op::MulF, {dividend, unary(Op::Rcp, divisor)});
  const NodeId isLarge =
      operation(Op::CompareF, {unary(Op::Absolute, divisor), constant(0x6f800000)}, llvm::CmpInst::FCMP_OGT);
  const NodeId scale = operation(Op::Select, {isLarge, constant(0x2f800000), constant(std::bit_cast<uint32_t>(1.0f))});
  const NodeId inverse = unary(Op::Rcp, operation(Op::MulF, {divisor, scale}));
  return operation(Op::MulF, {scale, operation(Op::MulF, {dividend, inverse})});
}

// An inverse of the divisor that is exact to a few bits, one step of Newton's, and two corrections. Division by zero
// gives any value.
NodeId Reader::quotient(NodeId dividend, NodeId divisor, bool isSigned, bool isRemainder) {
  NodeId signOfDividend = NoNode, signOfDivisor = NoNode;
  if (isSigned) {
    auto magnitude = [&](NodeId &value) {
      const NodeId sign = operation(Op::ShiftRightSigned, {value, constant(31)});
      value = operation(Op::Xor, {operation(Op::Add, {value, sign}), sign});
      return sign;
    };
    signOfDividend = magnitude(dividend);
    signOfDivisor = magnitude(divisor);
  }
  const NodeId zero = constant(0);
  const NodeId inverse = unary(Op::Rcp, unary(Op::FloatOfU, divisor));
  NodeId estimate = unary(Op::UintOfF, operation(Op::MulF, {inverse, constant(0x4f7ffffe)}));
  const NodeId negative = operation(Op::Sub, {zero, divisor});
  const NodeId error = operation(Op::Mul, {negative, estimate});
  estimate = operation(Op::Add, {estimate, operation(Op::MulHighU, {estimate, error})});
  NodeId result = operation(Op::MulHighU, {dividend, estimate});
  NodeId rest = operation(Op::Sub, {dividend, operation(Op::Mul, {result, divisor})});
  for (unsigned i = 0; i < 2; ++i) {
    const NodeId isLess = operation(Op::CompareI, {rest, divisor}, llvm::CmpInst::ICMP_UGE);
    result = operation(Op::Select, {isLess, operation(Op::Add, {result, constant(1)}), result});
    rest = operation(Op::Select, {isLess, operation(Op::Sub, {rest, divisor}), rest});
  }
  const NodeId value = isRemainder ? rest : result;
  if (!isSigned)
    return value;
  const NodeId sign = isRemainder ? signOfDividend : operation(Op::Xor, {signOfDividend, signOfDivisor});
  return operation(Op::Sub, {operation(Op::Xor, {value, sign}), sign});
}

void Reader::readCast(const llvm::CastInst &instruction) {
  const llvm::Type *from = instruction.getSrcTy(), *to = instruction.getDestTy();
  const llvm::Value *operand = instruction.getOperand(0);
  if (instruction.getOpcode() == llvm::Instruction::IntToPtr && to->getPointerAddressSpace() == 4) {
    const Nodes parts = valuesOf(operand);
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
    if (is32Bit(from) && isBoolType(to)) {
      for (NodeId part : parts)
        result.push_back(operation(Op::BoolOf, {operation(Op::And, {part, one})}));
      return set(&instruction, result);
    }
    break;
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::SIToFP:
    if (!to->getScalarType()->isFloatTy() || isBoolType(from) || !is32Bit(from))
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

NodeId Reader::compareInteger(llvm::CmpInst::Predicate predicate, NodeId left, NodeId right) {
  return operation(Op::CompareI, {left, right}, predicate);
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
  if (!is32Bit(type)) {
    std::string name;
    llvm::raw_string_ostream(name) << *type;
    return refuse("a comparison of " + name);
  }
  for (size_t i = 0; i < left.size(); ++i) {
    if (predicate == llvm::CmpInst::FCMP_TRUE || predicate == llvm::CmpInst::FCMP_FALSE)
      result.push_back(boolConstant(predicate == llvm::CmpInst::FCMP_TRUE));
    else if (instruction.isIntPredicate())
      result.push_back(compareInteger(predicate, left[i], right[i]));
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

// Intrinsics that compute; false: the intrinsic is none of them.
bool Reader::readArithmetic(const llvm::CallInst &call) {
  const ID id = call.getIntrinsicID();
  if (const std::optional<Op> op = elementwise(id)) {
    if (!is32Bit(call.getType()))
      return false;
    llvm::SmallVector<Nodes, 3> operands;
    for (const llvm::Use &argument : call.args()) {
      if (!is32Bit(argument->getType()))
        return false;
      operands.push_back(valuesOf(argument));
    }
    Nodes result;
    for (size_t i = 0; i < operands[0].size(); ++i) {
      Nodes of;
      for (const Nodes &operand : operands)
        of.push_back(operand[i]);
      if (*op == Op::ReadFirstLane && nodeOf(of[0]).bank == Bank::Scalar)
        result.push_back(of[0]);
      else
        result.push_back(operation(*op, of));
    }
    set(&call, result);
    return true;
  }
  auto each = [&](auto &&make) {
    Nodes nodes = valuesOf(call.getArgOperand(0));
    for (NodeId &node : nodes)
      node = make(node);
    set(&call, nodes);
    return true;
  };
  if (call.arg_size() && !is32Bit(call.getType()))
    return false;
  switch (id) {
  case Intrinsic::sin:
  case Intrinsic::cos:
    return each([&](NodeId node) { // v_sin_f32 takes turns; its range is that of v_fract_f32 on GFX8 and GFX9
      constexpr uint32_t inverseOfTwoPi = 0x3e22f983;
      return unary(id == Intrinsic::sin ? Op::Sin : Op::Cos,
                   unary(Op::Fract, operation(Op::MulF, {node, constant(inverseOfTwoPi)})));
    });
  case Intrinsic::usub_sat:
  case Intrinsic::uadd_sat: {
    const Nodes left = valuesOf(call.getArgOperand(0)), right = valuesOf(call.getArgOperand(1));
    Nodes result;
    for (size_t i = 0; i < left.size(); ++i)
      if (id == Intrinsic::usub_sat)
        result.push_back(operation(Op::Sub, {operation(Op::MaxU, {left[i], right[i]}), right[i]}));
      else
        result.push_back(operation(
            Op::Add, {operation(Op::MinU, {left[i], operation(Op::Xor, {right[i], constant(UINT32_MAX)})}), right[i]}));
    set(&call, result);
    return true;
  }
  case Intrinsic::abs:
    return each([&](NodeId node) { return operation(Op::MaxI, {node, operation(Op::Sub, {constant(0), node})}); });
  case Intrinsic::cttz:
  case Intrinsic::ctlz: {
    const bool isZeroPoison = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne();
    return each([&](NodeId node) {
      const NodeId bit = unary(id == Intrinsic::cttz ? Op::FindLowBit : Op::FindHighBit, node);
      return isZeroPoison ? bit : operation(Op::MinU, {bit, constant(32)});
    });
  }
  case Intrinsic::copysign: {
    const Nodes magnitudes = valuesOf(call.getArgOperand(0)), signs = valuesOf(call.getArgOperand(1));
    Nodes result;
    for (size_t i = 0; i < magnitudes.size(); ++i)
      result.push_back(operation(Op::SelectBits, {constant(0x7fffffff), magnitudes[i], signs[i]}));
    set(&call, result);
    return true;
  }
  case Intrinsic::amdgcn_wqm:
  case Intrinsic::amdgcn_softwqm:
    m_program.needsQuads |= id == Intrinsic::amdgcn_wqm;
    return each([](NodeId node) { return node; });
  case Intrinsic::amdgcn_update_dpp: {
    const auto number = [&](unsigned i) {
      return uint32_t(llvm::cast<llvm::ConstantInt>(call.getArgOperand(i))->getZExtValue());
    };
    constexpr unsigned QuadPermutations = 256; // controls below are permutations of four lanes
    const NodeId old = valueOf1(call.getArgOperand(0)), source = valueOf1(call.getArgOperand(1));
    if (number(2) >= QuadPermutations || number(3) != 15 || number(4) != 15 || nodeOf(old).op != Op::Undefined)
      return false;
    if (nodeOf(source).bank == Bank::Scalar) {
      set(&call, {source});
      return true;
    }
    m_program.needsQuads |= m_program.isFragment;
    set(&call, {operation(Op::Dpp, {source}, number(2))});
    return true;
  }
  case Intrinsic::amdgcn_interp_p1:
  case Intrinsic::amdgcn_interp_p2:
  case Intrinsic::amdgcn_interp_mov: {
    const auto number = [&](unsigned i) {
      return uint32_t(llvm::cast<llvm::ConstantInt>(call.getArgOperand(i))->getZExtValue());
    };
    const NodeId mask = valueOf1(call.getArgOperand(call.arg_size() - 1));
    if (id == Intrinsic::amdgcn_interp_mov)
      set(&call, {operation(Op::InterpMov, {mask}, number(2) << 2 | number(1) | number(0) << 8)});
    else if (id == Intrinsic::amdgcn_interp_p1)
      set(&call, {operation(Op::InterpP1, {valueOf1(call.getArgOperand(0)), mask}, number(2) << 2 | number(1))});
    else
      set(&call, {operation(Op::InterpP2, {valueOf1(call.getArgOperand(1)), valueOf1(call.getArgOperand(0)), mask},
                            number(3) << 2 | number(2))});
    return true;
  }
  case Intrinsic::amdgcn_reloc_constant: {
    const auto *metadata = llvm::cast<llvm::MetadataAsValue>(call.getArgOperand(0))->getMetadata();
    const auto *text = llvm::dyn_cast<llvm::MDString>(llvm::cast<llvm::MDNode>(metadata)->getOperand(0));
    const std::string_view symbol = text ? std::string_view(text->getString()) : std::string_view();
    uint32_t index = 0;
    RelocatedConstant constant;
    if (const auto link = linkConstantOf(symbol))
      constant = *link;
    else if (const auto layout = layoutConstantOf(symbol))
      constant = *layout;
    else
      return false;
    while (index < m_program.relocated.size() && m_program.relocated[index] != constant)
      ++index;
    if (index == m_program.relocated.size())
      m_program.relocated.push_back(constant);
    set(&call, {relocated(index)});
    return true;
  }
  default:
    return false;
  }
}

void Reader::readCall(const llvm::CallInst &call) {
  if (const auto *text = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
    // Our own IR hides values from LLVM's optimisations like this; there is no code.
    const llvm::StringRef constraints = text->getConstraintString();
    const bool isCopy = text->getAsmString().empty() && (constraints == "=v,0" || constraints == "=s,0");
    if (readTable(call))
      return;
    if (!isCopy || !partsOf(call.getType()))
      return refuse("inline assembly: " + text->getAsmString().substr(0, 12).str() + " " + constraints.str());
    Nodes nodes = valuesOf(call.getArgOperand(0));
    if (constraints == "=s,0")
      for (NodeId &node : nodes)
        node = uniform(node);
    return set(&call, nodes);
  }
  switch (call.getIntrinsicID()) {
  case Intrinsic::amdgcn_s_getpc: {
    Node low, high;
    low.op = Op::PcLow;
    high.op = Op::PcHigh;
    const NodeId lowNode = make(low);
    return set(&call, {lowNode, make(high)});
  }
  case Intrinsic::amdgcn_wave_barrier:
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
    return;
  case Intrinsic::amdgcn_s_barrier: {
    Node node;
    node.op = Op::Barrier;
    return effect(makeList(node, {}));
  }
  case Intrinsic::amdgcn_s_sendmsg: {
    Node node;
    node.op = Op::SendMessage;
    node.imm = uint32_t(llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue());
    return effect(makeList(node, {uniform(valueOf1(call.getArgOperand(1)))}));
  }
  case Intrinsic::amdgcn_kill: {
    Node node;
    node.op = Op::Kill;
    return effect(makeList(node, {valueOf1(call.getArgOperand(0))}));
  }
  default:
    break;
  }
  if (readArithmetic(call) || readMemoryCall(call))
    return;
  refuse(call.getCalledFunction() ? call.getCalledFunction()->getName().str() : "a call");
}

} // namespace dovetail::first
