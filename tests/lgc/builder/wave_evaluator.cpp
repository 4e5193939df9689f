// SPDX-License-Identifier: MIT
#include "tests/lgc/builder/wave_evaluator.h"
#include "tests/lgc/stages/compile_shader.h"
#include <doctest/doctest.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc::test {

namespace {

uint64_t integerOf(const Constant *constant) {
  return cast<ConstantInt>(constant)->getZExtValue();
}

// The lane that a DPP control makes `lane` read, or -1 if there is none ("Vega" ISA, 13.3.9). Rows are 16 lanes.
int dppSource(unsigned control, unsigned lane) {
  unsigned row = lane & ~15u;
  unsigned inRow = lane & 15;
  if (control < 0x100) // quad_perm
    return int((lane & ~3u) | (control >> (lane & 3) * 2 & 3));
  if (control > 0x110 && control < 0x120) { // row_shr
    unsigned amount = control & 15;
    return inRow >= amount ? int(lane - amount) : -1;
  }
  switch (control) {
  case 0x138: // wave_shr:1
    return int(lane) - 1;
  case 0x140: // row_mirror
    return int(row | (15 - inRow));
  case 0x141: // row_half_mirror
    return int(row | (inRow ^ 7));
  case 0x142: // row_bcast:15
    return int(row) - 1;
  case 0x143: // row_bcast:31
    return lane >= 32 ? 31 : -1;
  }
  FAIL("unknown DPP control");
  return -1;
}

} // namespace

WaveBench::WaveBench(uint64_t activeLanes, ShaderStage stage)
    : m_activeLanes(activeLanes), m_state(*dovetail::findTarget("gfx900"), {}, modesOf(stage)) {
  m_module = std::make_unique<Module>("wave", m_context);
  auto *type = FunctionType::get(Type::getVoidTy(m_context), false);
  Function *function = Function::Create(type, GlobalValue::ExternalLinkage, "main", *m_module);
  m_builder = std::make_unique<BuilderImpl>(m_context, m_state);
  m_builder->SetInsertPoint(BasicBlock::Create(m_context, "", function));
}

WaveBench::~WaveBench() = default;

Value *WaveBench::divergent(Type *type, function_ref<Constant *(unsigned)> make) {
  // A dummy load stands for the value. Its result is entered here.
  Value *value = m_builder->CreateLoad(type, PoisonValue::get(m_builder->getPtrTy()));
  Lanes lanes;
  for (unsigned lane = 0; lane < LaneCount; ++lane)
    lanes[lane] = isActive(lane) ? make(lane) : PoisonValue::get(type);
  m_values[value] = lanes;
  return value;
}

Value *WaveBench::divergentI32(function_ref<uint32_t(unsigned)> make) {
  return divergent(m_builder->getInt32Ty(), [&](unsigned lane) { return m_builder->getInt32(make(lane)); });
}

Lanes WaveBench::evaluate(Value *value) {
  if (auto *constant = dyn_cast<Constant>(value)) {
    Lanes lanes;
    lanes.fill(ConstantFoldConstant(constant, m_module->getDataLayout()));
    return lanes;
  }
  if (auto known = m_values.find(value); known != m_values.end())
    return known->second;
  Lanes lanes = evaluateInstruction(*cast<Instruction>(value));
  m_values[value] = lanes;
  return lanes;
}

Lanes WaveBench::evaluateInstruction(Instruction &instruction) {
  Lanes result;
  auto *call = dyn_cast<CallInst>(&instruction);
  if (call && evaluateCrossLane(*call, result))
    return result;
  std::vector<Lanes> operands;
  for (Value *operand : instruction.operands())
    if (!isa<Function>(operand))
      operands.push_back(evaluate(operand));
  for (unsigned lane = 0; lane < LaneCount; ++lane) {
    SmallVector<Constant *, 4> constants;
    for (const Lanes &operand : operands)
      constants.push_back(operand[lane]);
    result[lane] = call ? ConstantFoldCall(call, call->getCalledFunction(), constants)
                        : ConstantFoldInstOperands(&instruction, constants, m_module->getDataLayout());
    REQUIRE(result[lane]);
  }
  return result;
}

Lanes WaveBench::moveDpp(const Lanes &old, const Lanes &source, unsigned control, unsigned rowMask) {
  Lanes result;
  for (unsigned lane = 0; lane < LaneCount; ++lane) {
    int from = dppSource(control, lane);
    bool isWritten = (rowMask >> lane / 16 & 1) && from >= 0;
    result[lane] = isWritten ? source[from] : old[lane];
  }
  return result;
}

