// SPDX-License-Identifier: MIT
#include "parts/compile/compose_ir.h"
#include "parts/kinds/main_part.h"
#include "src/abi/get_target.h"
#include "src/abi/interface/pixel_inputs.h"
#include "src/first/first_code.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/pipeline.h"
#include "src/mc/disassembler.h"
#include "tests/driver/own_shaders.h"
#include "tests/parts/same_instruction.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "variants/assemble/get_parts.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

using namespace dovetail;

namespace {

std::variant<first::FirstCode, first::Refusal> firstCodeOf(const MainPartKey &key, std::span<const uint32_t> words,
                                                           lgc::BuilderContext &context) {
  MainPartKey firstKey = key;
  firstKey.tier = CodeTier::FirstCode;
  Result<lgc::HardwareFormShader> shader = lowerShader(firstKey, words, context);
  REQUIRE_MESSAGE(shader, shader.error().text);
  REQUIRE(context.finishMiddleEnd(*shader));
  Result<llvm::Function *> entry = findHardwareEntry(*shader->module);
  REQUIRE(entry);
  return first::makeFirstCode(**entry, context.targetInfo(), pixelInputsOf(shader->interface));
}

std::variant<first::FirstCode, first::Refusal> firstCodeOfIr(const std::string &body, const std::string &denormals) {
  const std::string text = fmt::format("declare i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32>, i32, i32, i32)\n"
                                       "declare i32 @llvm.amdgcn.set.inactive.i32(i32, i32)\n"
                                       "declare i32 @llvm.amdgcn.strict.wwm.i32(i32)\n"
                                       "declare void @llvm.amdgcn.raw.buffer.store.i32(i32, <4 x i32>, i32, i32, i32)\n"
                                       "define amdgpu_cs void @main(i32 inreg %s, <4 x i32> inreg %d, i32 %v) #0 {{\n"
                                       "{}\n}}\n"
                                       "attributes #0 = {{ \"denormal-fp-math-f32\"=\"{}\" }}\n",
                                       body, denormals);
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, diagnostic, context);
  REQUIRE_MESSAGE(module, diagnostic.getMessage().str());
  return first::makeFirstCode(*module->getFunction("main"), **getTarget("gfx900"));
}

constexpr const char *FlushesDenormals = "preserve-sign,preserve-sign";

// The reason to refuse a function of IR, or "" if there is none.
std::string reasonOf(const std::string &body, const std::string &denormals = FlushesDenormals) {
  const auto made = firstCodeOfIr(body, denormals);
  const auto *refusal = std::get_if<first::Refusal>(&made);
  return refusal ? refusal->reason : "";
}

// How many instructions of a function of IR begin with a mnemonic.
size_t countOf(const std::string &body, std::string_view mnemonic) {
  const auto made = firstCodeOfIr(body, FlushesDenormals);
  const auto *code = std::get_if<first::FirstCode>(&made);
  REQUIRE(code);
  return size_t(std::ranges::count_if(code->encoder.instructions(), [&](const isa::Instruction &instruction) {
    return instruction.mnemonic.starts_with(mnemonic);
  }));
}

// The reason for which the shader is refused as soon as it is translated, or "". First code itself refuses it for the
// same reason, and LLVM makes of the lowered shader what it would have made of the words.
std::string earlyReasonOf(ShaderSource source, lgc::BuilderContext &context) {
  MainPartKey firstKey = source.key;
  firstKey.tier = CodeTier::FirstCode;
  Result<MainForFirstCode> lowered = lowerForFirstCode(firstKey, source.words, context);
  REQUIRE(lowered);
  if (lowered->refusal.empty())
    return "";
  INFO(lowered->refusal);
  const auto code = firstCodeOf(source.key, source.words, context);
  REQUIRE(std::holds_alternative<first::Refusal>(code));
  CHECK(std::get<first::Refusal>(code).reason == lowered->refusal);
  const Result<Part> goneOn = makeMainPart(source.key, std::move(lowered->shader), context);
  const Result<Part> alone = makeMainPart(source.key, source.words, context);
  REQUIRE(goneOn);
  REQUIRE(alone);
  CHECK(goneOn->code == alone->code);
  return lowered->refusal;
}

