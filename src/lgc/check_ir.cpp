// SPDX-License-Identifier: MIT
//
// LLVM may end the process over IR that shaders do not have. So this is a list of all types, instructions, intrinsics,
// attributes, global variables, calls and metadata that shaders may have; all others are refused. The list covers the
// IR that front ends record and that the steps of the middle-end make.
#include "src/lgc/check_ir.h"
#include "src/lgc/codegen/constants/relative_constants.h"
#include "src/lgc/known_intrinsics.h"
#include "src/lgc/optimize/shader_attributes.h"
#include <algorithm>
#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/AMDGPUAddrSpace.h>
#include <map>
#include <set>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::makeError;

namespace lgc {

namespace {

constexpr unsigned MaxIntegerBits = 512; // a large vector as one number, as LLVM makes it at times
constexpr unsigned MaxDivisionBits = 64;
constexpr unsigned MaxElements = 64;
constexpr uint64_t MaxBytes = 64 * 1024;          // of a type, a variable or a constant
constexpr uint64_t MaxFunctionBytes = 256 * 1024; // of variables on the stack
constexpr unsigned MaxNesting = 16;

bool isGood(const Type *type, unsigned nesting = 0) {
  if (nesting > MaxNesting)
    return false;
  switch (type->getTypeID()) {
  case Type::VoidTyID:
  case Type::LabelTyID:
  case Type::HalfTyID:
  case Type::FloatTyID:
  case Type::DoubleTyID:
  case Type::MetadataTyID:
    return true;
  case Type::IntegerTyID:
    return type->getIntegerBitWidth() <= MaxIntegerBits;
  case Type::PointerTyID: {
    const unsigned space = type->getPointerAddressSpace();
    return space <= AMDGPUAS::PRIVATE_ADDRESS && space != AMDGPUAS::REGION_ADDRESS;
  }
  case Type::FixedVectorTyID:
    return cast<FixedVectorType>(type)->getNumElements() <= MaxElements &&
           isGood(cast<FixedVectorType>(type)->getElementType(), nesting + 1);
  case Type::ArrayTyID:
    return type->getArrayNumElements() <= MaxBytes && isGood(type->getArrayElementType(), nesting + 1);
  case Type::StructTyID:
    return !cast<StructType>(type)->isOpaque() && type->getStructNumElements() <= MaxElements * 4 &&
           all_of(cast<StructType>(type)->elements(),
                  [&](const Type *element) { return isGood(element, nesting + 1); });
  default:
    return false;
  }
}

constexpr StringRef AttributeNames[] = {
    "amdgpu-flat-work-group-size", "amdgpu-num-sgpr",     "amdgpu-num-vgpr",  "amdgpu-ps-wqm-outputs",
    "amdgpu-unroll-threshold",     "amdgpu-waves-per-eu", "denormal-fp-math", "denormal-fp-math-f32",
    "InitialPSInputAddr",          "target-features",
};
// Attributes that make LLVM compile for another GPU than the module's.
constexpr StringRef TargetAttributes[] = {"target-cpu", "tune-cpu"};

bool isOurs(const NamedMDNode &named) {
  const StringRef name = named.getName();
  return name.starts_with("lgc.") || name == "llvm.dbg.cu" || name == "llvm.module.flags" || name == "llvm.ident";
}

// "64,128", "preserve-sign,preserve-sign"
bool isAttributeValue(StringRef value) {
  return value.size() <= 64 && all_of(value, [](char c) { return isAlnum(c) || c == ',' || c == '-'; });
}
bool isNumberAttribute(StringRef name) {
  return name.starts_with("amdgpu-") || name == "InitialPSInputAddr";
}
bool areNumbers(StringRef value) {
  SmallVector<StringRef, 2> parts;
  value.split(parts, ',');
  return parts.size() <= 2 && all_of(parts, [](StringRef part) {
           unsigned number;
           return !part.getAsInteger(10, number) && number <= 65536;
         });
}

constexpr Attribute::AttrKind FunctionAttributes[] = {
    Attribute::AlwaysInline, Attribute::Convergent, Attribute::Memory,       Attribute::MustProgress,
    Attribute::NoCallback,   Attribute::NoFree,     Attribute::NoInline,     Attribute::NoRecurse,
    Attribute::NoSync,       Attribute::NoUnwind,   Attribute::Speculatable, Attribute::WillReturn,
    Attribute::NoReturn,
};

// Attributes that launches need, and those that LLVM finds for arguments.
constexpr Attribute::AttrKind ArgumentAttributes[] = {
    Attribute::InReg,           Attribute::NoUndef,  Attribute::NoAlias,   Attribute::NonNull,  Attribute::Alignment,
    Attribute::Dereferenceable, Attribute::Range,    Attribute::NoFPClass, Attribute::Captures, Attribute::NoFree,
    Attribute::ReadNone,        Attribute::ReadOnly, Attribute::WriteOnly,
};

// Whether LLVM needs a library to divide or convert numbers of this width.
bool isWide(const Type *type) {
  return type->getScalarType()->isIntegerTy() && type->getScalarSizeInBits() > MaxDivisionBits;
}

class Checker {
public:
  Checker(const Module &module, std::span<const std::string> dialects)
      : m_module(module), m_dialects(dialects), m_layout(module.getDataLayout()) {}

