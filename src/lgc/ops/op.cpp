// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "src/lgc/ops/op_result_types.h"
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

namespace lgc {

namespace {

// The metadata that carries the OpCode on an op's declaration.
constexpr char OpCodeMetadata[] = "lgc.op";

struct OpInfo {
  StringRef mnemonic;
  OpEffects effects;
  unsigned operandCount; // stored operands
};

template <typename... Operands> constexpr unsigned storedCount() {
  return storedPosition<Operands...>(sizeof...(Operands) - 1); // the last one is Nil
}

const OpInfo OpInfos[] = {
#define LGC_OP(name, mnemonic, effects, resultType, operands)                                                          \
  {mnemonic, OpEffects::effects, storedCount<BOOST_PP_SEQ_FOR_EACH(LGC_OPERAND_TYPE_LIST, _, operands) Nil>()},
#include "src/lgc/ops/internal.def"
#include "src/lgc/ops/ops.def"
#undef LGC_OP
};

// A name for a type in an overload suffix: v4f32, i32, s (any aggregate, by its printed form).
void appendTypeName(raw_ostream &out, Type *type) {
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    out << 'v' << vector->getNumElements();
    return appendTypeName(out, vector->getElementType());
  }
  if (auto *array = dyn_cast<ArrayType>(type)) {
    out << 'a' << array->getNumElements();
    return appendTypeName(out, array->getElementType());
  }
  if (type->isHalfTy())
    out << "f16";
  else if (type->isFloatTy())
    out << "f32";
  else if (type->isDoubleTy())
    out << "f64";
  else
    type->print(out);
}

void setEffects(Function &declaration, OpEffects effects) {
  declaration.setDoesNotThrow();
  declaration.addFnAttr(Attribute::WillReturn);
  switch (effects) {
  case OpEffects::Convergent:
    declaration.setConvergent();
    declaration.setDoesNotAccessMemory();
    break;
  case OpEffects::Pure:
    declaration.addFnAttr(Attribute::Speculatable);
    [[fallthrough]];
  case OpEffects::PureRead: // not speculatable: an address may be valid only under the shader's own condition
    declaration.setDoesNotAccessMemory();
    break;
  case OpEffects::ConvergentRead:
    declaration.setConvergent();
    declaration.setOnlyReadsMemory();
    break;
  case OpEffects::Read:
    declaration.setOnlyReadsMemory();
    break;
  case OpEffects::ConvergentWrite:
    declaration.setConvergent();
    break;
  case OpEffects::Write:
    break;
  }
}

Function *getDeclaration(Module &module, OpCode code, Type *resultType, ArrayRef<Value *> operands) {
  const OpInfo &info = OpInfos[static_cast<unsigned>(code)];
  std::string name;
  raw_string_ostream out(name);
  out << "lgc." << info.mnemonic << '.';
  appendTypeName(out, resultType);
  SmallVector<Type *, 12> types;
  for (Value *operand : operands) {
    types.push_back(operand->getType());
    out << '.';
    appendTypeName(out, operand->getType());
  }

  LLVMContext &context = module.getContext();
  auto *functionType = FunctionType::get(resultType, types, false);
  if (Function *existing = module.getFunction(name))
    return existing;
  Function *declaration = Function::Create(functionType, GlobalValue::ExternalLinkage, name, module);
  setEffects(*declaration, info.effects);
  auto *number = ConstantInt::get(Type::getInt32Ty(context), static_cast<uint32_t>(code));
  declaration->setMetadata(OpCodeMetadata, MDNode::get(context, ConstantAsMetadata::get(number)));
  return declaration;
}

// What is wrong with an op, or an empty text.
using CheckImmediates = std::string (*)(const CallInst &call);

template <typename T, unsigned position> void checkOperand(const CallInst &call, std::string &problem) {
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
    if (!isa<ConstantInt>(call.getArgOperand(position)))
      problem = "operand " + std::to_string(position) + " is not a constant";
}

template <typename... Operands, size_t... indices>
std::string checkImmediatesOf(const CallInst &call, std::index_sequence<indices...>) {
  std::string problem;
  (checkOperand<Operands, storedPosition<Operands...>(indices)>(call, problem), ...);
  return problem;
}

template <typename... Operands> std::string checkImmediates(const CallInst &call) {
  return checkImmediatesOf<Operands...>(call, std::index_sequence_for<Operands...>());
}

const CheckImmediates ImmediateChecks[] = {
#define LGC_OP(name, mnemonic, effects, resultType, operands)                                                          \
  checkImmediates<BOOST_PP_SEQ_FOR_EACH(LGC_OPERAND_TYPE_LIST, _, operands) Nil>,
#include "src/lgc/ops/internal.def"
#include "src/lgc/ops/ops.def"
#undef LGC_OP
};

// The result type that an op's row computes from its operands.
Type *expectedType(const Op &op) {
  using namespace result_types;
  [[maybe_unused]] LLVMContext &context = op.getContext();
  switch (op.opCode()) {
#define LGC_OPERAND_LOCAL(r, data, operand)                                                                            \
  [[maybe_unused]] auto LGC_OPERAND_NAME(operand) = typedOp->LGC_OPERAND_NAME(operand)();
#define LGC_OP(name_, mnemonic_, effects_, resultType_, operands_)                                                     \
  case OpCode::name_: {                                                                                                \
    [[maybe_unused]] auto *typedOp = cast<name_##Op>(&op);                                                             \
    BOOST_PP_SEQ_FOR_EACH(LGC_OPERAND_LOCAL, _, operands_)                                                             \
    return resultType_;                                                                                                \
  }
#include "src/lgc/ops/internal.def"
#include "src/lgc/ops/ops.def"
#undef LGC_OP
#undef LGC_OPERAND_LOCAL
  case OpCode::Count:
    break;
  }
  llvm_unreachable("not a dialect op");
}

} // namespace

