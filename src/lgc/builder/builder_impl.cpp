// SPDX-License-Identifier: MIT
//
// Helpers for all categories of BuilderImpl: work on elements and dwords, and the loops for operations without an
// instruction of their own.
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/codegen/defects/hide/hide_result.h"
#include "src/lgc/state/pipeline_state.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace lgc {

BuilderImpl::BuilderImpl(LLVMContext &context, PipelineState &pipelineState)
    : Builder(context), m_targetInfo(pipelineState.targetInfo()), m_pipelineState(pipelineState) {
  shaderModes() = pipelineState.shaderModes();
}

BasicBlock *BuilderImpl::splitBlock() {
  BasicBlock *first = GetInsertBlock();
  BasicBlock *second;
  if (GetInsertPoint() == first->end()) {
    second = BasicBlock::Create(getContext(), "", first->getParent(), first->getNextNode());
  } else {
    second = first->splitBasicBlock(GetInsertPoint());
    first->getTerminator()->eraseFromParent();
  }
  SetInsertPoint(second, second->begin());
  return second;
}

Value *BuilderImpl::mapElements(Values operands, function_ref<Value *(Values)> make) {
  auto *vector = dyn_cast<FixedVectorType>(operands.front()->getType());
  if (!vector)
    return make(operands);

  Value *result = nullptr;
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    SmallVector<Value *, 4> elements;
    for (Value *operand : operands)
      elements.push_back(CreateExtractElement(operand, i));
    Value *element = make(elements);
    if (!result)
      result = PoisonValue::get(FixedVectorType::get(element->getType(), vector->getNumElements()));
    result = CreateInsertElement(result, element, i);
  }
  return result;
}

Value *BuilderImpl::mapDwords(Value *value, function_ref<Value *(Value *)> make) {
  return mapElements(value, [&](Values elements) -> Value * {
    Type *type = elements[0]->getType();
    unsigned bits = type->getPrimitiveSizeInBits();
    Value *integer = type->isIntegerTy() ? elements[0] : CreateBitCast(elements[0], getIntNTy(bits));
    Value *result;
    if (bits <= 32) {
      result = CreateTrunc(make(CreateZExt(integer, getInt32Ty())), getIntNTy(bits));
    } else {
      Value *dwords = CreateBitCast(integer, FixedVectorType::get(getInt32Ty(), bits / 32));
      result = CreateBitCast(mapElements(dwords, [&](Values dword) { return make(dword[0]); }), getIntNTy(bits));
    }
    return type->isIntegerTy() ? result : CreateBitCast(result, type);
  });
}

// The body stands inside the loop, where the values are uniform; lanes leave in the round that has served them. LLVM
// has two habits that would make the values differ between lanes again. The code prevents both:
// - Where LLVM knows that the uniform value equals the lane's own, it uses the lane's own. So the comparison takes an
//   opaque copy of the uniform value.
// - The second branch repeats the first, so LLVM moves the body behind the loop. It would have to duplicate a
//   convergent call for that, which it may not (amdgcn.wave.barrier makes no instruction).
Value *BuilderImpl::waterfall(Values resources, ArrayRef<bool> isDivergent, Type *resultType,
                              function_ref<Value *(Values)> make) {
  if (!is_contained(isDivergent, true))
    return make(resources);

  BasicBlock *before = GetInsertBlock();
  BasicBlock *after = splitBlock();
  Function *function = before->getParent();
  BasicBlock *loop = BasicBlock::Create(getContext(), "waterfall", function, after);
  BasicBlock *body = BasicBlock::Create(getContext(), "waterfall.body", function, after);
  BasicBlock *next = BasicBlock::Create(getContext(), "waterfall.next", function, after);

  SetInsertPoint(before);
  CreateBr(loop);

  SetInsertPoint(loop);
  SmallVector<Value *, 2> uniform(resources);
  Value *isServed = getTrue();
  for (auto [value, mayDiffer] : zip(uniform, isDivergent)) {
    if (!mayDiffer)
      continue;
    value = mapElements(value, [&](Values dword) -> Value * {
      Value *first = CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, getInt32Ty(), dword[0]);
      isServed = CreateAnd(isServed, CreateICmpEQ(hideUniform(*this, first), dword[0]));
      return first;
    });
  }
  CreateCondBr(isServed, body, next);

  SetInsertPoint(body);
  Value *made = make(uniform);
  BasicBlock *bodyEnd = GetInsertBlock();
  CreateBr(next);

  SetInsertPoint(next);
  PHINode *result = nullptr;
  if (!resultType->isVoidTy()) {
    result = CreatePHI(resultType, 2);
    result->addIncoming(PoisonValue::get(resultType), loop);
    result->addIncoming(made, bodyEnd);
  }
  CreateIntrinsic(getVoidTy(), Intrinsic::amdgcn_wave_barrier, {});
  CreateCondBr(isServed, after, loop);

  SetInsertPoint(after, after->begin());
  return result;
}

