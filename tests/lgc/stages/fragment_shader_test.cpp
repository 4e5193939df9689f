// SPDX-License-Identifier: MIT
#include "tests/lgc/stages/compile_shader.h"
#include <doctest/doctest.h>
#include <set>

using namespace llvm;
using namespace lgc;
using dovetail::Binding;
using dovetail::FragmentInput;
using dovetail::NumericClass;
using dovetail::RegisterBank;
using dovetail::ValueKind;

namespace {

Type *floats(Builder &builder, unsigned count) {
  return FixedVectorType::get(builder.getFloatTy(), count);
}

Value *readInput(Builder &builder, Type *type, unsigned location, InterpMode mode = InterpMode::Smooth,
                 InterpLocation interpLocation = InterpLocation::Center, Value *aux = nullptr) {
  return builder.CreateReadGenericInput(type, location, builder.getInt32(0), 0, 1, mode, interpLocation, aux, nullptr);
}

void writeColor(Builder &builder, Value *value, unsigned location, unsigned index = 0) {
  builder.CreateWriteGenericOutput(value, location, builder.getInt32(0), 0, 1, index, nullptr);
}

CompiledShader compileFragment(const std::function<void(Builder &)> &body) {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(modesOf(ShaderStage::Fragment), body);
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  return std::move(*compiled);
}

std::vector<Binding> vgprInputs(const dovetail::ShaderInterface &interface) {
  std::vector<Binding> result;
  for (const Binding &input : interface.inputs)
    if (input.reg.bank == RegisterBank::Vgpr)
      result.push_back(input);
  return result;
}

} // namespace

TEST_CASE("a fragment shader passes on s0 and s1 and returns only the components that it writes") {
  CompiledShader compiled = compileFragment([](Builder &builder) {
    Value *input = readInput(builder, floats(builder, 4), 5);
    Value *some = PoisonValue::get(floats(builder, 4));
    some = builder.CreateInsertElement(some, builder.CreateExtractElement(input, uint64_t(2)), uint64_t(0));
    some = builder.CreateInsertElement(some, builder.CreateExtractElement(input, uint64_t(3)), uint64_t(3));
    writeColor(builder, some, 1);
  });
  std::vector<Binding> outputs = {{{ValueKind::GlobalTable}, {RegisterBank::Sgpr, 0}},
                                  {{ValueKind::AlphaReference}, {RegisterBank::Sgpr, 1}},
                                  {{ValueKind::Color, 1, 0}, {RegisterBank::Vgpr, 0}},
                                  {{ValueKind::Color, 1, 3}, {RegisterBank::Vgpr, 1}}};
  CHECK(compiled.interface.outputs == outputs);
  std::vector<dovetail::ColorOutput> colors = {{1, 0, 9, NumericClass::Float}};
  CHECK(compiled.interface.fragment.colors == colors);
  std::vector<FragmentInput> inputs = {{5, false, false}};
  CHECK(compiled.interface.fragment.inputs == inputs);
  std::vector<Binding> vgprs = {{{ValueKind::PerspCenter, 0, 0}, {RegisterBank::Vgpr, 0}},
                                {{ValueKind::PerspCenter, 0, 1}, {RegisterBank::Vgpr, 1}}};
  CHECK(vgprInputs(compiled.interface) == vgprs);
}

TEST_CASE("a fragment shader without inputs still has one pair of weights") {
  CompiledShader compiled =
      compileFragment([](Builder &builder) { writeColor(builder, ConstantFP::get(builder.getFloatTy(), 1.0), 0); });
  std::vector<Binding> vgprs = {{{ValueKind::PerspCenter, 0, 0}, {RegisterBank::Vgpr, 0}},
                                {{ValueKind::PerspCenter, 0, 1}, {RegisterBank::Vgpr, 1}}};
  CHECK(vgprInputs(compiled.interface) == vgprs);
}

