// SPDX-License-Identifier: MIT
#include "tests/failing_allocations.h"
#include "tests/lgc/stages/compile_shader.h"
#include <doctest/doctest.h>
#include <llvm/BinaryFormat/ELF.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <utility>
#include <vector>

using namespace llvm;
using namespace lgc;
using dovetail::ErrorCode;

namespace {

void writeOneColor(Builder &builder) {
  builder.CreateWriteGenericOutput(ConstantFP::get(builder.getFloatTy(), 1.0), 0, builder.getInt32(0), 0, 1, 0,
                                   nullptr);
}

} // namespace

TEST_CASE("an unknown GPU is an Error that names it") {
  LLVMContext context;
  for (const char *name : {"gfx9999", "", "gfx700", "navi21"}) {
    auto created = BuilderContext::create(context, name);
    REQUIRE_FALSE(created.has_value());
    CHECK((created.error().code == ErrorCode::UnknownGpu));
    CHECK(created.error().text.find("\"" + std::string(name) + "\"") != std::string::npos);
  }
}

TEST_CASE("every known GPU compiles a shader for its own machine") {
  for (const dovetail::TargetInfo &target : dovetail::allTargets()) {
    ShaderCompiler compiler(target.gpuName);
    auto compiled = compiler.compile(modesOf(ShaderStage::Fragment), writeOneColor);
    REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
    REQUIRE(compiled->elf.size() > sizeof(ELF::Elf64_Ehdr));
    const auto *header = reinterpret_cast<const ELF::Elf64_Ehdr *>(compiled->elf.data());
    CHECK(header->e_machine == ELF::EM_AMDGPU);
    CHECK((header->e_flags & ELF::EF_AMDGPU_MACH) == target.elfMachine);
  }
}

TEST_CASE("waves per SIMD follow the register file") {
  const dovetail::TargetInfo &target = *dovetail::findTarget("gfx900");
  CHECK(dovetail::wavesPerSimd(target, 16, 24) == 10);
  CHECK(dovetail::wavesPerSimd(target, 16, 25) == 9);
  CHECK(dovetail::wavesPerSimd(target, 81, 8) == 8);
  CHECK(dovetail::wavesPerSimd(target, 102, 256) == 1);
}

TEST_CASE("GFX8 has separate stages, and gfx802 one size of SGPR allocation") {
  CHECK(dovetail::findTarget("gfx900")->hasMergedStages);
  for (const char *name : {"gfx801", "gfx802", "gfx803", "gfx805", "gfx810"}) {
    REQUIRE(dovetail::findTarget(name));
    CHECK_FALSE(dovetail::findTarget(name)->hasMergedStages);
    CHECK(dovetail::findTarget(name)->maxUserSgprs == 16);
  }
  CHECK(dovetail::wavesPerSimd(*dovetail::findTarget("gfx803"), 16, 24) == 10);
  CHECK(dovetail::wavesPerSimd(*dovetail::findTarget("gfx802"), 16, 24) == 8); // 800 / 96
  CHECK(dovetail::findTarget("gfx802")->maxSgprs == 96);
}

TEST_CASE("a control shader without output vertices, and an evaluation shader as LS, are refused") {
  ShaderCompiler compiler;
  auto control = compiler.compile(modesOf(ShaderStage::TessControl), [](Builder &) {});
  REQUIRE_FALSE(control.has_value());
  CHECK((control.error().code == ErrorCode::InvalidInput));

  std::unique_ptr<Pipeline> pipeline = compiler.builderContext->createPipeline();
  Options options;
  options.vertexStage = dovetail::HardwareStage::Ls;
  pipeline->setOptions(options);
  auto eval = compiler.compile(*pipeline, modesOf(ShaderStage::TessEval), [](Builder &) {});
  REQUIRE_FALSE(eval.has_value());
  CHECK((eval.error().code == ErrorCode::InvalidInput));
  CHECK(compiler.compile(*pipeline, modesOf(ShaderStage::Vertex), [](Builder &) {}).has_value());
}

