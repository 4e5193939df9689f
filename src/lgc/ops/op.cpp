// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "src/lgc/ops/identify_ops.h"
#include "src/lgc/ops/op_result_types.h"
#include "src/lgc/ops/operand_rules.h"
#include <charconv>
#include <llvm/ADT/SmallString.h>
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
// The beginning of all names of declarations.
constexpr StringRef NamePrefix = "lgc.";

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

using DeclarationName = SmallString<128>;

void appendNumber(DeclarationName &out, uint64_t number) {
  char digits[20];
  out.append(digits, std::to_chars(std::begin(digits), std::end(digits), number).ptr);
}

// Appends a type's name for an overload suffix: v4f32, i32, s (any aggregate, by its printed form). Each new op needs
// one, so the common types do not go through a stream.
void appendTypeName(DeclarationName &out, Type *type) {
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    out += 'v';
    appendNumber(out, vector->getNumElements());
    return appendTypeName(out, vector->getElementType());
  }
  if (auto *array = dyn_cast<ArrayType>(type)) {
    out += 'a';
    appendNumber(out, array->getNumElements());
    return appendTypeName(out, array->getElementType());
  }
  if (auto *integer = dyn_cast<IntegerType>(type)) {
    out += 'i';
    return appendNumber(out, integer->getBitWidth());
  }
  if (type->isHalfTy()) {
    out += "f16";
  } else if (type->isFloatTy()) {
    out += "f32";
  } else if (type->isDoubleTy()) {
    out += "f64";
  } else if (type->isVoidTy()) {
    out += "void";
  } else {
    raw_svector_ostream stream(out);
    type->print(stream);
  }
}

// Sets all attributes at once, because each change of an attribute list makes another list.
void setEffects(Function &declaration, OpEffects effects) {
  AttrBuilder attributes(declaration.getContext());
  attributes.addAttribute(Attribute::NoUnwind).addAttribute(Attribute::WillReturn);
  switch (effects) {
  case OpEffects::Convergent:
    attributes.addAttribute(Attribute::Convergent).addMemoryAttr(MemoryEffects::none());
    break;
  case OpEffects::Pure:
    attributes.addAttribute(Attribute::Speculatable);
    [[fallthrough]];
  case OpEffects::PureRead: // not speculatable: an address may be valid only under the shader's own condition
    attributes.addMemoryAttr(MemoryEffects::none());
    break;
  case OpEffects::ConvergentRead:
    attributes.addAttribute(Attribute::Convergent).addMemoryAttr(MemoryEffects::readOnly());
    break;
  case OpEffects::Read:
    attributes.addMemoryAttr(MemoryEffects::readOnly());
    break;
  case OpEffects::ConvergentWrite:
    attributes.addAttribute(Attribute::Convergent);
    break;
  case OpEffects::Write:
    break;
  }
  declaration.addFnAttrs(attributes);
}

DeclarationName declarationName(OpCode code, FunctionType *type) {
  DeclarationName name;
  name += NamePrefix;
  name += Op::mnemonicOf(code);
  name += '.';
  appendTypeName(name, type->getReturnType());
  for (Type *parameter : type->params()) {
    name += '.';
    appendTypeName(name, parameter);
  }
  return name;
}

// Sets the attributes and the metadata of an op's declaration.
void describe(Function &declaration, OpCode code) {
  setEffects(declaration, OpInfos[static_cast<unsigned>(code)].effects);
  LLVMContext &context = declaration.getContext();
  auto *number = ConstantInt::get(Type::getInt32Ty(context), static_cast<uint32_t>(code));
  declaration.setMetadata(OpCodeMetadata, MDNode::get(context, ConstantAsMetadata::get(number)));
}

Function *getDeclaration(Module &module, OpCode code, Type *resultType, ArrayRef<Value *> operands) {
  SmallVector<Type *, 12> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  auto *type = FunctionType::get(resultType, types, false);
  const DeclarationName name = declarationName(code, type);
  if (Function *existing = module.getFunction(name))
    return existing;
  Function *declaration = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  describe(*declaration, code);
  return declaration;
}