CallInst *BuilderImpl::CreateIntrinsic(Intrinsic::ID id, ArrayRef<Type *> types, Values operands) {
  if (types.size() > 1)
    return IRBuilderBase::CreateIntrinsic(id, types, operands);
  Module *module = GetInsertBlock()->getModule();
  WeakVH &known = m_intrinsics[{id, types.empty() ? nullptr : types.front()}];
  auto *callee = cast_or_null<Function>(static_cast<Value *>(known));
  if (!callee || callee->getParent() != module) {
    callee = Intrinsic::getOrInsertDeclaration(module, id, types);
    known = callee;
  }
  return CreateCall(callee, operands);
}

CallInst *BuilderImpl::callByName(StringRef name, Type *resultType, Values operands) {
  SmallVector<Type *, 16> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  // A function that is declared with an intrinsic's name is that intrinsic, with its attributes. LLVM completes the
  // name, because its version decides which of the types are in the suffix.
  Module &module = *GetInsertBlock()->getModule();
  auto *callee =
      Function::Create(FunctionType::get(resultType, types, false), GlobalValue::ExternalLinkage, name, module);
  assert(callee->isIntrinsic());
  if (std::optional<Function *> complete = Intrinsic::remangleIntrinsicFunction(callee)) {
    if (callee->use_empty() && *complete != callee)
      callee->eraseFromParent();
    callee = *complete;
  }
  return CreateCall(callee, operands);
}

Value *BuilderImpl::compareSwapLoop(Value *initial, function_ref<Value *(Value *)> desired,
                                    function_ref<Value *(Value *, Value *)> swap) {
  BasicBlock *before = GetInsertBlock();
  BasicBlock *after = splitBlock();
  BasicBlock *loop = BasicBlock::Create(getContext(), "cmpswap", before->getParent(), after);

  SetInsertPoint(before);
  CreateBr(loop);

  SetInsertPoint(loop);
  PHINode *expected = CreatePHI(initial->getType(), 2);
  expected->addIncoming(initial, before);
  Value *actual = swap(expected, desired(expected));
  expected->addIncoming(actual, GetInsertBlock());
  CreateCondBr(CreateICmpEQ(actual, expected), after, loop);

  SetInsertPoint(after, after->begin());
  return actual;
}

ConstantInt *BuilderImpl::cachePolicy(unsigned flags, bool isAtomic) {
  constexpr unsigned Glc = 1;
  constexpr unsigned Slc = 2;
  unsigned policy = flags & NonTemporal ? Slc : 0;
  // The back end sets an atomic's glc bit, which makes it return the old value.
  if (!isAtomic && (flags & (Coherent | Volatile)))
    policy |= Glc;
  return getInt32(policy);
}

void BuilderImpl::separateVolatile(unsigned flags) {
  if (flags & Volatile)
    CreateFence(AtomicOrdering::AcquireRelease, SyncScope::SingleThread);
}

Value *BuilderImpl::laneNumber() {
  Value *all = getInt32(~0u);
  Value *low = CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {}, {all, getInt32(0)});
  return CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {}, {all, low});
}

} // namespace lgc