constexpr const char *Store = "call void @llvm.amdgcn.raw.buffer.store.i32(i32 %r, <4 x i32> %d, i32 0, i32 0, i32 0)\n"
                              "ret void";

} // namespace

TEST_CASE("first code describes the instructions that its bytes have") {
  for (const std::string gpu : {"gfx900", "gfx803"}) {
    llvm::LLVMContext llvmContext;
    auto context = lgc::BuilderContext::create(llvmContext, gpu);
    REQUIRE(context);
    Result<mc::Disassembler::Lease> disassembler = mc::Disassembler::forGpu(gpu);
    REQUIRE(disassembler);
    size_t made = 0;
    const size_t count = forEachOwnShader([&](const ShaderSet &program, const Shader &shader) {
      const ShaderSource source = sourceOf(program, shader.description.stage, gpu);
      const auto code = firstCodeOf(source.key, source.words, **context);
      const auto *first = std::get_if<first::FirstCode>(&code);
      if (!first) {
        const std::string &reason = std::get<first::Refusal>(code).reason;
        CHECK_MESSAGE(!first::isFault(reason), shader.description.name, ": ", reason);
        return;
      }
      ++made;
      Result<std::vector<isa::Instruction>> decoded = (*disassembler)->decodeAll(first->encoder.bytes());
      REQUIRE_MESSAGE(decoded, decoded.error().text);
      const std::span<const isa::Instruction> said = first->encoder.instructions();
      REQUIRE(said.size() == decoded->size());
      for (size_t i = 0; i < said.size(); ++i) {
        // An image's address may have more VGPRs than the disassembler knows of.
        if (said[i].is(isa::Mimg))
          (*decoded)[i].reads = said[i].reads;
        test::checkSame(said[i], (*decoded)[i]);
      }
    });
    INFO(gpu, ": ", made, " of ", count);
    CHECK(made * 100 >= count * 95);
  }
}

TEST_CASE("first code of the own shaders has few more instructions than LLVM's, and none has far more") {
  constexpr size_t AllPercent = 113, EachPercent = 140;
  for (const std::string gpu : {"gfx900", "gfx803"}) {
    llvm::LLVMContext llvmContext;
    auto context = lgc::BuilderContext::create(llvmContext, gpu);
    REQUIRE(context);
    size_t firsts = 0, llvms = 0;
    forEachOwnShader([&](const ShaderSet &program, const Shader &shader) {
      const ShaderSource source = sourceOf(program, shader.description.stage, gpu);
      const auto code = firstCodeOf(source.key, source.words, **context);
      const auto *first = std::get_if<first::FirstCode>(&code);
      if (!first)
        return;
      const Result<lgc::CompiledShader> compiled = compileShader(source.key, source.words, **context, {});
      REQUIRE(compiled);
      const size_t here = first->encoder.instructions().size(), llvmsHere = compiled->instructions.size();
      CHECK_MESSAGE(here * 100 <= llvmsHere * EachPercent, gpu, " ", shader.description.name, ": ", here, ", LLVM ",
                    llvmsHere);
      firsts += here;
      llvms += llvmsHere;
    });
    INFO(gpu, ": ", firsts, " of first code, ", llvms, " of LLVM");
    CHECK(llvms > 10000);
    CHECK(firsts * 100 <= llvms * AllPercent);
  }
}