bool WaveBench::evaluateCrossLane(CallInst &call, Lanes &result) {
  auto operand = [&](unsigned i) { return evaluate(call.getArgOperand(i)); };
  auto immediate = [&](unsigned i) { return integerOf(cast<Constant>(call.getArgOperand(i))); };
  unsigned firstActive = countr_zero(m_activeLanes);
  switch (static_cast<unsigned>(call.getIntrinsicID())) {
  case Intrinsic::amdgcn_update_dpp:
    CHECK(immediate(4) == 0xf); // all banks
    CHECK(immediate(5) == 0);   // without bound_ctrl
    result = moveDpp(operand(0), operand(1), immediate(2), immediate(3));
    return true;
  case Intrinsic::amdgcn_set_inactive: {
    Lanes value = operand(0), inactive = operand(1);
    for (unsigned lane = 0; lane < LaneCount; ++lane)
      result[lane] = isActive(lane) ? value[lane] : inactive[lane];
    return true;
  }
  case Intrinsic::amdgcn_strict_wwm:
  case Intrinsic::amdgcn_wqm:
    result = operand(0);
    return true;
  case Intrinsic::amdgcn_readlane:
    result.fill(operand(0)[integerOf(operand(1)[firstActive])]);
    return true;
  case Intrinsic::amdgcn_readfirstlane:
    result.fill(operand(0)[firstActive]);
    return true;
  case Intrinsic::amdgcn_ds_bpermute: {
    Lanes address = operand(0), value = operand(1);
    for (unsigned lane = 0; lane < LaneCount; ++lane)
      result[lane] = isActive(lane) ? value[integerOf(address[lane]) / 4 % LaneCount] : value[lane];
    return true;
  }
  case Intrinsic::amdgcn_ds_swizzle: {
    Lanes value = operand(0);
    unsigned pattern = immediate(1);
    CHECK((pattern & 0x83ff) == 0x1f); // bit mode that only flips bits
    for (unsigned lane = 0; lane < LaneCount; ++lane)
      result[lane] = value[lane ^ (pattern >> 10 & 31)];
    return true;
  }
  case Intrinsic::amdgcn_ballot: {
    Lanes condition = operand(0);
    uint64_t bits = 0;
    for (unsigned lane = 0; lane < LaneCount; ++lane)
      if (isActive(lane) && integerOf(condition[lane]))
        bits |= 1ull << lane;
    result.fill(ConstantInt::get(call.getType(), bits));
    return true;
  }
  case Intrinsic::amdgcn_mbcnt_lo:
  case Intrinsic::amdgcn_mbcnt_hi: {
    bool isHigh = call.getIntrinsicID() == Intrinsic::amdgcn_mbcnt_hi;
    Lanes mask = operand(0), base = operand(1);
    for (unsigned lane = 0; lane < LaneCount; ++lane) {
      uint64_t below = (1ull << lane) - 1;
      uint32_t half = isHigh ? below >> 32 : below;
      result[lane] =
          ConstantInt::get(call.getType(), popcount(uint32_t(integerOf(mask[lane])) & half) + integerOf(base[lane]));
    }
    return true;
  }
  default:
    return false;
  }
}

std::array<uint64_t, LaneCount> WaveBench::integers(Value *value) {
  Lanes lanes = evaluate(value);
  std::array<uint64_t, LaneCount> numbers = {};
  for (unsigned lane = 0; lane < LaneCount; ++lane)
    if (isActive(lane)) {
      REQUIRE(isa<ConstantInt>(lanes[lane])); // not poison
      numbers[lane] = integerOf(lanes[lane]);
    }
  return numbers;
}

std::array<double, LaneCount> WaveBench::floats(Value *value) {
  Lanes lanes = evaluate(value);
  std::array<double, LaneCount> numbers = {};
  for (unsigned lane = 0; lane < LaneCount; ++lane)
    if (isActive(lane)) {
      REQUIRE(isa<ConstantFP>(lanes[lane]));
      APFloat number = cast<ConstantFP>(lanes[lane])->getValueAPF();
      bool isInexact;
      number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &isInexact);
      numbers[lane] = number.convertToDouble();
    }
  return numbers;
}

} // namespace lgc::test