  dovetail::Result<void> check() {
    checkModule();
    for (const Function &function : m_module)
      if (m_problem.empty())
        checkFunction(function);
    if (m_problem.empty())
      checkRecursion();
    if (m_problem.empty())
      return {};
    return makeError(ErrorCode::InvalidInput, "{}", m_problem);
  }

private:
  void refuse(std::string problem) {
    if (m_problem.empty())
      m_problem = std::move(problem);
  }
  void require(bool condition, const char *problem) {
    if (!condition)
      refuse(problem);
  }

  void checkModule() {
    require(m_module.getModuleInlineAsm().empty(), "a shader module has no assembly");
    require(m_module.alias_empty() && m_module.ifunc_empty(), "a shader module has no aliases");
    SmallVector<Module::ModuleFlagEntry, 4> flags;
    m_module.getModuleFlagsMetadata(flags);
    for (const Module::ModuleFlagEntry &flag : flags)
      if (flag.Key->getString() != "Debug Info Version" && flag.Key->getString() != "Dwarf Version")
        refuse(fmt::format("shader modules have no flag {}", flag.Key->getString().str()));
    uint64_t localBytes = 0;
    for (const GlobalVariable &variable : m_module.globals()) {
      checkVariable(variable);
      if (m_problem.empty() && variable.getAddressSpace() == AMDGPUAS::LOCAL_ADDRESS)
        localBytes += m_layout.getTypeAllocSize(variable.getValueType());
    }
    require(localBytes <= MaxBytes, "the shader has more than 64 KiB of shared memory");
  }

  void checkVariable(const GlobalVariable &variable) {
    const unsigned space = variable.getAddressSpace();
    const bool isShared = space == AMDGPUAS::LOCAL_ADDRESS;
    const bool isConstant = space == AMDGPUAS::CONSTANT_ADDRESS && variable.isConstant() && variable.hasInitializer();
    if (!isShared && !isConstant)
      return refuse(fmt::format("variable {} is neither shared nor constant", variable.getName().str()));
    if (!isGoodSize(variable.getValueType()) || variable.isThreadLocal() || variable.hasSection() ||
        variable.hasComdat() || variable.isExternallyInitialized() || variable.hasPartition() ||
        variable.getAlign().valueOrOne() > Align(256) || variable.hasImplicitSection() || variable.hasAttributes())
      return refuse(fmt::format("variable {} is of a kind that shaders do not have", variable.getName().str()));
    if (isShared && variable.hasInitializer() && !isa<UndefValue>(variable.getInitializer()) &&
        !variable.getInitializer()->isNullValue())
      return refuse(fmt::format("shared variable {} has a value", variable.getName().str()));
    if (isConstant)
      checkConstant(variable.getInitializer(), false);
  }

  bool isGoodSize(Type *type) const {
    return isGood(type) && type->isSized() && m_layout.getTypeAllocSize(type) <= TypeSize::getFixed(MaxBytes);
  }

