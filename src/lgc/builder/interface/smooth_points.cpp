// SPDX-License-Identifier: MIT
#include "src/lgc/builder/interface/smooth_points.h"
#include "src/lgc/ops/op.h"
#include "src/state/pipeline_state.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;
using dovetail::NumericClass;

namespace lgc {

namespace {

// The coverage from 0 to 1. The code must stand where all pixels of a quad are active.
Value *coverageOfCircle(BuilderImpl &builder) {
  Type *pair = FixedVectorType::get(builder.getFloatTy(), 2);
  auto number = [&](double value) { return ConstantFP::get(builder.getFloatTy(), value); };
  Value *coordinate = builder.CreateReadBuiltInInput(pair, BuiltIn::PointCoord, nullptr, nullptr);
  Value *s = builder.CreateExtractElement(coordinate, uint64_t(0));
  Value *fromCenter[2];
  for (uint64_t i = 0; i < 2; ++i)
    fromCenter[i] = builder.CreateFSub(builder.CreateExtractElement(coordinate, i), number(0.5));
  Value *square = builder.CreateFAdd(builder.CreateFMul(fromCenter[0], fromCenter[0]),
                                     builder.CreateFMul(fromCenter[1], fromCenter[1]));

  // From here on in pixels.
  Value *pixel = builder.CreateDerivative(s, /*isDirectionY=*/false, /*isFine=*/false);
  Value *size = builder.CreateIntrinsic(Intrinsic::amdgcn_rcp, {builder.getFloatTy()}, {pixel});
  Value *distance = builder.CreateIntrinsic(Intrinsic::amdgcn_sqrt, {builder.getFloatTy()}, {square});
  Value *inside = builder.CreateFMul(size, builder.CreateFSub(number(0.5), distance));
  Value *coverage = builder.CreateFAdd(inside, number(0.5));
  return builder.CreateFClamp(coverage, number(0), number(1));
}

} // namespace

void smoothPoints(Function &function, BuilderImpl &builder) {
  SmallVector<WriteOutputOp *, 8> alphas;
  for (Instruction &instruction : instructions(function))
    if (auto *write = dyn_cast<WriteOutputOp>(&instruction))
      if (write->kind() == OutputKind::Generic &&
          write->slot() < dovetail::MaxColorTargets && // slots beyond these are factors of dual-source blending
          write->component() == 3 && write->numericClass() == NumericClass::Float)
        alphas.push_back(write);

  BasicBlock &entry = function.getEntryBlock();
  builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  builder.clearFastMathFlags();
  Value *coverage = coverageOfCircle(builder);
  Value *isCovered = builder.CreateFCmpOGT(coverage, ConstantFP::get(builder.getFloatTy(), 0));
  builder.CreateIntrinsic(Intrinsic::amdgcn_wqm_demote, {}, isCovered);
  for (WriteOutputOp *write : alphas) {
    builder.SetInsertPoint(write);
    Value *alpha = builder.CreateBitCast(write->value(), builder.getFloatTy());
    Value *covered = builder.CreateBitCast(builder.CreateFMul(alpha, coverage), write->value()->getType());
    write->setArgOperand(0, covered);
  }
  builder.ClearInsertionPoint();
}

} // namespace lgc
