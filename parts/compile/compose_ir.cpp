// SPDX-License-Identifier: MIT
#include "parts/compile/compose_ir.h"
#include "src/abi/entry_registers.h"
#include "src/abi/interface/merged_entry.h"
#include <algorithm>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <map>

namespace dovetail {

namespace {

using namespace llvm;

bool isHardwareConvention(CallingConv::ID convention) {
  return convention == CallingConv::AMDGPU_VS || convention == CallingConv::AMDGPU_PS ||
         convention == CallingConv::AMDGPU_CS || convention == CallingConv::AMDGPU_HS ||
         convention == CallingConv::AMDGPU_GS;
}

// Makes an entry function one that is inlined.
void makeCallee(Function &function) {
  function.setCallingConv(CallingConv::C);
  function.setLinkage(GlobalValue::InternalLinkage);
  function.removeFnAttr(Attribute::NoInline);
  function.removeFnAttr(Attribute::OptimizeNone);
  function.addFnAttr(Attribute::AlwaysInline);
  for (Argument &argument : function.args())
    argument.removeAttr(Attribute::InReg);
}

unsigned sgprArguments(const Function &function) {
  return unsigned(std::count_if(function.arg_begin(), function.arg_end(),
                                [](const Argument &argument) { return argument.hasAttribute(Attribute::InReg); }));
}

llvm::Value *asType(IRBuilder<> &builder, llvm::Value *value, Type *type) {
  return builder.CreateBitOrPointerCast(value, type);
}

// Makes a new entry with the attributes of `main`, and gives it main's name.
Function *makeEntry(Function &main, Type *returnType, ArrayRef<Type *> argumentTypes, unsigned sgprs) {
  auto *type = FunctionType::get(returnType, argumentTypes, false);
  auto *entry = Function::Create(type, GlobalValue::ExternalLinkage, "", main.getParent());
  entry->takeName(&main);
  entry->setCallingConv(main.getCallingConv());
  entry->setDLLStorageClass(main.getDLLStorageClass());
  entry->addFnAttrs(AttrBuilder(main.getContext(), main.getAttributes().getFnAttrs()));
  for (unsigned i = 0; i != sgprs; ++i)
    entry->addParamAttr(i, Attribute::InReg);
  BasicBlock::Create(main.getContext(), "entry", entry);
  return entry;
}

void returnResult(IRBuilder<> &builder, CallInst *call) {
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
}

} // namespace

Result<Function *> findHardwareEntry(Module &module) {
  Function *entry = nullptr;
  for (Function &function : module) {
    if (function.isDeclaration() || !isHardwareConvention(function.getCallingConv()))
      continue;
    if (entry)
      return makeError(ErrorCode::Internal, "two entry functions, {} and {}", entry->getName().str(),
                       function.getName().str());
    entry = &function;
  }
  if (!entry)
    return makeError(ErrorCode::Internal, "no entry function");
  return entry;
}

Result<void> composeProlog(Function &main, Function &prolog, unsigned prologSgprs, unsigned vgprs) {
  unsigned sgprs = sgprArguments(main);
  auto *given = dyn_cast<StructType>(prolog.getReturnType());
  if (!given || sgprs > prologSgprs || prolog.arg_size() != prologSgprs + vgprs ||
      given->getNumElements() - prologSgprs != main.arg_size() - sgprs)
    return makeError(ErrorCode::Internal, "the main part does not take what its prolog gives");
  SmallVector<Type *, 32> types(main.getFunctionType()->params().take_front(sgprs));
  ArrayRef<Type *> prologTypes = prolog.getFunctionType()->params();
  types.append(prologTypes.begin() + prologSgprs, prologTypes.end());
  Function *entry = makeEntry(main, main.getReturnType(), types, sgprs);
  makeCallee(main);
  makeCallee(prolog);

  IRBuilder<> builder(&entry->getEntryBlock());
  SmallVector<llvm::Value *, 64> arguments;
  for (unsigned i = 0; i != prologSgprs; ++i)
    arguments.push_back(i < sgprs ? static_cast<llvm::Value *>(entry->getArg(i))
                                  : PoisonValue::get(builder.getInt32Ty()));
  for (unsigned i = 0; i != vgprs; ++i)
    arguments.push_back(entry->getArg(sgprs + i));
  llvm::Value *results = builder.CreateCall(&prolog, arguments);

  arguments.clear();
  for (unsigned i = 0; i != main.arg_size(); ++i) {
    if (i < sgprs) {
      arguments.push_back(entry->getArg(i));
      continue;
    }
    llvm::Value *value = builder.CreateExtractValue(results, prologSgprs + i - sgprs);
    arguments.push_back(asType(builder, value, main.getArg(i)->getType()));
  }
  returnResult(builder, builder.CreateCall(&main, arguments));
  return {};
}

Result<void> composeFragmentProlog(Function &main, Function &prolog, uint32_t mainInputs) {
  const unsigned sgprs = sgprArguments(main), prologSgprs = sgprArguments(prolog);
  const unsigned hardwareArguments = sgprs + PsInputCount;
  auto *given = dyn_cast<StructType>(prolog.getReturnType());
  unsigned colors = unsigned(main.arg_size()) - hardwareArguments;
  if (!given || main.arg_size() < hardwareArguments || sgprs > prologSgprs ||
      prolog.arg_size() != prologSgprs + PsInputCount ||
      given->getNumElements() != prologSgprs + psInputVgprs(mainInputs) + colors)
    return makeError(ErrorCode::Internal, "the fragment main part does not take what its prolog gives");
  SmallVector<Type *, 40> types(main.getFunctionType()->params().take_front(sgprs));
  ArrayRef<Type *> prologTypes = prolog.getFunctionType()->params();
  types.append(prologTypes.begin() + prologSgprs, prologTypes.end());
  Function *entry = makeEntry(main, main.getReturnType(), types, sgprs);
  makeCallee(main);
  makeCallee(prolog);

  IRBuilder<> builder(&entry->getEntryBlock());
  SmallVector<llvm::Value *, 64> arguments;
  for (Argument &argument : entry->args())
    arguments.push_back(&argument);
  // The prolog's remaining SGPR is the scratch offset. Only LLVM uses it here.
  SmallVector<llvm::Value *, 64> prologArguments = arguments;
  prologArguments.insert(prologArguments.begin() + sgprs, prologSgprs - sgprs, PoisonValue::get(builder.getInt32Ty()));
  llvm::Value *results = builder.CreateCall(&prolog, prologArguments);
  unsigned next = prologSgprs;
  auto take = [&](Type *type) -> llvm::Value * {
    auto *vector = dyn_cast<FixedVectorType>(type);
    if (!vector)
      return asType(builder, builder.CreateExtractValue(results, next++), type);
    llvm::Value *value = PoisonValue::get(type);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      value = builder.CreateInsertElement(value, builder.CreateExtractValue(results, next++), i);
    return value;
  };
  for (unsigned bit = 0; bit < PsInputCount; ++bit) {
    Type *type = main.getArg(sgprs + bit)->getType();
    arguments[sgprs + bit] = mainInputs >> bit & 1 ? take(type) : PoisonValue::get(type);
  }
  for (unsigned i = 0; i < colors; ++i)
    arguments.push_back(take(main.getArg(hardwareArguments + i)->getType()));
  returnResult(builder, builder.CreateCall(&main, arguments));
  return {};
}

void addInputs(ShaderInterface &interface, const Contract &prolog) {
  for (const Binding &input : prolog.inputs)
    if (std::ranges::find(interface.inputs, input.reg, &Binding::reg) == interface.inputs.end())
      interface.inputs.push_back(input);
  std::ranges::sort(interface.inputs, {}, &Binding::reg);
}

Result<void> composeEpilog(Function &main, Function &epilog) {
  auto *given = dyn_cast<StructType>(main.getReturnType());
  if (!given || given->getNumElements() != epilog.arg_size())
    return makeError(ErrorCode::Internal, "the main part does not hand on what its epilog takes");
  Function *entry = makeEntry(main, epilog.getReturnType(), main.getFunctionType()->params(), sgprArguments(main));
  makeCallee(main);
  makeCallee(epilog);

  IRBuilder<> builder(&entry->getEntryBlock());
  SmallVector<llvm::Value *, 64> arguments;
  for (Argument &argument : entry->args())
    arguments.push_back(&argument);
  llvm::Value *results = builder.CreateCall(&main, arguments);
  arguments.clear();
  for (unsigned i = 0; i != epilog.arg_size(); ++i)
    arguments.push_back(asType(builder, builder.CreateExtractValue(results, i), epilog.getArg(i)->getType()));
  builder.CreateCall(&epilog, arguments);
  builder.CreateRetVoid();
  return {};
}

namespace {

// Makes the launch state of each half from the merged launch state.
class MergedEntry {
public:
  MergedEntry(HardwareStage stage, const HalfProgram &first, const HalfProgram &second, const HalvesOrder &order)
      : m_stage(stage), m_first(first), m_second(second), m_order(order), m_builder(second.function->getContext()) {}

