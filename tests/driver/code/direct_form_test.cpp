// SPDX-License-Identifier: MIT
//
// A compile from SPIR-V lowers ops as they are made. One with an observer records them and replays them later. The test
// compares the two: code, interface, and hash of the function.
#include "parts/kinds/main_part.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/codegen/diagnostics.h"
#include "tests/driver/own_shaders.h"
#include "variants/assemble/get_parts.h"
#include <doctest/doctest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

using namespace dovetail;

namespace {

// Shaders that are compiled without their recorded form are verified while it lives.
class Verified {
public:
  Verified() { lgc::verifyDirectShaders(true); }
  ~Verified() { lgc::verifyDirectShaders(false); }
};

Result<lgc::HardwareFormShader> lowerRecorded(const ShaderSource &source, lgc::BuilderContext &context) {
  return context.createPipeline()->lower(DOVETAIL_TRY(linkShader(source.key, source.words, context)));
}

Result<lgc::CompiledShader> generate(Result<lgc::HardwareFormShader> lowered, lgc::BuilderContext &context) {
  return context.generateCode(DOVETAIL_TRY(std::move(lowered)));
}

void compareForms(const std::string &gpu) {
  const Verified verified;
  llvm::LLVMContext llvmContext;
  auto context = lgc::BuilderContext::create(llvmContext, gpu);
  REQUIRE(context);
  const size_t count = forEachOwnShader([&](const ShaderSet &program, const Shader &shader) {
    const ShaderSource source = sourceOf(program, shader.description.stage, gpu);
    const uint64_t before = (*context)->counts().direct;
    auto direct = generate(lowerShader(source.key, source.words, **context), **context);
    CHECK((*context)->counts().direct == before + 1);
    auto recorded = generate(lowerRecorded(source, **context), **context);
    CHECK((*context)->counts().direct == before + 1);
    REQUIRE_MESSAGE(direct.has_value(), (direct ? std::string() : direct.error().text));
    REQUIRE_MESSAGE(recorded.has_value(), (recorded ? std::string() : recorded.error().text));
    CHECK(direct->elf == recorded->elf);
    CHECK(direct->interface == recorded->interface);
  });
  CHECK(count > 200);
}

} // namespace

TEST_CASE("shaders of GFX9 have the same code with and without their recorded form") {
  compareForms("gfx900");
}

TEST_CASE("shaders of GFX8 have the same code with and without their recorded form") {
  compareForms("gfx803");
}

TEST_CASE("an observer sees each step of a shader, so the shader is recorded") {
  llvm::LLVMContext llvmContext;
  auto context = lgc::BuilderContext::create(llvmContext, "gfx900");
  REQUIRE(context);
  bool isReplayed = false;
  (*context)->setObserver([&](lgc::Step step, llvm::Module &) { isReplayed |= step == lgc::Step::Replay; });
  const OwnProgram program = readOwnPrograms().front();
  const ShaderSource source = sourceOf(program.shaders, lgc::ShaderStage::Fragment, "gfx900");
  REQUIRE(lowerShader(source.key, source.words, **context).has_value());
  CHECK(isReplayed);
  CHECK((*context)->counts().direct == 0);
  CHECK((*context)->counts().lowered == 1);
}
