// SPDX-License-Identifier: MIT
//
// Runs each step of the middle-end alone, on IR that was written as text or bitcode behind the step before. Each must
// give the same as in a whole run, for every program of tests/shaders, on both generations. So the IR has everything
// that a step needs.
#include "parts/kinds/main_part.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/check_ir.h"
#include "src/lgc/ir_file.h"
#include "src/lgc/run_passes.h"
#include "tests/driver/own_shaders.h"
#include "variants/assemble/get_parts.h"
#include <doctest/doctest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace dovetail;

namespace {

struct StepText {
  std::string passName;
  std::string written;  // the module behind it
  std::string compared; // the same without the names and orders that passes ignore
  bool hasForeignData;  // which code generation would drop
};

// Without the name of the module and those of values, and without the order of uses.
std::string comparedText(const llvm::Module &module) {
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  copy->setModuleIdentifier("shader");
  for (llvm::Function &function : *copy) {
    for (llvm::Argument &argument : function.args())
      argument.setName("");
    for (llvm::BasicBlock &block : function) {
      block.setName("");
      for (llvm::Instruction &instruction : block)
        instruction.setName("");
    }
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  copy->print(out, nullptr);
  return text;
}

StepText stepText(std::string_view passName, const llvm::Module &module, lgc::IrFormat format) {
  return {std::string(passName), lgc::writeIr(module, format), comparedText(module),
          lgc::dropForeignData(*llvm::CloneModule(module))};
}

// The input (without a step's name), and the module behind each step of the whole run.
Result<std::vector<StepText>> wholeRun(const ShaderSource &source, lgc::BuilderContext &context, lgc::IrFormat format) {
  std::vector<StepText> texts;
  std::unique_ptr<llvm::Module> module = DOVETAIL_TRY(linkShader(source.key, source.words, context));
  texts.push_back(stepText("", *module, format));
  std::unique_ptr<lgc::Pipeline> pipeline = context.createPipeline();
  pipeline->setObserver([&](lgc::Step step, llvm::Module &stepped) {
    texts.push_back(stepText(lgc::passNameOf(step), stepped, format));
  });
  lgc::HardwareFormShader lowered = DOVETAIL_TRY(pipeline->lower(std::move(module)));
  DOVETAIL_CHECK(context.finishMiddleEnd(lowered));
  return texts;
}

// One step, in a context that has seen nothing of the steps before.
Result<std::string> singleStep(const std::string &gpu, const std::string &written, const std::string &passName) {
  llvm::LLVMContext llvmContext;
  std::unique_ptr<lgc::BuilderContext> context = DOVETAIL_TRY(lgc::BuilderContext::create(llvmContext, gpu));
  auto modules = DOVETAIL_TRY(lgc::readIr(*context, written, "the step before"));
  DOVETAIL_CHECK(lgc::runPasses(*context, *modules[0], passName, {.verifyEach = true}));
  return comparedText(*modules[0]);
}

// The first line that differs, for the report.
std::string firstDifference(const std::string &left, const std::string &right) {
  auto [at, other] = std::ranges::mismatch(left, right);
  auto lineAt = [](const std::string &text, std::string::const_iterator place) {
    const size_t offset = place - text.begin();
    const size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
    return text.substr(begin, text.find('\n', offset) - begin);
  };
  return "whole run: " + lineAt(left, at) + "\nalone:     " + lineAt(right, other);
}

void compareSteps(const std::string &gpu, lgc::IrFormat format) {
  llvm::LLVMContext llvmContext;
  auto context = lgc::BuilderContext::create(llvmContext, gpu);
  REQUIRE(context);
  size_t steps = 0;
  for (const OwnProgram &program : readOwnPrograms()) {
    for (const ShaderRef &shader : program.shaders.shaders) {
      if (!shader)
        continue;
      CAPTURE(shader->description.name);
      auto whole = wholeRun(sourceOf(program.shaders, shader->description.stage, gpu), **context, format);
      if (!whole) {
        FAIL_CHECK(whole.error().text);
        continue;
      }
      for (size_t i = 1; i < whole->size(); ++i, ++steps) {
        const StepText &step = (*whole)[i];
        CHECK_FALSE_MESSAGE(step.hasForeignData, step.passName);
        CAPTURE(step.passName);
        auto alone = singleStep(gpu, (*whole)[i - 1].written, step.passName);
        if (!alone)
          FAIL_CHECK(alone.error().text);
        else if (*alone != step.compared)
          FAIL_CHECK(firstDifference(step.compared, *alone));
      }
    }
  }
  CHECK(steps > 3000);
}

} // namespace

TEST_CASE("each step alone gives what it gives in the whole run, on text of GFX9") {
  compareSteps("gfx900", lgc::IrFormat::Text);
}

TEST_CASE("each step alone gives what it gives in the whole run, on text of GFX8") {
  compareSteps("gfx803", lgc::IrFormat::Text);
}

TEST_CASE("each step alone gives what it gives in the whole run, on bitcode") {
  compareSteps("gfx900", lgc::IrFormat::Bitcode);
}