TEST_CASE("first code folds what many shaders have") {
  // Indices.
  const std::string times16 = fmt::format("%r = mul i32 %v, 16\n{}", Store);
  CHECK(countOf(times16, "v_lshlrev_b32") == 1);
  CHECK(countOf(times16, "v_mul") == 0);
  const std::string part = fmt::format("%a = shl i32 %v, 4\n%b = add i32 %a, 3\n%r = and i32 %b, 7\n{}", Store);
  CHECK(countOf(part, "v_and") == 0); // it is 3
  // Comparisons and their opposites.
  const std::string opposite =
      fmt::format("%c = icmp ult i32 %v, 9\n%n = xor i1 %c, true\n%r = zext i1 %n to i32\n{}", Store);
  CHECK(countOf(opposite, "s_not") == 0);
  // A value that lanes bring on one of two ways is there before the branch.
  const std::string ways = fmt::format("%c = icmp ult i32 %v, 9\nbr i1 %c, label %then, label %end\nthen:\n"
                                       "%m = mul i32 %v, %v\n%x = mul i32 %m, %v\nbr label %end\nend:\n"
                                       "%r = phi i32 [ 7, %0 ], [ %x, %then ]\n{}",
                                       Store);
  CHECK(countOf(ways, "s_and_saveexec_b64") == 1);
  CHECK(countOf(ways, "s_andn2") == 0);
  // A bool that the branch has decided, and with it the branch.
  const std::string decided = fmt::format("%c = icmp ult i32 %v, 9\nbr i1 %c, label %end, label %then\nthen:\n"
                                          "br label %end\nend:\n%e = phi i1 [ %c, %0 ], [ true, %then ]\n"
                                          "%r = zext i1 %e to i32\n{}",
                                          Store);
  CHECK(countOf(decided, "v_cmp") == 0);
  CHECK(countOf(decided, "s_cbranch") == 0);
  // Memory of the lane, where a store in between leaves what is loaded alone.
  auto stored = [](const std::string &index) {
    return fmt::format("%p = alloca [8 x i32], align 16, addrspace(5)\n"
                       "%q = getelementptr i32, ptr addrspace(5) %p, i32 1\nstore i32 %v, ptr addrspace(5) %q\n{}\n"
                       "%w = getelementptr i32, ptr addrspace(5) %p, i32 %k\nstore i32 5, ptr addrspace(5) %w\n"
                       "%r = load i32, ptr addrspace(5) %q\n{}",
                       index, Store);
  };
  CHECK(countOf(stored("%i = and i32 %v, 3\n%k = shl i32 %i, 1"), "buffer_load_dword") == 0);
  CHECK(countOf(stored("%k = and i32 %v, 7"), "buffer_load_dword") == 1);
}

TEST_CASE("what is refused early first code refuses, too, and it is lowered as for LLVM") {
  llvm::LLVMContext llvmContext;
  auto context = lgc::BuilderContext::create(llvmContext, "gfx900");
  REQUIRE(context);
  auto reasonOfCompute = [&](const std::string &text, lgc::FpDenormMode denormals = lgc::FpDenormMode::DontCare) {
    const ShaderSet set = computeOf(text);
    ShaderSource source = sourceOf(set, lgc::ShaderStage::Compute, "gfx900");
    source.key.options.fp32DenormMode = denormals;
    return earlyReasonOf(std::move(source), **context);
  };
  const std::string plain = "layout(binding = 0) buffer B { uint b[64]; };\n"
                            "void main() { b[gl_LocalInvocationIndex] += 1; }\n";
  CHECK(reasonOfCompute(plain) == "");
  CHECK(reasonOfCompute(plain, lgc::FpDenormMode::FlushNone) == "denormals of f32");
  CHECK(reasonOfCompute("#extension GL_ARB_shader_clock : require\nlayout(binding = 0) buffer B { uint b[64]; };\n"
                        "void main() { b[gl_LocalInvocationIndex] = clock2x32ARB().x; }\n") == "llvm.amdgcn.s.memtime");
}

TEST_CASE("what first code does not take is refused with its reason") {
  CHECK(reasonOf(fmt::format("%r = add i32 %s, %v\n{}", Store)).empty());
  CHECK(reasonOf("ret void", "ieee,ieee") == "denormals of f32");
  CHECK(reasonOf(fmt::format("%a = call i32 @llvm.amdgcn.set.inactive.i32(i32 %v, i32 0)\n%b = add i32 %a, %s\n"
                             "%r = call i32 @llvm.amdgcn.strict.wwm.i32(i32 %b)\n{}",
                             Store))
            .empty());
  CHECK(reasonOf(fmt::format("%a = call i32 @llvm.amdgcn.set.inactive.i32(i32 %v, i32 0)\n%b = add i32 %a, %v\n"
                             "%r = call i32 @llvm.amdgcn.strict.wwm.i32(i32 %b)\n{}",
                             Store)) == "what only some lanes have, in a value of the whole wave");
  CHECK(reasonOf(fmt::format("%r = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %d, i32 0, i32 %v, i32 0)\n{}",
                             Store)) ==
        "a divergent value where the hardware takes a scalar: llvm.amdgcn.raw.buffer.load.i32");
  CHECK(reasonOf(fmt::format("%w = zext i32 %v to i128\n%r = trunc i128 %w to i32\n{}", Store)) == "zext of i128");
}