  // Allows numbers, undefined values, and expressions on addresses.
  void checkConstant(const Constant *constant, bool mayBeAddress) {
    if (!m_seen.insert(constant).second)
      return;
    if (!isGood(constant->getType()))
      return refuse("a constant has a type that shaders do not have");
    if (isa<ConstantExpr>(constant)) {
      const auto *expression = cast<ConstantExpr>(constant);
      const unsigned code = expression->getOpcode();
      const bool isAllowed =
          mayBeAddress &&
          (code == Instruction::GetElementPtr || code == Instruction::PtrToInt || code == Instruction::IntToPtr ||
           code == Instruction::AddrSpaceCast || code == Instruction::BitCast || code == Instruction::Trunc ||
           code == Instruction::Add || code == Instruction::Sub || code == Instruction::ExtractElement ||
           code == Instruction::InsertElement || code == Instruction::ShuffleVector);
      if (!isAllowed || !isGoodCast(code, expression))
        return refuse("a constant expression that shaders do not have");
      if (auto *address = dyn_cast<GEPOperator>(expression); address && !isGoodSize(address->getSourceElementType()))
        return refuse("an address within a type that shaders do not have");
    } else if (isa<GlobalValue>(constant)) {
      if (!mayBeAddress)
        refuse("an address in a constant");
      return;
    } else if (!isa<ConstantData, ConstantAggregate>(constant)) {
      return refuse("a constant of a kind that shaders do not have");
    }
    for (const Use &operand : constant->operands())
      checkConstant(cast<Constant>(operand), mayBeAddress);
  }

  // Allows casts from the constant and the global address space only: the target address spaces hold no variables of
  // the others.
  template <typename Cast> static bool isGoodCast(unsigned opcode, const Cast *cast) {
    return opcode != Instruction::AddrSpaceCast ||
           cast->getOperand(0)->getType()->getPointerAddressSpace() == AMDGPUAS::CONSTANT_ADDRESS ||
           cast->getOperand(0)->getType()->getPointerAddressSpace() == AMDGPUAS::GLOBAL_ADDRESS;
  }

  void checkAttributes(const Function &function) {
    for (Attribute attribute : function.getAttributes().getFnAttrs()) {
      if (!attribute.isStringAttribute()) {
        if (!is_contained(FunctionAttributes, attribute.getKindAsEnum()))
          refuse(fmt::format("function {} has the attribute {}", function.getName().str(), attribute.getAsString()));
        continue;
      }
      StringRef name = attribute.getKindAsString(), value = attribute.getValueAsString();
      const bool isValue = name == "amdgpu-ps-wqm-outputs" ? value.empty()
                           : name == "target-features"     ? value == FeaturesKeepingHalfDenormals
                           : isNumberAttribute(name)       ? areNumbers(value)
                                                           : isAttributeValue(value);
      if (is_contained(TargetAttributes, name) || (is_contained(AttributeNames, name) && !isValue))
        refuse(fmt::format("function {} has the attribute {}={}", function.getName().str(), name.str(), value.str()));
    }
    for (unsigned i = 0; i < function.arg_size(); ++i)
      for (Attribute attribute : function.getAttributes().getParamAttrs(i))
        if (!attribute.isStringAttribute() && !is_contained(ArgumentAttributes, attribute.getKindAsEnum()))
          refuse(fmt::format("an argument of {} has an attribute that shaders do not have", function.getName().str()));
  }

  void checkFunction(const Function &function) {
    StringRef name = function.getName();
    if (function.isIntrinsic()) {
      if (!isKnownIntrinsic(function))
        refuse(fmt::format("shaders do not call {}", name.str()));
      return;
    }
    auto isOf = [&](StringRef dialect) { return name.starts_with(dialect); };
    if (function.isDeclaration() && (isOf("lgc.") || any_of(m_dialects, isOf)))
      return; // an op
    if (function.isDeclaration())
      return refuse(fmt::format("function {} is not there", name.str()));
    const FunctionType *type = function.getFunctionType();
    if (function.isVarArg() || function.hasGC() || function.hasPersonalityFn() || function.hasPrefixData() ||
        function.hasPrologueData() || function.hasSection() || function.hasComdat() || function.hasPartition() ||
        function.getAlign().valueOrOne() > Align(256) || function.hasExternalWeakLinkage() ||
        function.hasAvailableExternallyLinkage() || function.hasAppendingLinkage())
      return refuse(fmt::format("function {} is of a kind that shaders do not have", name.str()));
    switch (function.getCallingConv()) {
    case CallingConv::C:
    case CallingConv::AMDGPU_VS:
    case CallingConv::AMDGPU_HS:
    case CallingConv::AMDGPU_GS:
    case CallingConv::AMDGPU_PS:
    case CallingConv::AMDGPU_CS:
      break;
    default:
      return refuse(fmt::format("function {} has another calling convention than shaders", name.str()));
    }
    if (!all_of(type->params(), [](const Type *parameter) { return isGood(parameter); }) ||
        !isGood(type->getReturnType()) || type->getNumParams() > 256)
      return refuse(fmt::format("function {} has a type that shaders do not have", name.str()));
    checkAttributes(function);
    uint64_t stackBytes = 0;
    for (const Instruction &instruction : instructions(function)) {
      checkInstruction(instruction);
      if (!m_problem.empty())
        return;
      if (auto *variable = dyn_cast<AllocaInst>(&instruction))
        stackBytes += m_layout.getTypeAllocSize(variable->getAllocatedType());
    }
    require(stackBytes <= MaxFunctionBytes, "a function has more than 256 KiB of variables");
  }

