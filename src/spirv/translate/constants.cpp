// SPDX-License-Identifier: MIT
//
// Constants. Specialisation constants have their values already (specialize.h). OpSpecConstantOp runs through the same
// handlers as an instruction of a function, and LLVM's constant folder makes a constant of it. Declarations evaluates
// the sizes and other numbers that the translation itself needs.
#include "src/spirv/module/names.h"
#include "src/spirv/translate/translator.h"
#include <llvm/IR/Constants.h>

namespace dovetail::spirv {

Result<llvm::Constant *> Translator::scalarConstant(const Instruction &inst) {
  const TypeInfo &info = resultType(inst);
  uint64_t bits = inst.operand(0);
  if (info.width == 64)
    bits |= uint64_t(inst.operand(1)) << 32;
  if (info.width < 64)
    bits &= (uint64_t(1) << info.width) - 1;
  llvm::Constant *integer = llvm::ConstantInt::get(llvm::Type::getIntNTy(m_context, info.width), bits);
  if (info.kind == TypeKind::Int)
    return integer;
  return llvm::ConstantFP::get(m_context, llvm::APFloat(info.value->getFltSemantics(), llvm::APInt(info.width, bits)));
}

Result<void> Translator::translateConstant(const Instruction &inst) {
  const TypeInfo &info = resultType(inst);
  switch (inst.opcode) {
  case spv::Op::OpConstantTrue:
  case spv::Op::OpSpecConstantTrue:
    setValue(inst, m_builder.getTrue());
    return {};
  case spv::Op::OpConstantFalse:
  case spv::Op::OpSpecConstantFalse:
    setValue(inst, m_builder.getFalse());
    return {};
  case spv::Op::OpConstant:
  case spv::Op::OpSpecConstant: {
    llvm::Constant *constant = DOVETAIL_TRY(scalarConstant(inst));
    setValue(inst, constant);
    return {};
  }
  case spv::Op::OpConstantNull:
    if (!info.value)
      return unsupported(inst, "a null of this type is not supported");
    setValue(inst, llvm::Constant::getNullValue(info.value));
    return {};
  case spv::Op::OpUndef:
    return translateUndef(inst);
  case spv::Op::OpConstantComposite:
  case spv::Op::OpSpecConstantComposite: {
    if (!info.value)
      return unsupported(inst, "a constant of this type is not supported");
    std::vector<llvm::Constant *> parts;
    for (uint32_t id : inst.operands) {
      Value *part = DOVETAIL_TRY(value(inst, id));
      if (auto *constant = llvm::dyn_cast<llvm::Constant>(part))
        parts.push_back(constant);
    }
    if (parts.size() != inst.operandCount())
      return translateCompositeConstruct(inst);
    if (info.kind == TypeKind::Vector)
      setValue(inst, llvm::ConstantVector::get(parts));
    else if (info.kind == TypeKind::Struct)
      setValue(inst, llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(info.value), parts));
    else
      setValue(inst, llvm::ConstantArray::get(llvm::cast<llvm::ArrayType>(info.value), parts));
    return {};
  }
  case spv::Op::OpSpecConstantOp:
    return translateSpecConstantOp(inst);
  default:
    return unsupported(inst);
  }
}

Result<void> Translator::translateSpecConstantOp(const Instruction &inst) {
  Instruction operation = inst;
  operation.opcode = static_cast<spv::Op>(inst.operand(0));
  operation.operands = inst.operands.subspan(1);
  return translateInstruction(operation);
}

Result<uint64_t> Translator::constantInteger(const Instruction &inst, uint32_t id) {
  if (Result<uint64_t> integer = m_declarations.constant(id))
    return integer;
  // LLVM may have folded it, for example an argument of a function that was inlined.
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(DOVETAIL_TRY(value(inst, id)));
  if (!constant)
    return unsupported(inst, fmt::format("operand %{} is not a known integer constant", id));
  return constant->getZExtValue();
}

} // namespace dovetail::spirv