  Result<Function *> emit() {
    makeFunction();
    Function *entry = m_builder.GetInsertBlock()->getParent();
    m_builder.CreateIntrinsic(Intrinsic::amdgcn_init_exec, ArrayRef<Type *>(), {m_builder.getInt64(~uint64_t(0))});
    llvm::Value *waveInfo = m_arguments.at({ValueKind::MergedWaveInfo});
    llvm::Value *lane = laneNumber();
    if (m_order.isLaneByLane) {
      DOVETAIL_CHECK(inLanes(lane, bits(waveInfo, 8, 8), [&]() -> Result<void> {
        DOVETAIL_CHECK(call(m_first));
        return call(m_second);
      }));
    } else {
      DOVETAIL_CHECK(inLanes(lane, bits(waveInfo, 0, 8), [&] { return call(m_first); }));
      waitForGroup();
      DOVETAIL_CHECK(inLanes(lane, bits(waveInfo, 8, 8), [&] { return call(m_second); }));
    }
    m_builder.CreateRetVoid();
    makeCallee(*m_first.function);
    makeCallee(*m_second.function);
    keepLimits(*entry);
    // The waves wait for each other at a barrier, so LLVM must not take the group for a single wave.
    entry->addFnAttr("amdgpu-flat-work-group-size", "256,256");
    return entry;
  }

private:
  // The entry has the limits of the second half. A limit that the driver sets for one of the shaders holds for both.
  void keepLimits(Function &entry) {
    auto take = [&](StringRef name, uint64_t limit) {
      const uint64_t other = entry.getFnAttributeAsParsedInteger(name, 0);
      if (limit != 0 && (other == 0 || limit < other))
        entry.addFnAttr(name, std::to_string(limit));
    };
    // The first half's own attributes leave room for glue, which is not there; so its options are read.
    take("amdgpu-num-vgpr", m_first.options->vgprLimit);
    take("amdgpu-num-sgpr", m_first.options->sgprLimit);
    constexpr StringRef waves = "amdgpu-waves-per-eu";
    if (const uint64_t least = m_first.function->getFnAttributeAsParsedInteger(waves, 0);
        least > entry.getFnAttributeAsParsedInteger(waves, 0))
      entry.addFnAttr(waves, std::to_string(least));
  }

