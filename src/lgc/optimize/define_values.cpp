// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include "src/lgc/optimize/optimize_passes.h"
#include <llvm/ADT/BitVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

using namespace llvm;

namespace lgc {

namespace {

// LLVM's AMDGPU back end keeps vectors and arrays of at most so many bytes in registers (LLVM 22: up to 32 dwords), but
// no structures.
constexpr uint64_t MaxRegisterArray = 128;

bool mayLieInRegisters(const Type *type) {
  while (type->isArrayTy())
    type = type->getArrayElementType();
  return !type->isStructTy();
}

// Replaces each part of the constant that is undefined or poison by zero, however deep. (LLVM's replaceUndefsWith()
// does this for vectors only, and treats one that mixes undef and poison as a scalar.)
Constant *definedConstant(Constant *constant) {
  if (isa<UndefValue>(constant)) // poison is one
    return Constant::getNullValue(constant->getType());
  auto *aggregate = dyn_cast<ConstantAggregate>(constant);
  if (!aggregate)
    return constant;
  SmallVector<Constant *, 8> parts;
  for (const Use &part : aggregate->operands())
    parts.push_back(definedConstant(cast<Constant>(part)));
  if (auto *array = dyn_cast<ConstantArray>(aggregate))
    return ConstantArray::get(array->getType(), parts);
  if (auto *structure = dyn_cast<ConstantStruct>(aggregate))
    return ConstantStruct::get(structure->getType(), parts);
  return ConstantVector::get(parts);
}

// Puts zero for the undefined parts of a constant, also of one into which parts are inserted.
bool define(Use &value) {
  Use *use = &value;
  while (isa<InsertElementInst, InsertValueInst>(*use))
    use = &cast<Instruction>(*use)->getOperandUse(0);
  auto *constant = dyn_cast<Constant>(*use);
  Constant *defined = constant ? definedConstant(constant) : nullptr;
  if (defined == constant) // constants are unique
    return false;
  use->set(defined);
  return true;
}

// Whether the block ends its lanes, so that no values that come from it are used. A kill with a condition lets other
// lanes go on.
bool endsLanes(const BasicBlock &block) {
  return any_of(block, [](const Instruction &inst) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
    if (!intrinsic || intrinsic->getIntrinsicID() != Intrinsic::amdgcn_kill)
      return false;
    auto *goesOn = dyn_cast<ConstantInt>(intrinsic->getArgOperand(0));
    return goesOn && goesOn->isZero();
  });
}

// Whether the edge goes back. In a loop that serves lane after lane, lanes that go round once more have no value yet.
bool goesBackTo(const BasicBlock &from, const BasicBlock *to) {
  return is_contained(successors(&from), to);
}

bool definePhis(BasicBlock &block) {
  bool isChanged = false;
  for (PHINode &phi : block.phis())
    for (Use &incoming : phi.incoming_values()) {
      const BasicBlock *from = phi.getIncomingBlock(incoming);
      if (!endsLanes(*from) && !goesBackTo(block, from))
        isChanged |= define(incoming);
    }
  return isChanged;
}

// The elements of a vector that are surely undefined; of any other value, one bit. Looks at no more than `limit`
// values.
BitVector undefinedElements(const Value &value, unsigned limit = 64) {
  auto *vectorType = dyn_cast<FixedVectorType>(value.getType());
  const unsigned count = vectorType ? vectorType->getNumElements() : 1;
  if (isa<UndefValue>(value))
    return BitVector(count, true);
  BitVector elements(count);
  if (!vectorType || limit < 2)
    return elements;
  if (auto *constant = dyn_cast<ConstantVector>(&value)) {
    for (unsigned i = 0; i != count; ++i)
      elements[i] = isa<UndefValue>(constant->getOperand(i));
  } else if (auto *insert = dyn_cast<InsertElementInst>(&value)) {
    auto *index = dyn_cast<ConstantInt>(insert->getOperand(2));
    if (index && index->getValue().ult(count)) {
      elements = undefinedElements(*insert->getOperand(0), limit - 1);
      elements[unsigned(index->getZExtValue())] = isa<UndefValue>(insert->getOperand(1));
    }
  } else if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&value)) {
    const BitVector first = undefinedElements(*shuffle->getOperand(0), limit / 2),
                    second = undefinedElements(*shuffle->getOperand(1), limit / 2);
    for (unsigned i = 0; i != count; ++i) {
      const int from = shuffle->getMaskValue(i);
      elements[i] =
          from < 0 || (unsigned(from) < first.size() ? first[unsigned(from)] : second[unsigned(from) - first.size()]);
    }
  } else if (auto *cast = dyn_cast<BitCastInst>(&value)) {
    if (const BitVector whole = undefinedElements(*cast->getOperand(0), limit - 1); whole.size() == count)
      elements = whole;
  }
  return elements;
}

// Puts zero for the undefined elements of an operand.
bool defineElements(Use &value, Instruction &user) {
  const BitVector elements = undefinedElements(*value);
  if (elements.none())
    return false;
  Type *type = value->getType();
  Value *defined = elements.all() ? Constant::getNullValue(type) : value.get();
  IRBuilder<> builder(&user);
  if (!elements.all())
    for (unsigned i : elements.set_bits())
      defined = builder.CreateInsertElement(defined, Constant::getNullValue(type->getScalarType()), i);
  value.set(defined);
  return true;
}