TEST_CASE("fragment inputs are numbered compactly by location, and unused ones are not there") {
  CompiledShader compiled = compileFragment([](Builder &builder) {
    readInput(builder, floats(builder, 4), 1); // not used
    Value *flat = readInput(builder, builder.getInt32Ty(), 9, InterpMode::Flat);
    Value *smooth = readInput(builder, builder.getFloatTy(), 4, InterpMode::NoPerspective, InterpLocation::Centroid);
    writeColor(builder, builder.CreateFAdd(smooth, builder.CreateUIToFP(flat, builder.getFloatTy())), 0);
  });
  std::vector<FragmentInput> inputs = {{4, false, false}, {9, true, false}};
  CHECK(compiled.interface.fragment.inputs == inputs);
  std::vector<Binding> vgprs = {{{ValueKind::LinearCentroid, 0, 0}, {RegisterBank::Vgpr, 0}},
                                {{ValueKind::LinearCentroid, 0, 1}, {RegisterBank::Vgpr, 1}}};
  CHECK(vgprInputs(compiled.interface) == vgprs);
}

TEST_CASE("an output under a condition is a value on every path") {
  CompiledShader compiled = compileFragment([](Builder &builder) {
    Value *input = readInput(builder, builder.getFloatTy(), 0);
    Function *function = builder.GetInsertBlock()->getParent();
    BasicBlock *then = BasicBlock::Create(builder.getContext(), "then", function);
    BasicBlock *end = BasicBlock::Create(builder.getContext(), "end", function);
    Value *zero = ConstantFP::get(builder.getFloatTy(), 0.0);
    builder.CreateCondBr(builder.CreateFCmpOLT(input, zero), then, end);
    builder.SetInsertPoint(then);
    writeColor(builder, input, 0);
    builder.CreateBr(end);
    builder.SetInsertPoint(end);
    builder.CreateWriteBuiltInOutput(input, BuiltIn::FragDepth, nullptr, nullptr);
  });
  CHECK(compiled.interface.fragment.colors.size() == 1);
  CHECK(compiled.interface.fragment.writesDepth);
  CHECK(compiled.interface.outputs.size() == 4);
  CHECK(compiled.ir.find("poison, float") == std::string::npos);
}

TEST_CASE("signed, unsigned and dual-source outputs keep their class and index") {
  CompiledShader compiled = compileFragment([](Builder &builder) {
    Value *flat = readInput(builder, builder.getInt16Ty(), 0, InterpMode::Flat);
    writeColor(builder, flat, 0, SignedOutput);
    writeColor(builder, flat, 2);
    writeColor(builder, flat, 0, SignedOutput | SecondBlendSource);
  });
  std::vector<dovetail::ColorOutput> colors = {
      {0, 0, 1, NumericClass::Sint}, {0, 1, 1, NumericClass::Sint}, {2, 0, 1, NumericClass::Uint}};
  CHECK(compiled.interface.fragment.colors == colors);
  CHECK((compiled.interface.outputs[3].value == dovetail::ValueName{ValueKind::ColorSource1, 0, 0}));
}

TEST_CASE("the position needs a perspective pair for w, and sample built-ins run the shader at sample rate") {
  CompiledShader compiled = compileFragment([](Builder &builder) {
    Value *position = builder.CreateReadBuiltInInput(floats(builder, 4), BuiltIn::FragCoord, nullptr, nullptr);
    Value *sample = builder.CreateReadBuiltInInput(builder.getInt32Ty(), BuiltIn::SampleId, nullptr, nullptr);
    Value *mask =
        builder.CreateReadBuiltInInput(builder.getInt32Ty(), BuiltIn::SampleMask, builder.getInt32(0), nullptr);
    Value *sum = builder.CreateUIToFP(builder.CreateAdd(sample, mask), builder.getFloatTy());
    writeColor(builder, builder.CreateFAdd(builder.CreateExtractElement(position, uint64_t(3)), sum), 0);
  });
  CHECK(compiled.interface.fragment.runsAtSampleRate);
  std::vector<Binding> vgprs = vgprInputs(compiled.interface);
  REQUIRE(vgprs.size() == 5);
  CHECK(vgprs[0].value.kind == ValueKind::PerspCenter);
  CHECK(vgprs[2].value.kind == ValueKind::PosW);
  CHECK(vgprs[3].value.kind == ValueKind::Ancillary);
  CHECK(vgprs[4].value.kind == ValueKind::SampleCoverage);
}

