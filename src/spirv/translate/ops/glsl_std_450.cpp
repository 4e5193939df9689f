// SPDX-License-Identifier: MIT
//
// OpExtInst. glsl_std_450_math.cpp has GLSL.std.450's functions of values. This file has the instructions that write
// through a pointer (modf, frexp), return a structure, or evaluate an input elsewhere.
#include "src/spirv/translate/ops/handlers.h"

using namespace llvm;

namespace dovetail::spirv {

namespace {

Result<Value *> glslInstruction(Services &s, const Instruction &inst) {
  auto number = static_cast<GLSLstd450>(inst.operand(1));
  constexpr unsigned first = 2; // index of the first argument
  Type *result = DOVETAIL_TRY(s.valueType(inst));

  switch (number) {
  case GLSLstd450Modf:
  case GLSLstd450ModfStruct: {
    Value *x = DOVETAIL_TRY(s.operand(inst, first));
    Value *whole = s.builder.CreateUnaryIntrinsic(Intrinsic::trunc, x);
    // An infinity has no fraction.
    Value *isInfinite = s.builder.CreateIsInf(x);
    Value *zero = Constant::getNullValue(x->getType());
    Value *fraction = s.builder.CreateSelect(isInfinite, zero, s.builder.CreateFSub(x, whole));
    if (number == GLSLstd450Modf) {
      Pointer target = DOVETAIL_TRY(s.pointer(inst, first + 1));
      DOVETAIL_CHECK(s.memory.store(inst, target, whole));
      return fraction;
    }
    Value *both = s.builder.CreateInsertValue(PoisonValue::get(result), fraction, 0);
    return s.builder.CreateInsertValue(both, whole, 1);
  }
  case GLSLstd450Frexp:
  case GLSLstd450FrexpStruct: {
    Value *x = DOVETAIL_TRY(s.operand(inst, first));
    Value *significand = s.builder.CreateExtractSignificand(x);
    Value *exponent = s.builder.CreateExtractExponent(x);
    if (number == GLSLstd450Frexp) {
      Pointer target = DOVETAIL_TRY(s.pointer(inst, first + 1));
      Type *wanted = DOVETAIL_TRY(s.types.valueType(inst, target.pointee));
      DOVETAIL_CHECK(s.memory.store(inst, target, s.builder.CreateSExtOrTrunc(exponent, wanted)));
      return significand;
    }
    Type *wanted = cast<StructType>(result)->getElementType(1);
    Value *both = s.builder.CreateInsertValue(PoisonValue::get(result), significand, 0);
    return s.builder.CreateInsertValue(both, s.builder.CreateSExtOrTrunc(exponent, wanted), 1);
  }
  case GLSLstd450InterpolateAtCentroid:
  case GLSLstd450InterpolateAtSample:
  case GLSLstd450InterpolateAtOffset: {
    Pointer input = DOVETAIL_TRY(s.pointer(inst, first));
    if (input.kind != Pointer::Kind::Input)
      return unsupported(inst, "interpolation of something that is not an input");
    lgc::InterpLocation location = lgc::InterpLocation::Centroid;
    Value *auxiliary = nullptr;
    if (number != GLSLstd450InterpolateAtCentroid) {
      bool isSample = number == GLSLstd450InterpolateAtSample;
      location = isSample ? lgc::InterpLocation::SampleIndex : lgc::InterpLocation::PixelOffset;
      auxiliary = DOVETAIL_TRY(s.operand(inst, first + 1));
    }
    return DOVETAIL_TRY(s.inputs.readAt(inst, input, location, auxiliary));
  }
  default:
    break;
  }

  SmallVector<Value *, 3> arguments;
  for (unsigned i = first; i < inst.operandCount(); ++i)
    arguments.push_back(DOVETAIL_TRY(s.operand(inst, i)));
  Value *made = makeGlslMath(s.builder, number, arguments, result);
  if (!made)
    return unsupported(inst, fmt::format("GLSL.std.450 instruction {}", inst.operand(1)));
  return made;
}

} // namespace

Result<Value *> translateExtInst(Services &s, const Instruction &inst) {
  auto set = s.module.extInstImports.find(inst.operand(0));
  if (set == s.module.extInstImports.end())
    return unsupported(inst, "an extended instruction of an unknown set");
  if (set->second == "GLSL.std.450")
    return glslInstruction(s, inst);
  if (set->second == "SPV_AMD_shader_trinary_minmax")
    return translateTrinaryMinMax(s, inst);
  if (set->second == "SPV_AMD_gcn_shader")
    return translateGcnShader(s, inst);
  if (set->second == "SPV_AMD_shader_ballot")
    return translateShaderBallot(s, inst);
  if (set->second == "SPV_AMD_shader_explicit_vertex_parameter")
    return translateExplicitVertexParameter(s, inst);
  return unsupported(inst, fmt::format("the extended instruction set {}", set->second));
}

} // namespace dovetail::spirv