  void makeFunction() {
    EntryInterface launch = mergedEntry(m_stage, *m_first.interface, *m_second.interface);
    unsigned sgprs = MergedFirstUserSgpr + launch.userSgprCount;
    std::span<const ValueName> vgprs = mergedEntryVgprs(m_stage, m_first.interface->source);
    SmallVector<Type *, 48> types(sgprs + vgprs.size(), m_builder.getInt32Ty());
    Function *entry = makeEntry(*m_second.function, m_builder.getVoidTy(), types, sgprs);
    entry->setCallingConv(m_stage == HardwareStage::Hs ? CallingConv::AMDGPU_HS : CallingConv::AMDGPU_GS);
    entry->setName(m_stage == HardwareStage::Hs ? "_amdgpu_hs_main" : "_amdgpu_gs_main");
    m_builder.SetInsertPoint(&entry->getEntryBlock());
    for (const Binding &input : launch.inputs)
      if (input.reg.bank == RegisterBank::Sgpr)
        m_arguments[input.value] = entry->getArg(input.reg.index);
    for (size_t i = 0; i != vgprs.size(); ++i)
      m_vgprs.push_back(m_arguments[vgprs[i]] = entry->getArg(unsigned(sgprs + i)));
  }

  llvm::Value *bits(llvm::Value *word, unsigned first, unsigned count) {
    return m_builder.CreateAnd(m_builder.CreateLShr(word, first), m_builder.getInt32((1u << count) - 1));
  }

  llvm::Value *laneNumber() {
    llvm::Value *all = m_builder.getInt32(~0u);
    llvm::Value *low =
        m_builder.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, ArrayRef<Type *>(), {all, m_builder.getInt32(0)});
    return m_builder.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, ArrayRef<Type *>(), {all, low});
  }