TEST_CASE("malformed IR and missing state are Errors, and the context is still good afterwards") {
  ShaderCompiler compiler;
  auto pipeline = compiler.builderContext->createPipeline();
  std::vector<std::unique_ptr<Module>> shaders;
  shaders.push_back(compiler.record(modesOf(ShaderStage::Vertex), [](Builder &) {}));
  BasicBlock &block = shaders[0]->getFunction("main")->front();
  block.getTerminator()->eraseFromParent();
  auto linked = pipeline->irLink(std::move(shaders));
  REQUIRE_FALSE(linked.has_value());
  CHECK((linked.error().code == ErrorCode::CompileFailed));

  auto unlinked = pipeline->generate(compiler.record(modesOf(ShaderStage::Vertex), [](Builder &) {}));
  REQUIRE_FALSE(unlinked.has_value());
  CHECK((unlinked.error().code == ErrorCode::InvalidInput));

  auto compiled = compiler.compile(*pipeline, modesOf(ShaderStage::Fragment), writeOneColor);
  CHECK_MESSAGE(compiled.has_value(), compiled.error().text);
}

TEST_CASE("a shader outside the pipeline's stage mask is a mismatch") {
  ShaderCompiler compiler;
  auto pipeline = compiler.builderContext->createPipeline();
  pipeline->setShaderStageMask(stageBit(ShaderStage::Vertex));
  auto compiled = compiler.compile(*pipeline, modesOf(ShaderStage::Fragment), writeOneColor);
  REQUIRE_FALSE(compiled.has_value());
  CHECK((compiled.error().code == ErrorCode::StateMismatch));
}

TEST_CASE("equal shaders give equal code, compile after compile") {
  ShaderCompiler compiler;
  auto first = compiler.compile(modesOf(ShaderStage::Fragment), writeOneColor);
  auto second = compiler.compile(modesOf(ShaderStage::Fragment), writeOneColor);
  REQUIRE(first.has_value());
  REQUIRE(second.has_value());
  CHECK(first->elf == second->elf);
  CHECK(first->interface == second->interface);
}

// All numbers are alive until each of them has been added to the sum of all. LLVM cannot make them again.
TEST_CASE("a shader that spills SGPRs is compiled again, one bank of registers behind the other") {
  constexpr unsigned roomy = 40, tight = 115; // gfx900 has 102 SGPRs
  ShaderCompiler compiler;
  const auto compileWith = [&](unsigned count) {
    return compiler.compile(modesOf(ShaderStage::Fragment), [&](Builder &builder) {
      auto *type = FunctionType::get(builder.getInt32Ty(), false);
      auto *make = InlineAsm::get(type, "s_getreg_b32 $0, 1", "=s", /*hasSideEffects=*/true);
      std::vector<Value *> numbers;
      Value *sum = builder.getInt32(0);
      for (unsigned index = 0; index < count; ++index) {
        numbers.push_back(builder.CreateCall(type, make));
        sum = builder.CreateAdd(sum, numbers.back());
      }
      Value *result = sum;
      for (Value *number : numbers)
        result = builder.CreateShl(result, number);
      builder.CreateWriteGenericOutput(builder.CreateUIToFP(result, builder.getFloatTy()), 0, builder.getInt32(0), 0, 1,
                                       0, nullptr);
    });
  };
  REQUIRE(compileWith(roomy));
  CHECK(compiler.builderContext->counts().repeated == 0);
  REQUIRE(compileWith(tight));
  CHECK(compiler.builderContext->counts().repeated == 1);
  REQUIRE(compileWith(roomy));
  CHECK(compiler.builderContext->counts().repeated == 1);
}

// LLVM reports broken assembly in the middle of writing the object file.
TEST_CASE("an Error in code generation leaves nothing behind for the next shader") {
  ShaderCompiler compiler;
  auto expected = ShaderCompiler().compile(modesOf(ShaderStage::Fragment), writeOneColor);
  REQUIRE(expected.has_value());
  for (unsigned round = 0; round < 2; ++round) {
    auto good = compiler.compile(modesOf(ShaderStage::Fragment), writeOneColor);
    REQUIRE_MESSAGE(good.has_value(), good.error().text);
    CHECK(good->elf == expected->elf);

    auto broken = compiler.compile(modesOf(ShaderStage::Fragment), [](Builder &builder) {
      writeOneColor(builder);
      auto *type = FunctionType::get(builder.getVoidTy(), false);
      builder.CreateCall(type, InlineAsm::get(type, "v_no_such_instruction v0", "", /*hasSideEffects=*/true));
    });
    REQUIRE_FALSE(broken.has_value());
    CHECK((broken.error().code == ErrorCode::CompileFailed));
    CHECK(broken.error().text.find("LLVM: ") != std::string::npos);
  }
}

