// SPDX-License-Identifier: MIT
//
// Logic on bools, and comparisons, whose results are bools.
#include "src/spirv/translate/translator.h"

namespace dovetail::spirv {

namespace {

std::optional<llvm::CmpInst::Predicate> predicateOf(spv::Op opcode) {
  using llvm::CmpInst;
  switch (opcode) {
  case spv::Op::OpIEqual:
    return CmpInst::ICMP_EQ;
  case spv::Op::OpINotEqual:
    return CmpInst::ICMP_NE;
  case spv::Op::OpUGreaterThan:
    return CmpInst::ICMP_UGT;
  case spv::Op::OpSGreaterThan:
    return CmpInst::ICMP_SGT;
  case spv::Op::OpUGreaterThanEqual:
    return CmpInst::ICMP_UGE;
  case spv::Op::OpSGreaterThanEqual:
    return CmpInst::ICMP_SGE;
  case spv::Op::OpULessThan:
    return CmpInst::ICMP_ULT;
  case spv::Op::OpSLessThan:
    return CmpInst::ICMP_SLT;
  case spv::Op::OpULessThanEqual:
    return CmpInst::ICMP_ULE;
  case spv::Op::OpSLessThanEqual:
    return CmpInst::ICMP_SLE;
  case spv::Op::OpFOrdEqual:
    return CmpInst::FCMP_OEQ;
  case spv::Op::OpFUnordEqual:
    return CmpInst::FCMP_UEQ;
  case spv::Op::OpFOrdNotEqual:
    return CmpInst::FCMP_ONE;
  case spv::Op::OpFUnordNotEqual:
    return CmpInst::FCMP_UNE;
  case spv::Op::OpFOrdLessThan:
    return CmpInst::FCMP_OLT;
  case spv::Op::OpFUnordLessThan:
    return CmpInst::FCMP_ULT;
  case spv::Op::OpFOrdGreaterThan:
    return CmpInst::FCMP_OGT;
  case spv::Op::OpFUnordGreaterThan:
    return CmpInst::FCMP_UGT;
  case spv::Op::OpFOrdLessThanEqual:
    return CmpInst::FCMP_OLE;
  case spv::Op::OpFUnordLessThanEqual:
    return CmpInst::FCMP_ULE;
  case spv::Op::OpFOrdGreaterThanEqual:
    return CmpInst::FCMP_OGE;
  case spv::Op::OpFUnordGreaterThanEqual:
    return CmpInst::FCMP_UGE;
  default:
    return std::nullopt;
  }
}

// Combines the components of a vector of bools one by one: an i1 vector has no register of its own on this target.
llvm::Value *reduce(lgc::Builder &builder, llvm::Value *vector, bool isAll) {
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(vector->getType());
  if (!type)
    return vector;
  llvm::Value *result = builder.CreateExtractElement(vector, uint64_t(0));
  for (unsigned i = 1; i < type->getNumElements(); ++i) {
    llvm::Value *component = builder.CreateExtractElement(vector, uint64_t(i));
    result = isAll ? builder.CreateAnd(result, component) : builder.CreateOr(result, component);
  }
  return result;
}

} // namespace

Result<void> Translator::translateLogic(const Instruction &inst) {
  Value *a = DOVETAIL_TRY(operandValue(inst, 0));
  switch (inst.opcode) {
  case spv::Op::OpAny:
  case spv::Op::OpAll:
    setValue(inst, reduce(m_builder, a, inst.opcode == spv::Op::OpAll));
    return {};
  case spv::Op::OpLogicalNot:
    setValue(inst, m_builder.CreateNot(a));
    return {};
  case spv::Op::OpIsNan:
    setValue(inst, m_builder.CreateIsNaN(a));
    return {};
  case spv::Op::OpIsInf:
    setValue(inst, m_builder.CreateIsInf(a));
    return {};
  default:
    break;
  }
  Value *b = DOVETAIL_TRY(operandValue(inst, 1));
  switch (inst.opcode) {
  case spv::Op::OpLogicalEqual:
    setValue(inst, m_builder.CreateICmpEQ(a, b));
    return {};
  case spv::Op::OpLogicalNotEqual:
    setValue(inst, m_builder.CreateICmpNE(a, b));
    return {};
  case spv::Op::OpLogicalOr:
    setValue(inst, m_builder.CreateOr(a, b));
    return {};
  case spv::Op::OpLogicalAnd:
    setValue(inst, m_builder.CreateAnd(a, b));
    return {};
  default:
    return unsupported(inst);
  }
}

Result<void> Translator::translateComparison(const Instruction &inst) {
  std::optional<llvm::CmpInst::Predicate> predicate = predicateOf(inst.opcode);
  if (!predicate)
    return unsupported(inst);
  Value *a = DOVETAIL_TRY(operandValue(inst, 0));
  Value *b = DOVETAIL_TRY(operandValue(inst, 1));
  setValue(inst, m_builder.CreateCmp(*predicate, a, b));
  return {};
}

} // namespace dovetail::spirv
