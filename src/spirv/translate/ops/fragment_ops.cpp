// SPDX-License-Identifier: MIT
//
// What only fragment shaders do: derivatives, helper invocations, interlocks. A plain derivative may be coarse or fine;
// here it is fine, which costs the same and has the smaller error.
#include "src/spirv/translate/ops/handlers.h"

using namespace llvm;

namespace dovetail::spirv {

namespace {

Result<Value *> derivativeOperand(Services &s, const Instruction &inst) {
  Value *x = DOVETAIL_TRY(s.operand(inst, 0));
  if (!x->getType()->getScalarType()->isFloatTy() && !x->getType()->getScalarType()->isHalfTy())
    return unsupported(inst, "derivatives of this type");
  return x;
}

} // namespace

Result<Value *> translateDerivative(Services &s, const Instruction &inst, bool isDirectionY, bool isFine) {
  Value *x = DOVETAIL_TRY(derivativeOperand(s, inst));
  return s.builder.CreateDerivative(x, isDirectionY, isFine);
}

// The sum of the absolute derivatives in both directions.
Result<Value *> translateWidth(Services &s, const Instruction &inst, bool isFine) {
  Value *x = DOVETAIL_TRY(derivativeOperand(s, inst));
  Value *dx = s.builder.CreateUnaryIntrinsic(Intrinsic::fabs, s.builder.CreateDerivative(x, false, isFine));
  Value *dy = s.builder.CreateUnaryIntrinsic(Intrinsic::fabs, s.builder.CreateDerivative(x, true, isFine));
  return s.builder.CreateFAdd(dx, dy);
}

Result<Value *> translateIsHelper(Services &s, const Instruction &) {
  return s.builder.CreateIsHelperInvocation();
}

Result<void> translateDemote(Services &s, const Instruction &) {
  s.builder.CreateDemoteToHelperInvocation();
  return {};
}

// Unordered interlocks are ordered, too: no cheaper means keeps invocations apart.
Result<void> translateInterlock(Services &s, const Instruction &inst, bool isBegin) {
  if (s.builder.shaderModes().fragment.interlock == FragmentInterlock::None)
    return unsupported(inst, "an interlock without an execution mode that says of what");
  if (isBegin)
    s.builder.CreateBeginInvocationInterlock();
  else
    s.builder.CreateEndInvocationInterlock();
  return {};
}

} // namespace dovetail::spirv
