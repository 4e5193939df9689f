// SPDX-License-Identifier: MIT
//
// OpExtInst. glsl_std_450_math.cpp has GLSL.std.450's functions of values. This file has the instructions that write
// through a pointer (modf, frexp), return a structure, or evaluate an input elsewhere.
#include "src/spirv/translate/ops/glsl_std_450_math.h"
#include "src/spirv/translate/translator.h"

using namespace llvm;

namespace dovetail::spirv {

Result<void> Translator::translateExtInst(const Instruction &inst) {
  auto set = m_module.extInstImports.find(inst.operand(0));
  if (set == m_module.extInstImports.end())
    return unsupported(inst, "an extended instruction of an unknown set");
  if (set->second == "GLSL.std.450")
    return translateGlslInstruction(inst);
  if (set->second == "SPV_AMD_shader_trinary_minmax")
    return translateTrinaryMinMax(inst);
  if (set->second == "SPV_AMD_gcn_shader")
    return translateGcnShader(inst);
  if (set->second == "SPV_AMD_shader_ballot")
    return translateShaderBallot(inst);
  if (set->second == "SPV_AMD_shader_explicit_vertex_parameter")
    return translateExplicitVertexParameter(inst);
  return unsupported(inst, fmt::format("the extended instruction set {}", set->second));
}

Result<void> Translator::translateGlslInstruction(const Instruction &inst) {
  setFastMath(inst);
  auto number = static_cast<GLSLstd450>(inst.operand(1));
  constexpr unsigned first = 2; // index of the first argument
  Type *result = DOVETAIL_TRY(valueType(inst, inst.resultType));

  switch (number) {
  case GLSLstd450Modf:
  case GLSLstd450ModfStruct: {
    Value *x = DOVETAIL_TRY(operandValue(inst, first));
    Value *whole = m_builder.CreateUnaryIntrinsic(Intrinsic::trunc, x);
    // An infinity has no fraction.
    Value *isInfinite = m_builder.CreateIsInf(x);
    Value *zero = Constant::getNullValue(x->getType());
    Value *fraction = m_builder.CreateSelect(isInfinite, zero, m_builder.CreateFSub(x, whole));
    if (number == GLSLstd450Modf) {
      Pointer target = DOVETAIL_TRY(pointer(inst, inst.operand(first + 1)));
      DOVETAIL_CHECK(store(inst, target, whole));
      setValue(inst, fraction);
      return {};
    }
    Value *both = m_builder.CreateInsertValue(PoisonValue::get(result), fraction, 0);
    setValue(inst, m_builder.CreateInsertValue(both, whole, 1));
    return {};
  }
  case GLSLstd450Frexp:
  case GLSLstd450FrexpStruct: {
    Value *x = DOVETAIL_TRY(operandValue(inst, first));
    Value *significand = m_builder.CreateExtractSignificand(x);
    Value *exponent = m_builder.CreateExtractExponent(x);
    if (number == GLSLstd450Frexp) {
      Pointer target = DOVETAIL_TRY(pointer(inst, inst.operand(first + 1)));
      Type *wanted = DOVETAIL_TRY(valueType(inst, target.pointee));
      DOVETAIL_CHECK(store(inst, target, m_builder.CreateSExtOrTrunc(exponent, wanted)));
      setValue(inst, significand);
      return {};
    }
    Type *wanted = cast<StructType>(result)->getElementType(1);
    Value *both = m_builder.CreateInsertValue(PoisonValue::get(result), significand, 0);
    setValue(inst, m_builder.CreateInsertValue(both, m_builder.CreateSExtOrTrunc(exponent, wanted), 1));
    return {};
  }
  case GLSLstd450InterpolateAtCentroid:
  case GLSLstd450InterpolateAtSample:
  case GLSLstd450InterpolateAtOffset: {
    Pointer input = DOVETAIL_TRY(pointer(inst, inst.operand(first)));
    if (input.kind != Pointer::Kind::Input)
      return unsupported(inst, "interpolation of something that is not an input");
    lgc::InterpLocation location = lgc::InterpLocation::Centroid;
    Value *auxiliary = nullptr;
    if (number != GLSLstd450InterpolateAtCentroid) {
      bool isSample = number == GLSLstd450InterpolateAtSample;
      location = isSample ? lgc::InterpLocation::SampleIndex : lgc::InterpLocation::PixelOffset;
      auxiliary = DOVETAIL_TRY(operandValue(inst, first + 1));
    }
    setValue(inst, DOVETAIL_TRY(readInput(inst, input, location, auxiliary)));
    return {};
  }
  default:
    break;
  }

  SmallVector<Value *, 3> arguments;
  for (unsigned i = first; i < inst.operandCount(); ++i)
    arguments.push_back(DOVETAIL_TRY(operandValue(inst, i)));
  Value *made = makeGlslMath(m_builder, number, arguments, result);
  if (!made)
    return unsupported(inst, fmt::format("GLSL.std.450 instruction {}", inst.operand(1)));
  setValue(inst, made);
  return {};
}

} // namespace dovetail::spirv
