// SPDX-License-Identifier: MIT
//
// Runs constants of random types through define_values and thaw_branches. Any part of a constant may be undefined or
// poison. The tests work out the expected result scalar by scalar: a scalar is undefined if any part that contains it
// is.
#include "src/lgc/builder_context.h"
#include "src/lgc/optimize/optimize_passes.h"
#include <doctest/doctest.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <random>

using namespace llvm;

namespace {

constexpr unsigned Rounds = 2000;

using Path = SmallVector<unsigned, 4>;

unsigned partCount(const Type *type) {
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getNumElements();
  if (type->isArrayTy())
    return unsigned(type->getArrayNumElements());
  return type->isStructTy() ? type->getStructNumElements() : 0;
}

class RandomConstants {
public:
  RandomConstants(LLVMContext &context, unsigned seed) : m_context(context), m_random(seed) {}

  unsigned below(unsigned count) { return unsigned(m_random() % count); }

  Type *type(unsigned depth) {
    const unsigned kind = depth == 0 ? 0 : below(5);
    const unsigned count = 1 + below(4);
    if (kind == 1)
      return FixedVectorType::get(scalarType(), 1 + count);
    if (kind == 2)
      return ArrayType::get(type(depth - 1), count);
    if (kind >= 3) {
      SmallVector<Type *, 4> members;
      for (unsigned i = 0; i < count; ++i)
        members.push_back(type(depth - 1));
      return StructType::get(m_context, members);
    }
    return scalarType();
  }

  Constant *constant(Type *type) {
    switch (below(8)) {
    case 0:
      return UndefValue::get(type);
    case 1:
      return PoisonValue::get(type);
    case 2:
      return Constant::getNullValue(type);
    default:
      break;
    }
    SmallVector<Constant *, 4> parts;
    for (unsigned i = 0; i < partCount(type); ++i)
      parts.push_back(constant(partType(type, i)));
    if (auto *array = dyn_cast<ArrayType>(type))
      return ConstantArray::get(array, parts);
    if (auto *structure = dyn_cast<StructType>(type))
      return ConstantStruct::get(structure, parts);
    if (type->isVectorTy())
      return ConstantVector::get(parts);
    if (type->isIntegerTy())
      return ConstantInt::get(type, below(1000));
    return ConstantFP::get(type, below(1000));
  }

  // The way to a scalar of the type, chosen at random.
  Path path(Type *type) {
    Path path;
    while (unsigned count = partCount(type)) {
      path.push_back(below(count));
      type = partType(type, path.back());
    }
    return path;
  }

  static Type *partType(Type *type, unsigned index) {
    return type->isStructTy() ? type->getStructElementType(index) : type->getContainedType(0);
  }

private:
  Type *scalarType() {
    Type *types[] = {Type::getInt1Ty(m_context),  Type::getInt8Ty(m_context), Type::getInt32Ty(m_context),
                     Type::getInt64Ty(m_context), Type::getHalfTy(m_context), Type::getFloatTy(m_context),
                     Type::getDoubleTy(m_context)};
    return types[below(std::size(types))];
  }

  LLVMContext &m_context;
  std::mt19937 m_random;
};

Constant *scalarAt(Constant *constant, ArrayRef<unsigned> path) {
  for (unsigned index : path)
    constant = constant->getAggregateElement(index);
  return constant;
}

// Every scalar is as it was, or zero where it was undefined.
bool isDefinition(Constant *before, Constant *after) {
  const unsigned count = partCount(before->getType());
  if (count == 0)
    return isa<UndefValue>(before) ? after->isNullValue() : after == before;
  for (unsigned i = 0; i < count; ++i)
    if (!isDefinition(before->getAggregateElement(i), after->getAggregateElement(i)))
      return false;
  return true;
}

bool hasUndefinedScalar(Constant *constant) {
  const unsigned count = partCount(constant->getType());
  for (unsigned i = 0; i < count; ++i)
    if (hasUndefinedScalar(constant->getAggregateElement(i)))
      return true;
  return count == 0 && isa<UndefValue>(constant);
}

// A function with the blocks entry, some and all; %c branches.
struct Diamond {
  Module module;
  Function *function;
  BasicBlock *entry, *some, *all;
  IRBuilder<> builder;

  explicit Diamond(LLVMContext &context) : module("random", context), builder(context) {
    auto *type = FunctionType::get(builder.getVoidTy(), {builder.getInt1Ty(), builder.getInt64Ty()}, false);
    function = Function::Create(type, GlobalValue::ExternalLinkage, "main", module);
    entry = BasicBlock::Create(context, "entry", function);
    some = BasicBlock::Create(context, "some", function);
    all = BasicBlock::Create(context, "all", function);
  }
};

} // namespace

