// SPDX-License-Identifier: MIT
//
// Uniforms of known value become constants; their neighbours are still loaded. Set 0: binding 0 is written, 1 is a
// uniform buffer, 2 an array of four.
#include "tests/lgc/stages/compile_shader.h"
#include <doctest/doctest.h>

using namespace llvm;
using namespace lgc;
using dovetail::Binding;
using dovetail::InlinableUniform;
using dovetail::ValueKind;
using Place = dovetail::InlinableUniform::Place;

namespace {

InlinableUniform inBuffer(uint32_t binding, uint32_t offset, uint32_t value, uint32_t set = 0) {
  return {Place::UniformBuffer, set, binding, offset, value};
}
InlinableUniform pushed(uint32_t offset, uint32_t value) {
  return {Place::PushConstants, 0, 0, offset, value};
}

CompiledShader compile(std::vector<InlinableUniform> uniforms, const std::function<void(Builder &)> &body) {
  static ShaderCompiler compiler;
  std::unique_ptr<Pipeline> pipeline = compiler.builderContext->createPipeline();
  Options options;
  options.keepIr = true;
  pipeline->setOptions(options);
  dovetail::StageKnowledge knowledge;
  knowledge.inlinableUniforms = std::move(uniforms);
  pipeline->setKnowledge(std::move(knowledge));
  auto compiled = compiler.compile(*pipeline, modesOf(ShaderStage::Compute), body);
  REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
  return *compiled;
}

// Counts `text` in the code, without declarations.
unsigned timesIn(const CompiledShader &shader, std::string_view text) {
  unsigned found = 0;
  size_t at = shader.ir.find("\ndefine "), end = shader.ir.find("\n}", at);
  while ((at = shader.ir.find(text, at)) < end) {
    ++found;
    at += text.size();
  }
  return found;
}
bool has(const CompiledShader &shader, std::string_view text) {
  return timesIn(shader, text) != 0;
}

Type *vec(Builder &builder, unsigned size) {
  return FixedVectorType::get(builder.getInt32Ty(), size);
}

void store(Builder &builder, Value *value, unsigned at = 0) {
  Value *buffer = builder.CreateLoadBufferDesc(0, 0, builder.getInt32(0), 0);
  builder.CreateBufferStore(value, buffer, builder.getInt32(at), 0);
}

Value *load(Builder &builder, Type *type, Value *offset, unsigned binding = 1, Value *element = nullptr,
            unsigned flags = ReadOnly) {
  Value *buffer = builder.CreateLoadBufferDesc(0, binding, element ? element : builder.getInt32(0), flags);
  return builder.CreateBufferLoad(type, buffer, offset, flags);
}

std::vector<std::string> rootDwords(const CompiledShader &shader) {
  std::vector<std::string> dwords;
  for (const Binding &input : shader.interface.inputs)
    if (dovetail::isRootDword(input.value.kind))
      dwords.push_back(toString(input.value));
  return dwords;
}

} // namespace

TEST_CASE("a known dword of a uniform buffer is a constant, its neighbour is loaded") {
  auto body = [](Builder &b) {
    store(b, load(b, b.getInt32Ty(), b.getInt32(16)));
    store(b, load(b, b.getInt32Ty(), b.getInt32(20)), 4);
  };
  CompiledShader shader = compile({inBuffer(1, 16, 77777)}, body);
  CHECK(has(shader, "i32 77777"));
  CHECK(timesIn(shader, "@llvm.amdgcn.s.buffer.load") == 1);
  CHECK(has(shader, "i32 20, i32 0)"));
  CHECK(timesIn(compile({}, body), "@llvm.amdgcn.s.buffer.load") == 2);
}

TEST_CASE("a vector of which all is known is not loaded, one of which a part is known is loaded narrower") {
  auto body = [](Builder &b) { store(b, load(b, vec(b, 4), b.getInt32(32))); };
  std::vector<InlinableUniform> all = {inBuffer(1, 32, 1), inBuffer(1, 36, 2), inBuffer(1, 40, 3), inBuffer(1, 44, 4)};
  CompiledShader whole = compile(all, body);
  CHECK(!has(whole, "s.buffer.load"));
  CHECK(has(whole, "<4 x i32> <i32 1, i32 2, i32 3, i32 4>"));
  CompiledShader half = compile({all[0], all[1]}, body);
  CHECK(has(half, "@llvm.amdgcn.s.buffer.load.v2i32("));
  CHECK(has(half, "i32 40, i32 0)"));
  CompiledShader middle = compile({all[1]}, body);
  CHECK(has(middle, "@llvm.amdgcn.s.buffer.load.v4i32("));
  CHECK(has(middle, "i32 2"));
}

TEST_CASE("elements of 8, 16 and 64 bits are known by their dwords") {
  CompiledShader byte = compile({inBuffer(1, 4, 0x44332211)}, [](Builder &b) {
    store(b, b.CreateZExt(load(b, b.getInt8Ty(), b.getInt32(6)), b.getInt32Ty()));
    store(b, b.CreateZExt(load(b, b.getInt16Ty(), b.getInt32(4)), b.getInt32Ty()), 4);
  });
  CHECK(has(byte, "i32 51")); // 0x33
  CHECK(has(byte, "i32 8721"));
  CHECK(!has(byte, "llvm.amdgcn.raw.buffer.load"));
  auto wide = [](Builder &b) { store(b, load(b, b.getInt64Ty(), b.getInt32(8))); };
  CHECK(!has(compile({inBuffer(1, 8, 5), inBuffer(1, 12, 6)}, wide), "s.buffer.load"));
  CHECK(has(compile({inBuffer(1, 8, 5)}, wide), "@llvm.amdgcn.s.buffer.load.i32("));
}