namespace operand_codec {

Value *encode(LLVMContext &context, OptionalValue value) {
  return value ? static_cast<Value *>(value) : PoisonValue::get(Type::getInt1Ty(context));
}

Value *encodeImmediate(LLVMContext &context, uint32_t value) {
  return ConstantInt::get(Type::getInt32Ty(context), value);
}

OptionalValue decodeOptional(Value *operand) {
  bool isAbsent = isa<PoisonValue>(operand) && operand->getType()->isIntegerTy(1);
  return isAbsent ? nullptr : operand;
}

uint32_t decodeImmediate(const Value *operand) {
  return static_cast<uint32_t>(cast<ConstantInt>(operand)->getZExtValue());
}

} // namespace operand_codec

OpCode Op::opCodeOf(const CallInst *call) {
  const Function *callee = call->getCalledFunction();
  if (!callee || !callee->hasMetadata())
    return OpCode::Count;
  const MDNode *node = callee->getMetadata(OpCodeMetadata);
  if (!node)
    return OpCode::Count;
  auto *number = mdconst::extract<ConstantInt>(node->getOperand(0));
  return static_cast<OpCode>(number->getZExtValue());
}

StringRef Op::mnemonicOf(OpCode code) {
  return OpInfos[static_cast<unsigned>(code)].mnemonic;
}

CallInst *Op::createCall(IRBuilderBase &builder, OpCode code, Type *resultType, ArrayRef<Value *> operands,
                         const Twine &name) {
  Module &module = *builder.GetInsertBlock()->getModule();
  Function *declaration = getDeclaration(module, code, resultType, operands);
  return builder.CreateCall(declaration, operands, resultType->isVoidTy() ? Twine() : name);
}

#define LGC_OPERAND_APPEND(r, data, operand) append(context, stored, LGC_OPERAND_NAME(operand));
#define LGC_OP(name_, mnemonic_, effects_, resultType_, operands_)                                                     \
  name_##Op *name_##Op::create(IRBuilderBase &builder, LGC_PARAMETERS(operands_) const Twine &instName) {              \
    using namespace result_types;                                                                                      \
    [[maybe_unused]] LLVMContext &context = builder.getContext();                                                      \
    SmallVector<Value *, 12> stored;                                                                                   \
    BOOST_PP_SEQ_FOR_EACH(LGC_OPERAND_APPEND, _, operands_)                                                            \
    return static_cast<name_##Op *>(createCall(builder, code, resultType_, stored, instName));                         \
  }
#include "src/lgc/ops/internal.def"
#include "src/lgc/ops/ops.def"
#undef LGC_OP

std::string verifyOps(const Module &module) {
  for (const Function &function : module) {
    for (const Instruction &instruction : instructions(function)) {
      auto *op = dyn_cast<Op>(&instruction);
      if (!op)
        continue;
      const OpInfo &info = OpInfos[static_cast<unsigned>(op->opCode())];
      std::string problem;
      if (op->arg_size() != info.operandCount)
        problem = "has " + std::to_string(op->arg_size()) + " operands, not " + std::to_string(info.operandCount);
      else if (problem = ImmediateChecks[static_cast<unsigned>(op->opCode())](*op);
               problem.empty() && op->getType() != expectedType(*op))
        problem = "has a result type that its operands do not allow";
      if (!problem.empty())
        return (Twine("lgc.") + info.mnemonic + " in " + function.getName() + " " + problem).str();
    }
  }
  return {};
}

} // namespace lgc