TEST_CASE("what is undefined of a random constant is zero behind define_values, and nothing else changes") {
  unsigned partly = 0;
  for (unsigned seed = 0; seed < Rounds; ++seed) {
    CAPTURE(seed);
    LLVMContext context;
    RandomConstants random(context, seed);
    Diamond diamond(context);
    Constant *given = random.constant(random.type(3));
    IRBuilder<> &builder = diamond.builder;
    builder.SetInsertPoint(diamond.entry);
    builder.CreateCondBr(diamond.function->getArg(0), diamond.some, diamond.all);
    builder.SetInsertPoint(diamond.some);
    // On the other way, an instruction puts a part into the same constant.
    Value *other = given;
    if (partCount(given->getType())) {
      Constant *part = random.constant(RandomConstants::partType(given->getType(), 0));
      if (given->getType()->isVectorTy())
        other = InsertElementInst::Create(given, part, builder.getInt32(0), "", diamond.some);
      else
        other = InsertValueInst::Create(given, part, 0u, "", diamond.some);
    }
    builder.CreateBr(diamond.all);
    builder.SetInsertPoint(diamond.all);
    PHINode *phi = builder.CreatePHI(given->getType(), 2);
    phi->addIncoming(given, diamond.entry);
    phi->addIncoming(other, diamond.some);
    builder.CreateRetVoid();

    FunctionAnalysisManager analyses;
    lgc::DefineValuesPass().run(*diamond.function, analyses);
    REQUIRE_FALSE(verifyModule(diamond.module, &errs()));
    CHECK(isDefinition(given, cast<Constant>(phi->getIncomingValue(0))));
    if (auto *inst = dyn_cast<Instruction>(phi->getIncomingValue(1)))
      CHECK(isDefinition(given, cast<Constant>(inst->getOperand(0))));
    partly += hasUndefinedScalar(given) && !isa<UndefValue>(given);
  }
  CHECK(partly > Rounds / 8);
}

TEST_CASE("a branch on an undefined scalar of a random constant stays frozen, one on a defined constant is thawed") {
  unsigned undefined = 0, thawed = 0;
  for (unsigned seed = 0; seed < Rounds; ++seed) {
    CAPTURE(seed);
    LLVMContext context;
    RandomConstants random(context, seed);
    Diamond diamond(context);
    Constant *given = random.constant(random.type(3));
    Path path = random.path(given->getType());
    IRBuilder<> &builder = diamond.builder;
    builder.SetInsertPoint(diamond.entry);
    // An instruction may replace one part first.
    Value *whole = given;
    Constant *scalar = scalarAt(given, path);
    bool isAllDefined = !hasUndefinedScalar(given);
    if (!path.empty() && random.below(2)) {
      const unsigned index = random.below(partCount(given->getType()));
      Constant *part = random.constant(RandomConstants::partType(given->getType(), index));
      isAllDefined &= !hasUndefinedScalar(part);
      if (given->getType()->isVectorTy())
        whole = InsertElementInst::Create(given, part, builder.getInt32(index), "", diamond.entry);
      else
        whole = InsertValueInst::Create(given, part, index, "", diamond.entry);
      if (path[0] == index)
        scalar = scalarAt(part, ArrayRef<unsigned>(path).drop_front());
    }
    // Made as instructions, because the builder would fold them.
    for (unsigned index : path) {
      if (whole->getType()->isVectorTy())
        whole = ExtractElementInst::Create(whole, builder.getInt32(index), "", diamond.entry);
      else
        whole = ExtractValueInst::Create(whole, index, "", diamond.entry);
    }
    const bool isFloat = whole->getType()->isFloatingPointTy();
    Constant *zero = Constant::getNullValue(whole->getType());
    Value *condition = CmpInst::Create(isFloat ? Instruction::FCmp : Instruction::ICmp,
                                       isFloat ? CmpInst::FCMP_OEQ : CmpInst::ICMP_EQ, whole, zero, "", diamond.entry);
    builder.CreateCondBr(new FreezeInst(condition, "", diamond.entry), diamond.some, diamond.all);
    builder.SetInsertPoint(diamond.some);
    builder.CreateBr(diamond.all);
    builder.SetInsertPoint(diamond.all);
    builder.CreateRetVoid();

    FunctionAnalysisManager analyses;
    lgc::ThawBranchesPass().run(*diamond.function, analyses);
    REQUIRE_FALSE(verifyModule(diamond.module, &errs()));
    const bool isThawed =
        none_of(instructions(*diamond.function), [](const Instruction &inst) { return isa<FreezeInst>(inst); });
    if (isa<UndefValue>(scalar)) {
      ++undefined;
      CHECK_FALSE(isThawed);
    }
    if (isAllDefined)
      CHECK(isThawed);
    thawed += isThawed;
  }
  CHECK(undefined > Rounds / 8);
  CHECK(thawed > Rounds / 8);
}