TEST_CASE("interpolation at an offset uses the pull model, at a sample also the driver's table") {
  CompiledShader compiled = compileFragment([](Builder &builder) {
    Value *offset = ConstantVector::getSplat(ElementCount::getFixed(2), ConstantFP::get(builder.getFloatTy(), 0.25));
    Value *moved = readInput(builder, floats(builder, 4), 0, InterpMode::Smooth, InterpLocation::PixelOffset, offset);
    writeColor(builder, moved, 0);
    Value *atSample = readInput(builder, builder.getFloatTy(), 1, InterpMode::Smooth, InterpLocation::SampleIndex,
                                builder.getInt32(2));
    writeColor(builder, atSample, 1);
  });
  CHECK(vgprInputs(compiled.interface).size() == 3);
  CHECK(vgprInputs(compiled.interface)[0].value.kind == ValueKind::PerspPullModel);
  CHECK(compiled.ir.find("raw.buffer.load") != std::string::npos);
  CHECK(compiled.ir.find("dpp") != std::string::npos);
}

TEST_CASE("every fragment built-in compiles") {
  CompiledShader compiled = compileFragment([](Builder &builder) {
    Type *f32 = builder.getFloatTy();
    auto read = [&](Type *type, BuiltIn builtIn) {
      return builder.CreateReadBuiltInInput(type, builtIn, nullptr, nullptr);
    };
    Value *sum = ConstantFP::get(f32, 0.0);
    auto add = [&](Value *value) { sum = builder.CreateFAdd(sum, value); };
    auto addInteger = [&](Value *value) { add(builder.CreateUIToFP(value, f32)); };
    add(builder.CreateExtractElement(read(floats(builder, 2), BuiltIn::PointCoord), 1));
    add(builder.CreateExtractElement(read(floats(builder, 2), BuiltIn::SamplePosition), 1));
    addInteger(read(builder.getInt1Ty(), BuiltIn::FrontFacing));
    addInteger(read(builder.getInt1Ty(), BuiltIn::HelperInvocation));
    for (BuiltIn builtIn : {BuiltIn::PrimitiveId, BuiltIn::Layer, BuiltIn::ViewportIndex, BuiltIn::SubgroupSize,
                            BuiltIn::SubgroupLocalInvocationId, BuiltIn::ViewIndex, BuiltIn::DeviceIndex})
      addInteger(read(builder.getInt32Ty(), builtIn));
    add(builder.CreateExtractValue(read(ArrayType::get(f32, 6), BuiltIn::ClipDistance), 5));
    add(builder.CreateReadBuiltInInput(f32, BuiltIn::CullDistance, builder.getInt32(1), nullptr));
    writeColor(builder, sum, 0);
    builder.CreateWriteBuiltInOutput(builder.CreateFPToUI(sum, builder.getInt32Ty()), BuiltIn::FragStencilRef, nullptr,
                                     nullptr);
    builder.CreateWriteBuiltInOutput(builder.getInt32(3), BuiltIn::SampleMask, builder.getInt32(0), nullptr);
  });
  std::set<unsigned> locations;
  for (const FragmentInput &input : compiled.interface.fragment.inputs)
    locations.insert(input.location);
  CHECK(locations == std::set<unsigned>{64, 65, 66, 68, 69, 71});
  CHECK(compiled.interface.fragment.inputs.back().pointCoord);
  CHECK(compiled.interface.fragment.writesStencil);
  CHECK(compiled.interface.fragment.writesSampleMask);
}

TEST_CASE("discard and memory writes are known to the interface") {
  CompiledShader plain = compileFragment([](Builder &builder) { writeColor(builder, builder.getInt32(1), 0); });
  CHECK_FALSE(plain.interface.fragment.usesDiscard);
  CHECK_FALSE(plain.interface.writesMemory);
  CompiledShader kills = compileFragment([](Builder &builder) {
    Value *input = readInput(builder, builder.getInt32Ty(), 0, InterpMode::Flat);
    Value *buffer = builder.CreateLoadBufferDesc(0, 1, builder.getInt32(0), 0);
    builder.CreateBufferStore(input, buffer, builder.getInt32(16), 0);
    builder.CreateKill();
    writeColor(builder, input, 0);
  });
  CHECK(kills.interface.fragment.usesDiscard);
  CHECK(kills.interface.writesMemory);
  CHECK(kills.interface.userSgprCount == 3);
}

TEST_CASE("a fragment shader that only discards writes no memory") {
  CompiledShader compiled = compileFragment([](Builder &builder) {
    builder.CreateKill();
    writeColor(builder, ConstantFP::get(builder.getFloatTy(), 1.0), 0);
  });
  CHECK(compiled.interface.fragment.usesDiscard);
  CHECK_FALSE(compiled.interface.writesMemory);
}
