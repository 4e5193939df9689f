// SPDX-License-Identifier: MIT
#include "src/lgc/optimize/optimize_passes.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace lgc {

namespace {

// The convergent image intrinsic whose result the instruction freezes, or nullptr.
CallInst *frozenSample(Instruction &inst) {
  auto *freeze = dyn_cast<FreezeInst>(&inst);
  auto *call = freeze ? dyn_cast<IntrinsicInst>(freeze->getOperand(0)) : nullptr;
  return call && call->isConvergent() && call->getCalledFunction()->getName().starts_with("llvm.amdgcn.image.")
             ? call
             : nullptr;
}

// Whether the result has components. That of gather4 is four texels of one component, whatever DMASK is.
bool hasComponents(const CallInst &call) {
  return !call.getCalledFunction()->getName().starts_with("llvm.amdgcn.image.gather4.");
}

unsigned componentCount(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

bool isHalfRounding(const User *user) {
  return isa<FPTruncInst>(user) && user->getType()->getScalarType()->isHalfTy();
}

// The uses of a sample, if they only take components from it or round it to halves.
struct SampleUses {
  SmallVector<Instruction *, 8> users; // extractelement, shufflevector, fptrunc
  unsigned mask = 0;
  bool areHalves = true; // all uses round to halves
};

// Whether the shuffle takes components of a sample only.
bool isPlainShuffle(const ShuffleVectorInst &shuffle) {
  return isa<UndefValue>(shuffle.getOperand(1));
}

// The components that an instruction takes from a sample; 0 if they are not known.
unsigned componentsTaken(const Instruction &user, const CallInst &sample) {
  unsigned count = componentCount(sample.getType());
  if (auto *extract = dyn_cast<ExtractElementInst>(&user)) {
    auto *index = dyn_cast<ConstantInt>(extract->getIndexOperand());
    return index && index->getZExtValue() < count ? 1u << index->getZExtValue() : 0;
  }
  if (isHalfRounding(&user))
    return (1u << count) - 1;
  auto *shuffle = dyn_cast<ShuffleVectorInst>(&user);
  if (!shuffle)
    return 0;
  unsigned taken = 0;
  for (int component : shuffle->getShuffleMask())
    if (component >= 0 && shuffle->getOperand(unsigned(component) / count) == &sample)
      taken |= 1u << unsigned(component) % count;
  return taken;
}

std::optional<SampleUses> findUses(CallInst &call) {
  SampleUses uses;
  for (User *user : call.users()) {
    auto *inst = cast<Instruction>(user);
    if (is_contained(uses.users, inst))
      continue; // a shuffle of the sample with itself
    unsigned taken = componentsTaken(*inst, call);
    if (taken == 0)
      return std::nullopt;
    uses.users.push_back(inst);
    uses.mask |= taken;
    auto *shuffle = dyn_cast<ShuffleVectorInst>(inst);
    uses.areHalves &= isHalfRounding(inst) || all_of(inst->users(), isHalfRounding);
    uses.areHalves &= !shuffle || isPlainShuffle(*shuffle);
  }
  // A rounding beside other uses needs the whole sample.
  if (!uses.areHalves && any_of(uses.users, isHalfRounding))
    return std::nullopt;
  return uses;
}

// Those set bits of `mask` whose positions among its set bits are set in `places`.
unsigned bitsAt(unsigned mask, unsigned places) {
  unsigned result = 0;
  for (unsigned place = 0; mask; mask &= mask - 1, ++place)
    if (places >> place & 1)
      result |= mask & ~(mask - 1);
  return result;
}

void replace(Instruction &before, Value *after) {
  before.replaceAllUsesWith(after);
  before.eraseFromParent();
}

// The value that `user` takes from `sample`, now from one that has only the components of `mask`.
Value *takeFrom(Value *trimmed, Instruction &user, const CallInst &sample, unsigned mask) {
  IRBuilder<> builder(&user);
  auto place = [&](uint64_t component) {
    return mask >> component & 1 ? int(popcount(mask & ((1u << component) - 1))) : PoisonMaskElem;
  };
  bool isVector = trimmed->getType()->isVectorTy();
  if (auto *extract = dyn_cast<ExtractElementInst>(&user)) {
    uint64_t index = cast<ConstantInt>(extract->getIndexOperand())->getZExtValue();
    return isVector ? builder.CreateExtractElement(trimmed, uint64_t(place(index))) : trimmed;
  }
  auto *shuffle = dyn_cast<ShuffleVectorInst>(&user);
  if (!shuffle)
    return trimmed;
  if (!isVector)
    trimmed = builder.CreateInsertElement(FixedVectorType::get(trimmed->getType(), 1), trimmed, uint64_t(0));
  SmallVector<int, 8> places;
  if (isPlainShuffle(*shuffle)) {
    for (int component : shuffle->getShuffleMask())
      places.push_back(component >= 0 && unsigned(component) < componentCount(sample.getType()) ? place(component)
                                                                                                : PoisonMaskElem);
    return builder.CreateShuffleVector(trimmed, places);
  }
  for (unsigned component = 0; component != componentCount(sample.getType()); ++component)
    places.push_back(place(component));
  Value *widened = builder.CreateShuffleVector(trimmed, places);
  auto operand = [&](unsigned i) { return shuffle->getOperand(i) == &sample ? widened : shuffle->getOperand(i); };
  return builder.CreateShuffleVector(operand(0), operand(1), shuffle->getShuffleMask());
}

void trim(CallInst &call) {
  std::optional<SampleUses> uses = findUses(call);
  auto *mask = cast<ConstantInt>(call.getArgOperand(0));
  unsigned all = (1u << componentCount(call.getType())) - 1;
  if (!uses || uses->mask == 0 || (uses->mask == all && !uses->areHalves))
    return;
  IRBuilder<> builder(&call);
  Type *element = uses->areHalves ? builder.getHalfTy() : call.getType()->getScalarType();
  unsigned count = unsigned(popcount(uses->mask));
  // A sample of one component that is rounded as a whole is a scalar already.
  Type *type = count == 1 ? element : FixedVectorType::get(element, count);

  Function *callee = call.getCalledFunction();
  SmallVector<Type *, 8> overloads;
  if (!Intrinsic::getIntrinsicSignature(callee, overloads))
    return;
  overloads[0] = type;
  Function *trimmed = Intrinsic::getOrInsertDeclaration(callee->getParent(), callee->getIntrinsicID(), overloads);
  SmallVector<Value *, 16> arguments(call.args());
  arguments[0] = builder.getInt32(bitsAt(unsigned(mask->getZExtValue()), uses->mask));
  CallInst *result = builder.CreateCall(trimmed, arguments);
  result->setConvergent();
  result->setDebugLoc(call.getDebugLoc());

  for (Instruction *user : uses->users) {
    Value *taken = takeFrom(result, *user, call, uses->mask);
    if (uses->areHalves && !isHalfRounding(user)) {
      for (User *rounding : make_early_inc_range(user->users()))
        replace(*cast<Instruction>(rounding), taken);
      user->eraseFromParent();
    } else {
      replace(*user, taken);
    }
  }
  call.eraseFromParent();
}

} // namespace

PreservedAnalyses TrimSamplesPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<CallInst *, 16> samples;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    CallInst *sample = frozenSample(inst);
    if (!sample)
      continue;
    inst.replaceAllUsesWith(sample);
    inst.eraseFromParent();
    if (!is_contained(samples, sample))
      samples.push_back(sample);
  }
  for (CallInst *sample : samples)
    if (hasComponents(*sample))
      trim(*sample);
  return samples.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lgc