  void checkInstruction(const Instruction &instruction) {
    if (!isGood(instruction.getType()))
      return refuseInstruction(instruction, "has a type that shaders do not have");
    for (const Use &operand : instruction.operands()) {
      const Value *value = operand;
      if (!isGood(value->getType()))
        return refuseInstruction(instruction, "has an operand of a type that shaders do not have");
      if (auto *constant = dyn_cast<Constant>(value); constant && !isa<Function>(constant))
        checkConstant(constant, true);
      if (isa<Function>(value) && !(isa<CallInst>(instruction) && cast<CallInst>(instruction).isCallee(&operand)))
        return refuseInstruction(instruction, "takes the address of a function");
      if (isa<BlockAddress>(value))
        return refuseInstruction(instruction, "takes the address of a block");
    }
    switch (instruction.getOpcode()) {
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem:
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      if (isWide(instruction.getType()))
        refuseInstruction(instruction, "is wider than shaders need");
      return;
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      if (isWide(instruction.getOperand(0)->getType()))
        refuseInstruction(instruction, "is wider than shaders need");
      return;
    case Instruction::Ret:
    case Instruction::Br:
    case Instruction::Switch:
    case Instruction::Unreachable:
    case Instruction::FNeg:
    case Instruction::Add:
    case Instruction::FAdd:
    case Instruction::Sub:
    case Instruction::FSub:
    case Instruction::Mul:
    case Instruction::FMul:
    case Instruction::FDiv:
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::FPTrunc:
    case Instruction::FPExt:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
    case Instruction::BitCast:
    case Instruction::ICmp:
    case Instruction::FCmp:
    case Instruction::PHI:
    case Instruction::Select:
    case Instruction::ExtractElement:
    case Instruction::InsertElement:
    case Instruction::ShuffleVector:
    case Instruction::ExtractValue:
    case Instruction::InsertValue:
    case Instruction::Freeze:
    case Instruction::Fence:
      return;
    case Instruction::AddrSpaceCast:
      if (!isGoodCast(instruction.getOpcode(), &instruction))
        refuseInstruction(instruction, "is between memories that shaders keep apart");
      return;
    case Instruction::Alloca: {
      auto &variable = cast<AllocaInst>(instruction);
      if (variable.isArrayAllocation() || !isGoodSize(variable.getAllocatedType()) || variable.isSwiftError() ||
          variable.isUsedWithInAlloca() || variable.getAlign() > Align(256) ||
          variable.getAddressSpace() != AMDGPUAS::PRIVATE_ADDRESS)
        refuseInstruction(instruction, "is no variable that shaders have");
      return;
    }
    case Instruction::GetElementPtr:
      if (!isGoodSize(cast<GetElementPtrInst>(instruction).getSourceElementType()))
        refuseInstruction(instruction, "is within a type that shaders do not have");
      return;
    case Instruction::Load:
    case Instruction::Store:
      if (!isGoodSize(getLoadStoreType(const_cast<Instruction *>(&instruction))))
        refuseInstruction(instruction, "is of a type that shaders do not have");
      if (instruction.isAtomic() && getLoadStoreType(const_cast<Instruction *>(&instruction))->isVectorTy())
        refuseInstruction(instruction, "is of a type that shaders do not have");
      return;
    case Instruction::AtomicRMW:
      return checkAtomic(instruction, cast<AtomicRMWInst>(instruction).getValOperand()->getType(),
                         cast<AtomicRMWInst>(instruction).getPointerAddressSpace());
    case Instruction::AtomicCmpXchg:
      return checkAtomic(instruction, cast<AtomicCmpXchgInst>(instruction).getNewValOperand()->getType(),
                         cast<AtomicCmpXchgInst>(instruction).getPointerAddressSpace());
    case Instruction::Call:
      return checkCall(cast<CallInst>(instruction));
    default:
      refuseInstruction(instruction, "is an instruction that shaders do not have");
    }
  }

