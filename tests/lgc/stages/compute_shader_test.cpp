// SPDX-License-Identifier: MIT
#include "tests/lgc/stages/compile_shader.h"
#include <doctest/doctest.h>

using namespace llvm;
using namespace lgc;
using dovetail::Binding;
using dovetail::RegisterBank;
using dovetail::ValueKind;

namespace {

ShaderModes computeModes(uint32_t x, uint32_t y, uint32_t z) {
  ShaderModes modes = modesOf(ShaderStage::Compute);
  modes.compute = {x, y, z};
  return modes;
}

void store(Builder &builder, Value *value) {
  Value *buffer = builder.CreateLoadBufferDesc(0, 0, builder.getInt32(0), 0);
  builder.CreateBufferStore(value, buffer, builder.getInt32(0), 0);
}

unsigned countInputs(const dovetail::ShaderInterface &interface, ValueKind kind) {
  return count_if(interface.inputs, [&](const Binding &input) { return input.value.kind == kind; });
}

} // namespace

TEST_CASE("a compute shader takes only the ids that it uses") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(computeModes(8, 8, 1), [](Builder &builder) {
    Type *uvec3 = FixedVectorType::get(builder.getInt32Ty(), 3);
    Value *id = builder.CreateReadBuiltInInput(uvec3, BuiltIn::GlobalInvocationId, nullptr, nullptr);
    store(builder, builder.CreateExtractElement(id, 1));
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  const dovetail::ShaderInterface &interface = compiled->interface;
  CHECK(countInputs(interface, ValueKind::WorkgroupId) == 1);
  CHECK(countInputs(interface, ValueKind::LocalInvocationId) == 2); // y cannot come without x
  CHECK(interface.compute.workgroupSize == std::array<uint32_t, 3>{8, 8, 1});
  CHECK(interface.userSgprCount == 2); // global table, set 0
  CHECK(interface.writesMemory);
}

TEST_CASE("every compute built-in compiles") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(computeModes(4, 4, 8), [](Builder &builder) {
    Type *i32 = builder.getInt32Ty();
    Value *sum = builder.getInt32(0);
    auto read = [&](Type *type, BuiltIn builtIn) {
      Value *value = builder.CreateReadBuiltInInput(type, builtIn, nullptr, nullptr);
      sum = builder.CreateAdd(sum, type->isVectorTy() ? builder.CreateExtractElement(value, uint64_t(0)) : value);
    };
    for (BuiltIn builtIn : {BuiltIn::NumWorkgroups, BuiltIn::WorkgroupId, BuiltIn::LocalInvocationId,
                            BuiltIn::GlobalInvocationId, BuiltIn::WorkgroupSize})
      read(FixedVectorType::get(i32, 3), builtIn);
    for (BuiltIn builtIn : {BuiltIn::LocalInvocationIndex, BuiltIn::SubgroupId, BuiltIn::NumSubgroups,
                            BuiltIn::SubgroupLocalInvocationId, BuiltIn::SubgroupSize})
      read(i32, builtIn);
    for (BuiltIn builtIn : {BuiltIn::SubgroupEqMask, BuiltIn::SubgroupGeMask, BuiltIn::SubgroupGtMask,
                            BuiltIn::SubgroupLeMask, BuiltIn::SubgroupLtMask})
      read(FixedVectorType::get(i32, 4), builtIn);
    store(builder, sum);
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  CHECK(countInputs(compiled->interface, ValueKind::WorkgroupCount) == 2); // a whole address
}

TEST_CASE("push constants come in SGPRs, only those that are read") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(computeModes(1, 1, 1), [](Builder &builder) {
    Type *vec2 = FixedVectorType::get(builder.getFloatTy(), 2);
    Value *pair = builder.CreateLoadPushConstant(vec2, builder.getInt32(8));
    Value *half = builder.CreateLoadPushConstant(builder.getInt16Ty(), builder.getInt32(18));
    store(builder, pair);
    store(builder, builder.CreateZExt(half, builder.getInt32Ty()));
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  const dovetail::ShaderInterface &interface = compiled->interface;
  std::vector<unsigned> dwords;
  for (const Binding &input : interface.inputs)
    if (input.value.kind == ValueKind::PushConstant)
      dwords.push_back(input.value.index);
  CHECK(dwords == std::vector<unsigned>{2, 3, 4});
  CHECK(countInputs(interface, ValueKind::DescriptorSet) == 1);
  CHECK(interface.pushConstantEnd == 5);
  CHECK(interface.spilledPushConstants == dovetail::NoPushConstant);
}

TEST_CASE("root dwords that do not fit are read through the spill table") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(computeModes(1, 1, 1), [](Builder &builder) {
    Type *vec4 = FixedVectorType::get(builder.getFloatTy(), 4);
    for (unsigned i = 0; i < 6; ++i)
      store(builder, builder.CreateLoadPushConstant(vec4, builder.getInt32(i * 16)));
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  const dovetail::ShaderInterface &interface = compiled->interface;
  CHECK(interface.userSgprCount == 16);
  CHECK(interface.inputs[15].value.kind == ValueKind::SpillTable);
  CHECK(interface.spilledPushConstants == 13); // s0 is the global table, s1 set 0
  CHECK(interface.pushConstantEnd == 24);
}

TEST_CASE("push constants at dynamic places are read from memory") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(computeModes(64, 1, 1), [](Builder &builder) {
    Value *index =
        builder.CreateReadBuiltInInput(builder.getInt32Ty(), BuiltIn::LocalInvocationIndex, nullptr, nullptr);
    Value *offset = builder.CreateShl(builder.CreateAnd(index, 7), 4);
    store(builder, builder.CreateLoadPushConstant(builder.getFloatTy(), offset));
  });
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  CHECK(countInputs(compiled->interface, ValueKind::SpillTable) == 1);
  CHECK(compiled->interface.spilledPushConstants == 0);
  CHECK(compiled->interface.pushConstantEnd == dovetail::AllPushConstants);
}

TEST_CASE("a descriptor at a dynamic index is loaded by the scalar unit unless the index is marked non-uniform") {
  for (unsigned flags : {0u, static_cast<unsigned>(NonUniformImage)}) {
    ShaderCompiler compiler;
    auto compiled = compiler.compile(computeModes(64, 1, 1), [&](Builder &builder) {
      Value *lane =
          builder.CreateReadBuiltInInput(builder.getInt32Ty(), BuiltIn::LocalInvocationIndex, nullptr, nullptr);
      Value *buffer = builder.CreateLoadBufferDesc(0, 1, builder.CreateAnd(lane, 3), flags);
      builder.CreateBufferStore(lane, buffer, builder.getInt32(0), flags);
    });
    REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
    size_t load = compiled->ir.find("load <4 x i32>");
    size_t readFirst = compiled->ir.find("call i32 @llvm.amdgcn.readfirstlane");
    CHECK((readFirst < load) == (flags == 0));
  }
}

TEST_CASE("a shader that needs more shared memory than there is gives an Error") {
  ShaderCompiler compiler;
  auto compiled = compiler.compile(computeModes(64, 1, 1), [](Builder &builder) {
    Module &module = *builder.GetInsertBlock()->getModule();
    auto *type = ArrayType::get(builder.getInt32Ty(), 32768);
    auto *shared = new GlobalVariable(module, type, false, GlobalValue::InternalLinkage, PoisonValue::get(type),
                                      "shared", nullptr, GlobalValue::NotThreadLocal, 3);
    Value *lane = builder.CreateReadBuiltInInput(builder.getInt32Ty(), BuiltIn::LocalInvocationIndex, nullptr, nullptr);
    Value *place = builder.CreateGEP(type, shared, {builder.getInt32(0), lane});
    builder.CreateStore(lane, place);
    builder.CreateBarrier();
    Value *other = builder.CreateGEP(type, shared, {builder.getInt32(0), builder.CreateXor(lane, 1)});
    store(builder, builder.CreateLoad(builder.getInt32Ty(), other));
  });
  REQUIRE_FALSE(compiled.has_value());
  CHECK((compiled.error().code == dovetail::ErrorCode::CompileFailed));
}
