// SPDX-License-Identifier: MIT
//
// Constants. Specialisation constants have their values already (specialize.h). OpSpecConstantOp runs through the same
// handlers as an instruction of a function, and LLVM's constant folder makes a constant of it. Declarations evaluates
// the sizes and other numbers that the translation itself needs.
#include "src/spirv/translate/globals.h"
#include "src/spirv/translate/ops/handlers.h"
#include <llvm/IR/Constants.h>

namespace dovetail::spirv {

namespace {

llvm::Constant *scalarConstant(Services &s, const Instruction &inst) {
  const TypeInfo &info = s.resultType(inst);
  const uint64_t bits = numberOf(inst, info.width);
  llvm::Constant *integer = llvm::ConstantInt::get(llvm::Type::getIntNTy(s.llvmContext, info.width), bits);
  if (info.kind == TypeKind::Int)
    return integer;
  return llvm::ConstantFP::get(s.llvmContext,
                               llvm::APFloat(info.value->getFltSemantics(), llvm::APInt(info.width, bits)));
}

// Binds a constant or an undefined value.
Result<void> translateConstant(Services &s, const Instruction &inst) {
  const TypeInfo &info = s.resultType(inst);
  switch (inst.opcode) {
  case spv::Op::OpConstantTrue:
  case spv::Op::OpSpecConstantTrue:
    s.setValue(inst, s.builder.getTrue());
    return {};
  case spv::Op::OpConstantFalse:
  case spv::Op::OpSpecConstantFalse:
    s.setValue(inst, s.builder.getFalse());
    return {};
  case spv::Op::OpConstant:
  case spv::Op::OpSpecConstant:
    s.setValue(inst, scalarConstant(s, inst));
    return {};
  case spv::Op::OpConstantNull:
    if (!info.value)
      return unsupported(inst, "a null of this type is not supported");
    s.setValue(inst, llvm::Constant::getNullValue(info.value));
    return {};
  case spv::Op::OpUndef:
    return translateUndef(s, inst);
  case spv::Op::OpConstantComposite:
  case spv::Op::OpSpecConstantComposite: {
    if (!info.value)
      return unsupported(inst, "a constant of this type is not supported");
    std::vector<llvm::Constant *> parts;
    for (uint32_t id : inst.operands) {
      llvm::Value *part = DOVETAIL_TRY(s.operands.value(inst, id));
      if (auto *constant = llvm::dyn_cast<llvm::Constant>(part))
        parts.push_back(constant);
    }
    if (parts.size() != inst.operandCount())
      return translateCompositeConstruct(s, inst);
    if (info.kind == TypeKind::Vector)
      s.setValue(inst, llvm::ConstantVector::get(parts));
    else if (info.kind == TypeKind::Struct)
      s.setValue(inst, llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(info.value), parts));
    else
      s.setValue(inst, llvm::ConstantArray::get(llvm::cast<llvm::ArrayType>(info.value), parts));
    return {};
  }
  case spv::Op::OpSpecConstantOp: {
    Instruction operation = inst;
    operation.opcode = static_cast<spv::Op>(inst.operand(0));
    operation.operands = inst.operands.subspan(1);
    return translateInstruction(s, operation);
  }
  default:
    return unsupported(inst);
  }
}

} // namespace

Result<void> translateConstants(Services &s) {
  // A structure may hold pointers to itself, which are declared after it. A pointer needs no facts about its pointee,
  // so pointers come first.
  for (const Instruction &inst : s.module.globals) {
    if (inst.opcode == spv::Op::OpTypePointer)
      DOVETAIL_CHECK(s.types.add(inst));
  }
  for (const Instruction &inst : s.module.globals) {
    if (inst.opcode == spv::Op::OpTypePointer || inst.opcode == spv::Op::OpVariable ||
        inst.opcode == spv::Op::OpExtInst) // non-semantic information
      continue;
    DOVETAIL_CHECK(inst.result && !inst.resultType ? s.types.add(inst) : translateConstant(s, inst));
  }
  return {};
}

} // namespace dovetail::spirv