  void checkAtomic(const Instruction &instruction, const Type *type, unsigned space) {
    const bool isGoodType = type->isIntegerTy(32) || type->isIntegerTy(64) || type->isFloatTy();
    if (!isGoodType || space == AMDGPUAS::PRIVATE_ADDRESS || space == AMDGPUAS::CONSTANT_ADDRESS)
      refuseInstruction(instruction, "is no atomic that shaders have");
  }

  void checkCall(const CallInst &call) {
    if (call.hasOperandBundles() || call.isMustTailCall())
      return refuseInstruction(call, "is no plain call");
    if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand())) {
      // Allows copies that LLVM does not see through, and the address of constants.
      const StringRef constraints = assembly->getConstraintString();
      const bool isScalar = constraints == "=s,0" && call.getType()->isIntegerTy(32);
      const bool isVector =
          constraints == "=v,0" && (call.getType()->isIntegerTy(32) || call.getType()->isIntegerTy(64));
      const bool isCopy = (isScalar || isVector) && StringRef(assembly->getAsmString()).empty();
      const bool isAddress = isAddressAssembly(*assembly) && isa<GlobalVariable>(call.getArgOperand(0));
      if (!isCopy && !isAddress)
        refuseInstruction(call, "is assembly");
      return;
    }
    const Function *callee = call.getCalledFunction();
    if (!callee || callee->getFunctionType() != call.getFunctionType() ||
        callee->getCallingConv() != call.getCallingConv())
      return refuseInstruction(call, "is no call of a function that is known");
    if (!callee->isDeclaration() && callee->getCallingConv() != CallingConv::C)
      return refuseInstruction(call, "calls an entry point");
    if (!callee->isDeclaration())
      m_calls[call.getFunction()].insert(callee);
  }

  void refuseInstruction(const Instruction &instruction, const char *problem) {
    refuse(fmt::format("an instruction '{}' in {} {}", instruction.getOpcodeName(),
                       instruction.getFunction()->getName().str(), problem));
  }

  // Searches depth first. Functions are inlined, so none may call itself, directly or through others.
  void checkRecursion() {
    std::set<const Function *> done, open;
    auto visit = [&](auto &self, const Function *function, unsigned depth) -> bool {
      if (done.contains(function))
        return true;
      if (depth > 64 || !open.insert(function).second)
        return false;
      for (const Function *callee : m_calls[function])
        if (!self(self, callee, depth + 1))
          return false;
      open.erase(function);
      done.insert(function);
      return true;
    };
    for (const Function &function : m_module)
      if (!visit(visit, &function, 0))
        return refuse(
            fmt::format("function {} calls itself, or calls are nested too deeply", function.getName().str()));
  }

  const Module &m_module;
  const std::span<const std::string> m_dialects;
  const DataLayout &m_layout;
  std::string m_problem;
  std::set<const Constant *> m_seen;
  std::map<const Function *, std::set<const Function *>> m_calls;
};

} // namespace

bool dropForeignData(Module &module) {
  bool isChanged = false;
  for (NamedMDNode &named : make_early_inc_range(module.named_metadata()))
    if (!isOurs(named)) {
      module.eraseNamedMetadata(&named);
      isChanged = true;
    }
  for (Function &function : module) {
    AttributeMask foreign;
    for (const Attribute attribute : function.getAttributes().getFnAttrs())
      if (attribute.isStringAttribute() && !is_contained(AttributeNames, attribute.getKindAsString())) {
        foreign.addAttribute(attribute.getKindAsString());
        isChanged = true;
      }
    function.removeFnAttrs(foreign);
  }
  return isChanged;
}

dovetail::Result<void> checkShaderIr(const Module &module, std::span<const std::string> dialects) {
  return Checker(module, dialects).check();
}

} // namespace lgc