TEST_CASE("an intrinsic that the GPU has no instruction for is refused by its name") {
  const auto errorOf = [](const char *gpu, Intrinsic::ID id, Type *(*type)(LLVMContext &)) {
    auto compiled = ShaderCompiler(gpu).compile(modesOf(ShaderStage::Fragment), [&](Builder &builder) {
      Value *value = ConstantFP::get(type(builder.getContext()), 1.5);
      value = builder.CreateReadGenericInput(value->getType(), 0, builder.getInt32(0), 0, 1, InterpMode::Flat,
                                             InterpLocation::Center, nullptr, nullptr);
      if (id == Intrinsic::amdgcn_fmed3)
        value = builder.CreateIntrinsic(value->getType(), id, {value, value, ConstantFP::get(value->getType(), 3.5)});
      else if (id == Intrinsic::amdgcn_pops_exiting_wave_id)
        value = builder.CreateUIToFP(builder.CreateIntrinsic(builder.getInt32Ty(), id, {}), builder.getFloatTy());
      else
        value = builder.CreateIntrinsic(id, {builder.getFloatTy()},
                                        {value, PoisonValue::get(FixedVectorType::get(builder.getInt32Ty(), 4)),
                                         builder.getInt32(0), builder.getInt32(0), builder.getInt32(0)});
      builder.CreateWriteGenericOutput(value, 0, builder.getInt32(0), 0, 1, 0, nullptr);
    });
    return compiled ? std::string() : compiled.error().text;
  };
  CHECK(errorOf("gfx803", Intrinsic::amdgcn_fmed3, Type::getHalfTy) == "GFX8 has no llvm.amdgcn.fmed3.f16");
  CHECK(errorOf("gfx803", Intrinsic::amdgcn_fmed3, Type::getFloatTy) == "");
  CHECK(errorOf("gfx900", Intrinsic::amdgcn_fmed3, Type::getHalfTy) == "");
  CHECK(errorOf("gfx803", Intrinsic::amdgcn_pops_exiting_wave_id, Type::getFloatTy) ==
        "GFX8 has no llvm.amdgcn.pops.exiting.wave.id");
  CHECK(errorOf("gfx900", Intrinsic::amdgcn_raw_buffer_atomic_swap, Type::getFloatTy) == "");
  for (const Intrinsic::ID id : {Intrinsic::amdgcn_raw_buffer_atomic_fadd, Intrinsic::amdgcn_raw_buffer_atomic_fmin,
                                 Intrinsic::amdgcn_raw_buffer_atomic_fmax})
    CHECK(errorOf("gfx900", id, Type::getFloatTy) == "GFX9 has no " + Intrinsic::getName(id).str() + ".f32");
}

// LLVM would end the process at any other type.
TEST_CASE("types that LLVM has no loads and stores of buffers for are refused by the intrinsic's name") {
  const auto errorOf = [](const char *gpu, Type *(*type)(LLVMContext &)) {
    auto compiled = ShaderCompiler(gpu).compile(modesOf(ShaderStage::Fragment), [&](Builder &builder) {
      Type *const data = type(builder.getContext());
      Value *buffer = PoisonValue::get(FixedVectorType::get(builder.getInt32Ty(), 4));
      Value *zero = builder.getInt32(0);
      Value *value = builder.CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_load, {data}, {buffer, zero, zero, zero});
      builder.CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_store, {data}, {value, buffer, zero, zero, zero});
    });
    return compiled ? std::string() : compiled.error().text;
  };
  using MakeType = Type *(*)(LLVMContext &);
  const MakeType selected[] = {
      [](LLVMContext &c) -> Type * { return Type::getInt8Ty(c); },
      [](LLVMContext &c) -> Type * { return Type::getHalfTy(c); },
      [](LLVMContext &c) -> Type * { return FixedVectorType::get(Type::getInt16Ty(c), 2); },
      [](LLVMContext &c) -> Type * { return FixedVectorType::get(Type::getHalfTy(c), 8); },
      [](LLVMContext &c) -> Type * { return FixedVectorType::get(Type::getInt32Ty(c), 3); },
      [](LLVMContext &c) -> Type * { return FixedVectorType::get(Type::getInt64Ty(c), 2); },
      [](LLVMContext &c) -> Type * { return Type::getInt128Ty(c); },
      [](LLVMContext &c) -> Type * { return PointerType::get(c, 1); },
      [](LLVMContext &c) -> Type * { return PointerType::get(c, 3); },
      [](LLVMContext &c) -> Type * { return FixedVectorType::get(PointerType::get(c, 1), 2); },
  };
  const MakeType refused[] = {
      [](LLVMContext &c) -> Type * { return Type::getIntNTy(c, 24); },
      [](LLVMContext &c) -> Type * { return FixedVectorType::get(Type::getInt8Ty(c), 2); },
      [](LLVMContext &c) -> Type * { return FixedVectorType::get(Type::getInt32Ty(c), 1); },
      [](LLVMContext &c) -> Type * { return FixedVectorType::get(Type::getHalfTy(c), 3); },
      [](LLVMContext &c) -> Type * { return FixedVectorType::get(Type::getHalfTy(c), 6); },
      [](LLVMContext &c) -> Type * { return FixedVectorType::get(Type::getFloatTy(c), 5); },
  };
  for (const char *gpu : {"gfx803", "gfx900"}) {
    CAPTURE(gpu);
    for (size_t i = 0; i < std::size(selected); ++i) {
      CAPTURE(i);
      CHECK(errorOf(gpu, selected[i]) == "");
    }
    for (size_t i = 0; i < std::size(refused); ++i) {
      CAPTURE(i);
      CHECK(errorOf(gpu, refused[i]).find(" has no llvm.amdgcn.raw.buffer.") != std::string::npos);
    }
  }
}