TEST_CASE("what can be written, is volatile, is another element, binding or set, or at a dynamic place is loaded") {
  std::vector<InlinableUniform> known = {inBuffer(0, 8, 77777), inBuffer(1, 8, 77777), inBuffer(2, 8, 77777)};
  auto loaded = [&](const std::function<Value *(Builder &)> &make) {
    CompiledShader shader = compile(known, [&](Builder &b) { store(b, make(b)); });
    return !has(shader, "i32 77777") && has(shader, "buffer.load");
  };
  auto at8 = [](Builder &b) { return b.getInt32(8); };
  CHECK_FALSE(loaded([&](Builder &b) { return load(b, b.getInt32Ty(), at8(b)); }));
  CHECK_FALSE(loaded([&](Builder &b) { return load(b, b.getInt32Ty(), at8(b), 2); }));
  CHECK(loaded([&](Builder &b) { return load(b, b.getInt32Ty(), at8(b), 0, nullptr, 0); }));
  CHECK(loaded([&](Builder &b) { return load(b, b.getInt32Ty(), at8(b), 1, nullptr, ReadOnly | Volatile); }));
  CHECK(loaded([&](Builder &b) { return load(b, b.getInt32Ty(), at8(b), 2, b.getInt32(1)); }));
  CHECK(loaded([&](Builder &b) {
    Value *other = b.CreateLoadBufferDesc(1, 1, b.getInt32(0), ReadOnly);
    return b.CreateBufferLoad(b.getInt32Ty(), other, at8(b), ReadOnly);
  }));
  CHECK(loaded([&](Builder &b) {
    return load(b, b.getInt32Ty(), b.CreateAnd(b.CreateLoadPushConstant(b.getInt32Ty(), b.getInt32(0)), 8));
  }));
}

TEST_CASE("root dwords that are known are no user data, and a table that nobody reads is none either") {
  auto body = [](Builder &b) {
    Value *buffer = b.CreateLoadBufferDesc(1, 1, b.getInt32(0), ReadOnly);
    Value *scale = b.CreateBufferLoad(b.getInt32Ty(), buffer, b.getInt32(0), ReadOnly);
    Value *pair = b.CreateLoadPushConstant(vec(b, 2), b.getInt32(8));
    store(b, b.CreateMul(b.CreateExtractElement(pair, 1), scale));
    store(b, b.CreateExtractElement(pair, uint64_t(0)), 4);
  };
  CompiledShader plain = compile({}, body);
  CHECK(rootDwords(plain) ==
        std::vector<std::string>{"descriptor_set0", "descriptor_set1", "push_constant2", "push_constant3"});
  CHECK(plain.interface.pushConstantEnd == 4);
  CompiledShader inlined = compile({pushed(12, 5), inBuffer(1, 0, 9, 1)}, body);
  CHECK(rootDwords(inlined) == std::vector<std::string>{"descriptor_set0", "push_constant2"});
  CHECK(inlined.interface.pushConstantEnd == 3);
  CHECK(has(inlined, "i32 45"));
}

TEST_CASE("push constants that would be spilled need no spill table if they are known") {
  auto body = [](Builder &b) {
    for (unsigned i = 0; i < 20; ++i)
      store(b, b.CreateLoadPushConstant(b.getInt32Ty(), b.getInt32(i * 4)), i * 4);
  };
  std::vector<InlinableUniform> known;
  for (unsigned i = 8; i < 20; ++i)
    known.push_back(pushed(i * 4, i));
  auto spills = [](const CompiledShader &shader) {
    return std::ranges::any_of(shader.interface.inputs,
                               [](const Binding &input) { return input.value.kind == ValueKind::SpillTable; });
  };
  CHECK(spills(compile({}, body)));
  CompiledShader inlined = compile(known, body);
  CHECK_FALSE(spills(inlined));
  CHECK(inlined.interface.spilledPushConstants == dovetail::NoPushConstant);
  CHECK(inlined.interface.pushConstantEnd == 8);
}

TEST_CASE("a loop whose bound is known unrolls, and what it reads at each turn is known then") {
  auto body = [](Builder &b) {
    Function *function = b.GetInsertBlock()->getParent();
    BasicBlock *entry = b.GetInsertBlock();
    BasicBlock *loop = BasicBlock::Create(b.getContext(), "loop", function);
    BasicBlock *exit = BasicBlock::Create(b.getContext(), "exit", function);
    Value *bound = b.CreateLoadPushConstant(b.getInt32Ty(), b.getInt32(0));
    b.CreateBr(loop);
    b.SetInsertPoint(loop);
    PHINode *i = b.CreatePHI(b.getInt32Ty(), 2);
    PHINode *sum = b.CreatePHI(b.getInt32Ty(), 2);
    Value *next = b.CreateAdd(i, b.getInt32(1));
    Value *more = b.CreateAdd(sum, load(b, b.getInt32Ty(), b.CreateMul(i, b.getInt32(16))));
    i->addIncoming(b.getInt32(0), entry);
    i->addIncoming(next, loop);
    sum->addIncoming(b.getInt32(0), entry);
    sum->addIncoming(more, loop);
    b.CreateCondBr(b.CreateICmpULT(next, bound), loop, exit);
    b.SetInsertPoint(exit);
    store(b, more);
  };
  CompiledShader plain = compile({}, body);
  CHECK(timesIn(plain, "br i1") == 1);
  CompiledShader inlined =
      compile({pushed(0, 3), inBuffer(1, 0, 1000), inBuffer(1, 16, 200), inBuffer(1, 32, 30)}, body);
  CHECK(timesIn(inlined, "br i1") == 0);
  CHECK(has(inlined, "i32 1230"));
  CHECK(!has(inlined, "s.buffer.load"));
}
