// SPDX-License-Identifier: MIT
//
// Evaluates integer and Boolean constants: the sizes of arrays and workgroups, scopes, streams. Vectors are evaluated
// as well, because sizes are taken from them. A number is kept zero-extended from its width, a Boolean as 0 or 1.
#include "src/spirv/module/names.h"
#include "src/spirv/reflect/declarations.h"

namespace dovetail::spirv {

namespace {

using Components = std::vector<uint64_t>;

int64_t extended(uint64_t value, unsigned width) {
  const unsigned unused = 64 - width;
  return int64_t(value << unused) >> unused;
}

// `width`: that of the operands. Returns nothing for operations that are not known. SPIR-V leaves a division by zero
// and a shift by too many bits undefined; here they are what the translation makes of them (safeDivisor() and
// safeShift() in translate/ops/arithmetic_ops.cpp), so that a size and a value of one constant agree.
std::optional<uint64_t> fold(spv::Op operation, unsigned width, uint64_t a, uint64_t b) {
  const int64_t signedA = extended(a, width), signedB = extended(b, width);
  switch (operation) {
  case spv::Op::OpUConvert:
    return a;
  case spv::Op::OpSConvert:
    return signedA;
  case spv::Op::OpIAdd:
    return a + b;
  case spv::Op::OpISub:
    return a - b;
  case spv::Op::OpIMul:
    return a * b;
  case spv::Op::OpUDiv:
    return b ? a / b : a;
  case spv::Op::OpUMod:
    return b ? a % b : 0;
  case spv::Op::OpSDiv:
    return signedB == -1 ? 0 - a : signedB ? uint64_t(signedA / signedB) : a;
  case spv::Op::OpSRem:
    return signedB == -1 || signedB == 0 ? 0 : uint64_t(signedA % signedB);
  case spv::Op::OpSMod: {
    const int64_t remainder = signedB == -1 || signedB == 0 ? 0 : signedA % signedB;
    return remainder != 0 && (remainder < 0) != (signedB < 0) ? uint64_t(remainder) + b : uint64_t(remainder);
  }
  case spv::Op::OpShiftLeftLogical:
    return a << (b & (width - 1));
  case spv::Op::OpShiftRightLogical:
    return a >> (b & (width - 1));
  case spv::Op::OpShiftRightArithmetic:
    return signedA >> (b & (width - 1));
  case spv::Op::OpBitwiseAnd:
  case spv::Op::OpLogicalAnd:
    return a & b;
  case spv::Op::OpBitwiseOr:
  case spv::Op::OpLogicalOr:
    return a | b;
  case spv::Op::OpBitwiseXor:
    return a ^ b;
  case spv::Op::OpNot:
    return ~a;
  case spv::Op::OpSNegate:
    return 0 - a;
  case spv::Op::OpLogicalNot:
    return !a;
  case spv::Op::OpIEqual:
  case spv::Op::OpLogicalEqual:
    return a == b;
  case spv::Op::OpINotEqual:
  case spv::Op::OpLogicalNotEqual:
    return a != b;
  case spv::Op::OpUGreaterThan:
    return a > b;
  case spv::Op::OpUGreaterThanEqual:
    return a >= b;
  case spv::Op::OpULessThan:
    return a < b;
  case spv::Op::OpULessThanEqual:
    return a <= b;
  case spv::Op::OpSGreaterThan:
    return signedA > signedB;
  case spv::Op::OpSGreaterThanEqual:
    return signedA >= signedB;
  case spv::Op::OpSLessThan:
    return signedA < signedB;
  case spv::Op::OpSLessThanEqual:
    return signedA <= signedB;
  default:
    return std::nullopt;
  }
}

} // namespace

// The width of an integer, a Boolean, or a vector of them; 0 for other types.
unsigned Declarations::componentWidth(uint32_t typeId) const {
  const Instruction &type = global(typeId);
  if (type.opcode == spv::Op::OpTypeVector)
    return componentWidth(type.operand(0));
  if (type.opcode == spv::Op::OpTypeBool)
    return 1;
  return type.opcode == spv::Op::OpTypeInt ? type.operand(0) : 0;
}

Result<uint64_t> Declarations::constant(uint32_t id) const {
  const Components components = DOVETAIL_TRY(constantComponents(id, 0));
  if (components.size() != 1)
    return makeError(ErrorCode::Unsupported, "%{} is not a known integer constant", id);
  return components[0];
}

// Each constant is evaluated once, because many other constants may use it.
Result<Components> Declarations::constantComponents(uint32_t id, unsigned depth) const {
  if (const auto known = m_constants.find(id); known != m_constants.end())
    return known->second;
  auto found = m_globals.find(id);
  if (found == m_globals.end() || depth > MaxTypeDepth || componentWidth(found->second->resultType) == 0)
    return makeError(ErrorCode::Unsupported, "%{} is not a known integer constant", id);
  Components components = DOVETAIL_TRY(workOutConstant(*found->second, depth));
  m_constants[id] = components;
  return components;
}

Result<Components> Declarations::workOutConstant(const Instruction &inst, unsigned depth) const {
  switch (inst.opcode) {
  case spv::Op::OpConstant:
  case spv::Op::OpSpecConstant:
    return Components{numberOf(inst, componentWidth(inst.resultType))};
  case spv::Op::OpConstantTrue:
  case spv::Op::OpSpecConstantTrue:
    return Components{1};
  case spv::Op::OpConstantFalse:
  case spv::Op::OpSpecConstantFalse:
    return Components{0};
  case spv::Op::OpConstantNull:
  case spv::Op::OpUndef: // any value will do
    return zeros(inst.resultType);
  case spv::Op::OpConstantComposite:
  case spv::Op::OpSpecConstantComposite: {
    Components components;
    for (uint32_t part : inst.operands)
      components.push_back(DOVETAIL_TRY(constantComponents(part, depth + 1)).front());
    return components;
  }
  case spv::Op::OpSpecConstantOp:
    return constantOperation(inst, depth);
  default:
    return makeError(ErrorCode::Unsupported, "{} at word {} is not a known integer constant", nameOf(inst.opcode),
                     inst.wordOffset);
  }
}

Components Declarations::zeros(uint32_t typeId) const {
  const Instruction &type = global(typeId);
  return Components(type.opcode == spv::Op::OpTypeVector ? type.operand(1) : 1);
}

Result<Components> Declarations::constantOperation(const Instruction &inst, unsigned depth) const {
  const auto operation = static_cast<spv::Op>(inst.operand(0));
  const auto isNotSupported = [&] {
    return makeError(ErrorCode::Unsupported, "OpSpecConstantOp {} at word {} as a size is not supported",
                     nameOf(operation), inst.wordOffset);
  };
  if (inst.operandCount() < 2)
    return isNotSupported();
  // For arrays and structures, only the extracted element is evaluated; the others may be of any type.
  if (operation == spv::Op::OpCompositeExtract) {
    uint32_t from = inst.operand(1);
    for (size_t at = 2; at < inst.operandCount(); ++at) {
      auto composite = m_globals.find(from);
      if (composite == m_globals.end())
        return isNotSupported();
      if (composite->second->opcode == spv::Op::OpConstantNull)
        return zeros(inst.resultType);
      const bool isComposite = composite->second->opcode == spv::Op::OpConstantComposite ||
                               composite->second->opcode == spv::Op::OpSpecConstantComposite;
      if (isComposite && inst.operand(at) < composite->second->operandCount()) {
        from = composite->second->operand(inst.operand(at));
        continue;
      }
      // Evaluates a vector, and takes its component.
      const Components all = DOVETAIL_TRY(constantComponents(from, depth + 1));
      if (at + 1 != inst.operandCount() || inst.operand(at) >= all.size())
        return isNotSupported();
      return Components{all[inst.operand(at)]};
    }
    return constantComponents(from, depth + 1);
  }

  const Components a = DOVETAIL_TRY(constantComponents(inst.operand(1), depth + 1));
  const unsigned width = componentWidth(inst.resultType);
  switch (operation) {
  case spv::Op::OpCompositeInsert: {
    if (inst.operandCount() != 4)
      return isNotSupported();
    Components whole = DOVETAIL_TRY(constantComponents(inst.operand(2), depth + 1));
    if (inst.operand(3) >= whole.size() || a.size() != 1)
      return isNotSupported();
    whole[inst.operand(3)] = a[0];
    return whole;
  }
  case spv::Op::OpVectorShuffle: {
    Components both = a, result;
    for (uint64_t component : DOVETAIL_TRY(constantComponents(inst.operand(2), depth + 1)))
      both.push_back(component);
    for (size_t i = 3; i < inst.operandCount(); ++i)
      result.push_back(inst.operand(i) < both.size() ? both[inst.operand(i)] : 0); // 0 for undefined components
    return result;
  }
  case spv::Op::OpSelect: {
    if (inst.operandCount() != 4)
      return isNotSupported();
    if (a.size() == 1)
      return constantComponents(inst.operand(a[0] ? 2 : 3), depth + 1);
    Components chosen = DOVETAIL_TRY(constantComponents(inst.operand(2), depth + 1));
    const Components others = DOVETAIL_TRY(constantComponents(inst.operand(3), depth + 1));
    if (chosen.size() != a.size() || others.size() != a.size())
      return isNotSupported();
    for (size_t i = 0; i < a.size(); ++i)
      chosen[i] = a[i] ? chosen[i] : others[i];
    return chosen;
  }
  default:
    break;
  }

  Components b(a.size());
  if (inst.operandCount() == 3)
    b = DOVETAIL_TRY(constantComponents(inst.operand(2), depth + 1));
  if (inst.operandCount() > 3 || b.size() != a.size())
    return isNotSupported();
  const unsigned operandWidth = componentWidth(global(inst.operand(1)).resultType);
  Components result;
  for (size_t i = 0; i < a.size(); ++i) {
    const std::optional<uint64_t> folded = fold(operation, operandWidth, a[i], b[i]);
    if (!folded)
      return isNotSupported();
    result.push_back(truncated(*folded, width));
  }
  return result;
}

} // namespace dovetail::spirv