TEST_CASE("float modes reach code generation and the interface") {
  ShaderCompiler compiler;
  ShaderModes modes = modesOf(ShaderStage::Fragment);
  auto plain = compiler.compile(modes, writeOneColor);
  REQUIRE(plain.has_value());
  CHECK(plain->interface.floatMode == 0xc0);
  CHECK(plain->ir.find("\"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\"") != std::string::npos);
  modes.common.fp32DenormMode = FpDenormMode::FlushNone;
  modes.common.fp16RoundMode = FpRoundMode::Zero;
  auto kept = compiler.compile(modes, writeOneColor);
  REQUIRE(kept.has_value());
  CHECK(kept->interface.floatMode == 0xfc);
  CHECK(kept->ir.find("\"denormal-fp-math-f32\"=\"ieee,ieee\"") != std::string::npos);
}

TEST_CASE("every optimisation level compiles, and a loop without an end too") {
  for (unsigned level = 0; level <= 3; ++level) {
    ShaderCompiler compiler;
    auto pipeline = compiler.builderContext->createPipeline();
    Options options;
    options.optimizationLevel = level;
    pipeline->setOptions(options);
    auto compiled = compiler.compile(*pipeline, modesOf(ShaderStage::Fragment), [](Builder &builder) {
      Value *input = builder.CreateReadGenericInput(builder.getInt32Ty(), 0, builder.getInt32(0), 0, 1,
                                                    InterpMode::Flat, InterpLocation::Center, nullptr, nullptr);
      Function *function = builder.GetInsertBlock()->getParent();
      BasicBlock *loop = BasicBlock::Create(builder.getContext(), "loop", function);
      BasicBlock *end = BasicBlock::Create(builder.getContext(), "end", function);
      builder.CreateCondBr(builder.CreateICmpEQ(input, builder.getInt32(7)), loop, end);
      builder.SetInsertPoint(loop);
      builder.CreateBr(loop);
      builder.SetInsertPoint(end);
      builder.CreateWriteGenericOutput(input, 0, builder.getInt32(0), 0, 1, 0, nullptr);
    });
    CHECK_MESSAGE(compiled.has_value(), compiled.error().text);
  }
}

TEST_CASE("a workgroup that the hardware cannot launch is refused") {
  for (uint32_t size : {0u, 1025u, 0xffffffffu}) {
    ShaderCompiler compiler;
    ShaderModes modes = modesOf(ShaderStage::Compute);
    modes.compute = {size, size, 2};
    auto compiled = compiler.compile(modes, [](Builder &) {});
    REQUIRE_FALSE(compiled.has_value());
    CHECK((compiled.error().code == ErrorCode::InvalidInput));
  }
}

// Only the first compile of a BuilderContext pays for set-up (TargetMachine, pass pipelines, analysis registration).
TEST_CASE("a later compile does not pay for set-up") {
  auto countAllocations = [](ShaderCompiler &compiler) {
    constexpr long Plenty = 1'000'000'000;
    dovetail::test::allocationsLeft = Plenty;
    const bool isCompiled = compiler.compile(modesOf(ShaderStage::Fragment), writeOneColor).has_value();
    const long count = Plenty - std::exchange(dovetail::test::allocationsLeft, -1);
    REQUIRE(isCompiled);
    return count;
  };
  ShaderCompiler warmUp; // LLVM's own statics
  countAllocations(warmUp);
  ShaderCompiler compiler;
  const long first = countAllocations(compiler), second = countAllocations(compiler);
  MESSAGE("tiny shader: ", first, " allocations in the first compile, ", second, " in the second");
  CHECK(second > 0);
  CHECK(second < first);
}