// The op whose mnemonic the name begins with; the longest match counts.
OpCode opCodeOfName(StringRef name) {
  name.consume_front(NamePrefix);
  OpCode found = OpCode::Count;
  for (unsigned code = 0; code < static_cast<unsigned>(OpCode::Count); ++code) {
    StringRef mnemonic = OpInfos[code].mnemonic;
    const bool isMatch = name == mnemonic || (name.starts_with(mnemonic) && name[mnemonic.size()] == '.');
    if (isMatch && (found == OpCode::Count || mnemonic.size() > Op::mnemonicOf(found).size()))
      found = static_cast<OpCode>(code);
  }
  return found;
}

bool isPlainCall(const Use &use) {
  auto *call = dyn_cast<CallInst>(use.getUser());
  return call && call->isCallee(&use) && !call->isMustTailCall() && !call->hasOperandBundles() &&
         call->getFunctionType() == cast<Function>(use.get())->getFunctionType() &&
         call->getCallingConv() == CallingConv::C;
}

// Returns the error in an op, or an empty text.
using CheckImmediates = std::string (*)(const CallInst &call);

template <typename T, unsigned position> void checkOperand(const CallInst &call, std::string &problem) {
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
    if (!isa<ConstantInt>(call.getArgOperand(position)) || !call.getArgOperand(position)->getType()->isIntegerTy(32))
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

dovetail::Result<void> identifyOps(Module &module) {
  auto refuse = [](const GlobalValue &value, const char *problem) {
    return dovetail::makeError(dovetail::ErrorCode::InvalidInput, "{} {}", std::string(value.getName()), problem);
  };
  for (GlobalVariable &variable : module.globals())
    if (variable.getName().starts_with(NamePrefix))
      return refuse(variable, "has the name of an op and is none");
  for (GlobalAlias &alias : module.aliases())
    if (alias.getName().starts_with(NamePrefix))
      return refuse(alias, "has the name of an op and is none");
  for (GlobalIFunc &function : module.ifuncs())
    if (function.getName().starts_with(NamePrefix))
      return refuse(function, "has the name of an op and is none");

  for (Function &function : make_early_inc_range(module)) {
    function.setMetadata(OpCodeMetadata, nullptr);
    if (!function.getName().starts_with(NamePrefix))
      continue;
    const OpCode code = opCodeOfName(function.getName());
    if (code == OpCode::Count && !function.isDeclaration())
      continue; // shaders may have such names
    if (code == OpCode::Count || !function.isDeclaration() || function.isVarArg())
      return refuse(function, "is no op");
    if (!all_of(function.uses(), isPlainCall))
      return refuse(function, "is used otherwise than by a call");
    const DeclarationName name = declarationName(code, function.getFunctionType());
    if (function.getName() != name) {
      if (Function *same = module.getFunction(name)) {
        if (!same->isDeclaration() || same->getFunctionType() != function.getFunctionType())
          return refuse(*same, "is no op");
        function.replaceAllUsesWith(same);
        function.eraseFromParent();
        continue;
      }
      function.setName(name);
    }
    if (function.getName() != name)
      return refuse(function, "cannot have the name of its op");
    function.setAttributes({});
    function.setCallingConv(CallingConv::C);
    function.setLinkage(GlobalValue::ExternalLinkage);
    describe(function, code);
  }
  return {};
}

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
               problem.empty() && !hasGoodOperands(*op))
        problem = "has operands that do not go together";
      else if (problem.empty() && op->getType() != expectedType(*op))
        problem = "has a result type that its operands do not allow";
      if (!problem.empty())
        return (Twine("lgc.") + info.mnemonic + " in " + function.getName() + " " + problem).str();
    }
  }
  return {};
}

Value *hardwareDword(IRBuilderBase &builder, dovetail::ValueKind kind, unsigned index) {
  return HardwareValueOp::create(builder, builder.getInt32Ty(), kind, index);
}

} // namespace lgc