// Defines the arguments of an intrinsic that are coordinates of an image, or are written to memory. Written arguments
// are the first one, and the second one of a compare-and-swap.
bool defineArguments(IntrinsicInst &call) {
  const StringRef name = call.getCalledFunction()->getName();
  bool isChanged = false;
  if (name.starts_with("llvm.amdgcn.image.")) {
    const bool isWrite = call.mayWriteToMemory();
    for (Use &argument : call.args())
      if (!argument->getType()->isVectorTy() || (isWrite && argument.getOperandNo() == 0))
        isChanged |= defineElements(argument, call);
    return isChanged;
  }
  if (!name.starts_with("llvm.amdgcn.") || !call.mayWriteToMemory() || !name.contains("buffer."))
    return false;
  const bool isAtomic = name.contains("buffer.atomic");
  if (isAtomic || name.contains("buffer.store"))
    isChanged |= defineElements(call.getArgOperandUse(0), call);
  if (isAtomic && name.contains("cmpswap"))
    isChanged |= defineElements(call.getArgOperandUse(1), call);
  return isChanged;
}

// Skips private memory: it is in registers, or defineArrays() handles it.
bool defineOperands(Function &function) {
  bool isChanged = false;
  for (Instruction &inst : instructions(function)) {
    if (auto *store = dyn_cast<StoreInst>(&inst)) {
      if (store->getPointerAddressSpace() != AMDGPUAS::PRIVATE_ADDRESS)
        isChanged |= defineElements(inst.getOperandUse(0), inst);
    } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(inst)) {
      for (Use &operand : drop_begin(inst.operands())) // the pointer
        isChanged |= defineElements(operand, inst);
    } else if (auto *call = dyn_cast<IntrinsicInst>(&inst)) {
      isChanged |= defineArguments(*call);
    }
  }
  return isChanged;
}

// The uses of an array.
struct ArrayUses {
  struct Write {
    Instruction *inst;
    uint64_t begin, size; // in bytes
  };
  SmallVector<Write, 16> writes; // at known places
  SmallVector<Instruction *, 16>
      readers; // include writes at unknown places, which read the other elements in registers

  void add(Value &pointer, std::optional<uint64_t> offset, const DataLayout &layout) {
    for (Use &use : pointer.uses()) {
      auto *inst = cast<Instruction>(use.getUser());
      std::optional<uint64_t> size;
      if (auto *address = dyn_cast<GetElementPtrInst>(inst)) {
        APInt step(layout.getIndexTypeSizeInBits(address->getType()), 0);
        const bool isKnown = offset && address->accumulateConstantOffset(layout, step) && step.isNonNegative();
        add(*address, isKnown ? std::optional(*offset + step.getZExtValue()) : std::nullopt, layout);
        continue;
      }
      auto *store = dyn_cast<StoreInst>(inst);
      if (store && use.getOperandNo() == StoreInst::getPointerOperandIndex())
        size = layout.getTypeStoreSize(store->getValueOperand()->getType()).getFixedValue();
      else if (auto *fill = dyn_cast<MemIntrinsic>(inst); fill && use.getOperandNo() == 0)
        if (auto *length = dyn_cast<ConstantInt>(fill->getLength()))
          size = length->getZExtValue();
      if (offset && size)
        writes.push_back({inst, *offset, *size});
      else
        readers.push_back(inst);
    }
  }
};

// Whether all of the variable is written before any of it is read.
bool isWrittenFirst(AllocaInst &variable, uint64_t size, const DominatorTree &dominators, const DataLayout &layout) {
  ArrayUses uses;
  uses.add(variable, 0, layout);
  BitVector isWritten(size);
  for (const ArrayUses::Write &write : uses.writes)
    if (write.begin + write.size <= size &&
        all_of(uses.readers, [&](Instruction *reader) { return dominators.dominates(write.inst, reader); }))
      isWritten.set(write.begin, write.begin + write.size);
  return isWritten.all();
}

bool defineArrays(Function &function) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  std::optional<DominatorTree> dominators;
  bool isChanged = false;
  for (Instruction &inst : make_early_inc_range(function.getEntryBlock())) {
    auto *variable = dyn_cast<AllocaInst>(&inst);
    std::optional<TypeSize> size = variable ? variable->getAllocationSize(layout) : std::nullopt;
    if (!size || size->getFixedValue() > MaxRegisterArray || !mayLieInRegisters(variable->getAllocatedType()))
      continue;
    if (!dominators)
      dominators.emplace(function);
    if (isWrittenFirst(*variable, size->getFixedValue(), *dominators, layout))
      continue;
    IRBuilder<> builder(variable->getNextNode());
    builder.CreateMemSet(variable, builder.getInt8(0), size->getFixedValue(), variable->getAlign());
    isChanged = true;
  }
  return isChanged;
}

} // namespace

PreservedAnalyses DefineValuesPass::run(Function &function, FunctionAnalysisManager &) {
  bool isChanged = defineOperands(function) | defineArrays(function);
  for (BasicBlock &block : function)
    isChanged |= definePhis(block);
  return preserveControlFlow(isChanged);
}

} // namespace lgc
