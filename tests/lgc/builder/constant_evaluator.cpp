// SPDX-License-Identifier: MIT
#include "tests/lgc/builder/constant_evaluator.h"
#include "tests/lgc/stages/compile_shader.h"
#include <cmath>
#include <doctest/doctest.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc::test {

namespace {

double toDouble(Constant *constant) {
  APFloat value = cast<ConstantFP>(constant)->getValueAPF();
  bool isInexact;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &isInexact);
  return value.convertToDouble();
}

double median(double a, double b, double c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

int64_t bitField(int64_t value, unsigned offset, unsigned count, bool isSigned) {
  offset &= 31;
  count &= 31;
  if (count == 0)
    return 0;
  uint64_t field = uint64_t(value) >> offset & ((1u << count) - 1);
  if (isSigned && field >> (count - 1) & 1)
    return int64_t(field) - (int64_t(1) << count);
  return int64_t(field);
}

// The instructions of the target that LLVM's folder leaves alone.
Constant *evaluateInstruction(IntrinsicInst &call, ArrayRef<Constant *> operands) {
  Type *type = call.getType();
  auto number = [&](unsigned i) { return toDouble(operands[i]); };
  auto integer = [&](unsigned i) { return cast<ConstantInt>(operands[i])->getZExtValue(); };
  switch (static_cast<unsigned>(call.getIntrinsicID())) {
  case Intrinsic::amdgcn_rcp:
    return ConstantFP::get(type, 1.0 / number(0));
  case Intrinsic::amdgcn_rsq:
    return ConstantFP::get(type, 1.0 / std::sqrt(number(0)));
  case Intrinsic::amdgcn_sqrt:
    return ConstantFP::get(type, std::sqrt(number(0)));
  case Intrinsic::amdgcn_exp2:
    return ConstantFP::get(type, std::exp2(number(0)));
  case Intrinsic::amdgcn_log:
    return ConstantFP::get(type, std::log2(number(0)));
  case Intrinsic::amdgcn_fmed3:
    return ConstantFP::get(type, median(number(0), number(1), number(2)));
  case Intrinsic::amdgcn_frexp_mant: {
    int exponent;
    return ConstantFP::get(type, std::frexp(number(0), &exponent));
  }
  case Intrinsic::amdgcn_frexp_exp: {
    int exponent;
    std::frexp(number(0), &exponent);
    return ConstantInt::getSigned(type, exponent);
  }
  case Intrinsic::amdgcn_ubfe:
    return ConstantInt::getSigned(type, bitField(integer(0), integer(1), integer(2), false));
  case Intrinsic::amdgcn_sbfe:
    return ConstantInt::getSigned(type, bitField(integer(0), integer(1), integer(2), true));
  default:
    return nullptr;
  }
}

} // namespace

Constant *evaluate(Value *value, const DataLayout &layout) {
  if (auto *constant = dyn_cast<Constant>(value))
    return ConstantFoldConstant(constant, layout);
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return nullptr;
  SmallVector<Constant *, 4> operands;
  for (Value *operand : instruction->operands()) {
    if (isa<Function>(operand))
      continue;
    Constant *constant = evaluate(operand, layout);
    if (!constant)
      return nullptr;
    operands.push_back(constant);
  }
  auto *call = dyn_cast<IntrinsicInst>(instruction);
  if (!call)
    return ConstantFoldInstOperands(instruction, operands, layout);
  if (Constant *folded = ConstantFoldCall(call, call->getCalledFunction(), operands))
    return folded;
  return evaluateInstruction(*call, operands);
}

Workbench::Workbench(ShaderStage stage) : m_state(*dovetail::findTarget("gfx900"), {}, modesOf(stage)) {
  m_module = std::make_unique<Module>("workbench", m_context);
  auto *type = FunctionType::get(Type::getVoidTy(m_context), false);
  Function *function = Function::Create(type, GlobalValue::ExternalLinkage, "main", *m_module);
  m_builder = std::make_unique<BuilderImpl>(m_context, m_state);
  m_builder->SetInsertPoint(BasicBlock::Create(m_context, "", function));
}

Workbench::~Workbench() = default;

Constant *Workbench::f32(double value) const {
  return ConstantFP::get(m_builder->getFloatTy(), value);
}
Constant *Workbench::f64(double value) const {
  return ConstantFP::get(m_builder->getDoubleTy(), value);
}
Constant *Workbench::f16(double value) const {
  return ConstantFP::get(m_builder->getHalfTy(), value);
}
Constant *Workbench::i32(uint32_t value) const {
  return m_builder->getInt32(value);
}

Constant *Workbench::vector(const std::vector<Constant *> &elements) const {
  return ConstantVector::get(elements);
}

Constant *Workbench::f32Vector(const std::vector<double> &elements) const {
  std::vector<Constant *> constants;
  for (double element : elements)
    constants.push_back(f32(element));
  return vector(constants);
}

double Workbench::number(Value *value) const {
  Constant *constant = evaluate(value, m_module->getDataLayout());
  return constant && isa<ConstantFP>(constant) ? toDouble(constant) : NAN;
}

std::vector<double> Workbench::numbers(Value *vector) const {
  std::vector<double> result;
  Constant *constant = evaluate(vector, m_module->getDataLayout());
  REQUIRE(constant);
  for (unsigned i = 0; i < cast<FixedVectorType>(constant->getType())->getNumElements(); ++i)
    result.push_back(toDouble(constant->getAggregateElement(i)));
  return result;
}

uint64_t Workbench::integer(Value *value) const {
  Constant *constant = evaluate(value, m_module->getDataLayout());
  REQUIRE(isa_and_nonnull<ConstantInt>(constant));
  return cast<ConstantInt>(constant)->getZExtValue();
}

} // namespace lgc::test