  // Emits code that the first `count` lanes run.
  Result<void> inLanes(llvm::Value *lane, llvm::Value *count, function_ref<Result<void>()> emitCode) {
    Function *entry = m_builder.GetInsertBlock()->getParent();
    BasicBlock *run = BasicBlock::Create(m_builder.getContext(), "run", entry);
    BasicBlock *next = BasicBlock::Create(m_builder.getContext(), "next", entry);
    m_builder.CreateCondBr(m_builder.CreateICmpULT(lane, count), run, next);
    m_builder.SetInsertPoint(run);
    DOVETAIL_CHECK(emitCode());
    m_builder.CreateBr(next);
    m_builder.SetInsertPoint(next);
    return {};
  }

  Result<void> call(const HalfProgram &half) {
    SmallVector<llvm::Value *, 48> arguments;
    unsigned sgprs = sgprArguments(*half.function);
    for (unsigned i = 0; i != half.function->arg_size(); ++i) {
      bool isSgpr = i < sgprs;
      Register reg{isSgpr ? RegisterBank::Sgpr : RegisterBank::Vgpr, uint16_t(isSgpr ? i : i - sgprs)};
      Type *type = half.function->getArg(i)->getType();
      llvm::Value *value = DOVETAIL_TRY(launchValue(half, reg));
      arguments.push_back(value ? asType(m_builder, value, type) : PoisonValue::get(type));
    }
    m_builder.CreateCall(half.function, arguments);
    return {};
  }

  // nullptr: the half does not read the register.
  Result<llvm::Value *> launchValue(const HalfProgram &half, Register reg) {
    const ShaderInterface &interface = *half.interface;
    auto listed = std::ranges::find(interface.inputs, reg, &Binding::reg);
    if (listed == interface.inputs.end())
      return nullptr;
    const ValueName &name = listed->value;
    auto argument = m_arguments.find(name);
    switch (name.kind) {
    case ValueKind::UserDataPadding:
      return nullptr;
    case ValueKind::Es2GsOffset: { // the number of the wave's first vertex in its group
      constexpr unsigned waveSize = 64;
      llvm::Value *wave = bits(m_arguments.at({ValueKind::MergedWaveInfo}), 24, 4);
      return m_builder.CreateMul(wave, m_builder.getInt32(waveSize));
    }
    case ValueKind::GsWaveId:
      return bits(m_arguments.at({ValueKind::MergedWaveInfo}), 16, 8);
    case ValueKind::GsVertexOffset: {
      llvm::Value *pair = m_arguments.at({ValueKind::GsVertexOffsetPair, uint8_t(name.index / 2)});
      return bits(pair, name.index % 2 * 16, 16);
    }
    case ValueKind::VertexId:
    case ValueKind::RelVertexId:
    case ValueKind::InstanceId:
      if (m_stage == HardwareStage::Hs && argument != m_arguments.end())
        return lsVgpr(argument->second);
      break;
    default:
      break;
    }
    if (argument == m_arguments.end())
      return makeError(ErrorCode::Internal, "a merged {} program has no {}", toString(m_stage), toString(name));
    return argument->second;
  }

  // On GPUs with the LS VGPR bug, a wave without HS threads has the LS VGPRs where those of the HS usually begin.
  llvm::Value *lsVgpr(llvm::Value *value) {
    if (!m_order.hasLsVgprInitBug)
      return value;
    size_t place = size_t(std::ranges::find(m_vgprs, value) - m_vgprs.begin());
    llvm::Value *controlThreads = bits(m_arguments.at({ValueKind::MergedWaveInfo}), 8, 8);
    llvm::Value *isMisplaced = m_builder.CreateICmpEQ(controlThreads, m_builder.getInt32(0));
    return m_builder.CreateSelect(isMisplaced, m_vgprs[place - mergedFirstHalfVgpr(m_stage)], value);
  }

  void waitForGroup() {
    SyncScope::ID workgroup = m_builder.getContext().getOrInsertSyncScopeID("workgroup");
    m_builder.CreateFence(AtomicOrdering::Release, workgroup);
    m_builder.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, ArrayRef<Type *>(), ArrayRef<llvm::Value *>());
    m_builder.CreateFence(AtomicOrdering::Acquire, workgroup);
  }

  HardwareStage m_stage;
  HalfProgram m_first, m_second;
  HalvesOrder m_order;
  IRBuilder<> m_builder;
  std::map<ValueName, llvm::Value *> m_arguments; // of the merged launch state
  SmallVector<llvm::Value *, 16> m_vgprs;         // the same, of VGPRs, in order
};

} // namespace

Result<Function *> composeHalves(HardwareStage stage, const HalfProgram &first, const HalfProgram &second,
                                 const HalvesOrder &order) {
  return MergedEntry(stage, first, second, order).emit();
}

} // namespace dovetail
