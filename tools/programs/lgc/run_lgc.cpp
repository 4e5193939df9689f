// SPDX-License-Identifier: MIT
#include "tools/programs/lgc/run_lgc.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/codegen/diagnostics.h"
#include "src/lgc/ir_file.h"
#include "src/lgc/pipeline_module.h"
#include "src/lgc/run_passes.h"
#include "src/lgc/state/front_end_state.h"
#include "tools/common/command/input.h"
#include "tools/common/command/write_file.h"
#include "tools/programs/lgc/in_child.h"
#include "tools/programs/lgc/pipelines.h"
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/PrintPasses.h>
#include <llvm/Support/raw_ostream.h>
#include <span>

namespace dovetail::lgc_tool {

namespace {

using Modules = std::vector<std::unique_ptr<llvm::Module>>;

struct Input {
  std::string name; // the file's
  std::string bitcode;
};

// Keeps the IR from which code is generated, of all modules that are compiled.
class LastIr {
public:
  explicit LastIr(lgc::IrFormat format) : m_format(format) {}

  void see(lgc::Step step, const llvm::Module &module) {
    if (step == lgc::Step::OptimizeHardwareForm) // the last step for glue, which never reaches FinishEntryPoint
      m_modules.push_back(lgc::writeIr(module, m_format));
    else if (step == lgc::Step::FinishEntryPoint && !m_modules.empty())
      m_modules.back() = lgc::writeIr(module, m_format);
  }
  std::string all() const {
    std::string text;
    for (const std::string &module : m_modules)
      text += module;
    return text;
  }

private:
  const lgc::IrFormat m_format;
  std::vector<std::string> m_modules;
};

void printIfWanted(llvm::StringRef passName, const llvm::Module &module) {
  if (llvm::shouldPrintAfterPass(passName))
    llvm::errs() << "; *** IR Dump After " << passName << " ***\n" << lgc::writeIr(module, lgc::IrFormat::Text);
}

class Lgc {
public:
  Lgc(const Options &options, lgc::BuilderContext &context) : m_options(options), m_context(context) {}

  // Reads and verifies the inputs; returns them as bitcode that LLVM has written.
  Result<std::vector<Input>> readInputs() {
    std::vector<Input> modules;
    const std::span<const std::string> paths = m_options.inputs;
    for (const std::string &path : m_options.link ? paths.first(1) : paths) {
      const InputFile file = DOVETAIL_TRY(readInputFile(path));
      auto read = [&]() -> Result<std::vector<std::string>> {
        std::vector<std::string> bitcodes;
        for (const std::unique_ptr<llvm::Module> &module :
             DOVETAIL_TRY(lgc::readIr(m_context, file.content, file.name)))
          bitcodes.push_back(lgc::writeIr(*module, lgc::IrFormat::Bitcode));
        return bitcodes;
      };
      for (std::string &bitcode : DOVETAIL_TRY(doInChild(file.name, read)))
        modules.push_back({file.name, std::move(bitcode)});
    }
    if (m_options.extract == 0)
      return modules;
    if (m_options.extract > modules.size())
      return makeError(ErrorCode::InvalidInput, "-extract={}: there are {} modules", m_options.extract, modules.size());
    return std::vector{std::move(modules[m_options.extract - 1])};
  }

  // The output for all files together.
  Result<std::string> link(const Input &state) {
    std::vector<std::string> elfFiles;
    for (size_t index = 1; index < m_options.inputs.size(); ++index)
      elfFiles.push_back(DOVETAIL_TRY(readWholeFile(m_options.inputs[index])));
    auto work = [&]() -> Result<std::vector<std::string>> {
      return std::vector{DOVETAIL_TRY(observed(HasGlue::Yes, [&](const lgc::StepObserver &observer) {
        return linkFiles(m_options, state.bitcode, elfFiles, observer);
      }))};
    };
    return DOVETAIL_TRY(doInChild(state.name, work)).front();
  }

  // The output for one module.
  Result<std::string> process(const Input &input) {
    auto work = [&]() -> Result<std::vector<std::string>> {
      Modules modules = DOVETAIL_TRY(lgc::readIr(m_context, input.bitcode, input.name));
      const bool isPipeline = lgc::isPipelineModule(*modules[0]);
      if (m_options.runsPasses && isPipeline && hasOwnPass(m_options.passes))
        return runPassesOnShaders(input);
      if (m_options.runsPasses)
        return std::vector{DOVETAIL_TRY(runPasses(*modules[0]))};
      if (!isPipeline && m_options.way == Way::Whole)
        return std::vector{DOVETAIL_TRY(compile(std::move(modules[0])))};
      const HasGlue hasGlue = m_options.way == Way::Whole ? HasGlue::Yes : HasGlue::No;
      return std::vector{DOVETAIL_TRY(observed(hasGlue, [&](const lgc::StepObserver &observer) {
        return compilePipeline(m_options, input.name, input.bitcode, observer);
      }))};
    };
    std::string output;
    for (const std::string &written : DOVETAIL_TRY(doInChild(input.name, work)))
      output += written;
    return output;
  }

private:
  // LLVM's passes work on modules of any number of shaders, ours on modules of one.
  static bool hasOwnPass(const std::string &passes) { return passes.find("lgc-") != std::string::npos; }

  lgc::IrFormat irFormat() const {
    return m_options.fileType == FileType::Object ? lgc::IrFormat::Bitcode : lgc::IrFormat::Text;
  }
  std::string writtenIr(const llvm::Module &module) const { return lgc::writeIr(module, irFormat()); }

  // Whether the result includes glue (prologs, epilogs and the like).
  enum class HasGlue { No, Yes };

  // Runs `work`, which compiles several modules, and shows of each what the options ask for. `work`:
  // Result<std::string>(const lgc::StepObserver &).
  template <typename Work> Result<std::string> observed(HasGlue hasGlue, const Work &work) {
    LastIr lastIr(irFormat());
    Result<void> verified;
    lgc::StepObserver observer = [&](lgc::Step step, llvm::Module &module) {
      printIfWanted(lgc::passNameOf(step), module);
      if (m_options.verifyIr && verified)
        verified = lgc::verifyStructure(module, fmt::format("behind {}", lgc::passNameOf(step)));
      if (m_options.emitLlvm)
        lastIr.see(step, module);
    };
    if (!m_options.emitLlvm && !m_options.verifyIr && !printsAnyPass())
      observer = nullptr;
    std::string result = DOVETAIL_TRY(work(observer));
    DOVETAIL_CHECK(verified);
    if (m_options.emitLlvm)
      return lastIr.all();
    // The observer made the glue compile, but real glue is encoded: make the result again without an observer.
    return observer && hasGlue == HasGlue::Yes ? work(nullptr) : result;
  }
  static bool printsAnyPass() {
#define LGC_STEP(name, passName)                                                                                       \
  if (llvm::shouldPrintAfterPass(passName))                                                                            \
    return true;
#include "src/lgc/middle_end.def"
#undef LGC_STEP
    return false;
  }

  Result<std::vector<std::string>> runPassesOnShaders(const Input &input) {
    std::vector<std::string> results;
    for (const std::string &bitcode : DOVETAIL_TRY(splitPipeline(m_options, input.name, input.bitcode)))
      for (const std::unique_ptr<llvm::Module> &shader : DOVETAIL_TRY(lgc::readIr(m_context, bitcode, input.name)))
        results.push_back(DOVETAIL_TRY(runPasses(*shader)));
    return results;
  }

  Result<std::string> runPasses(llvm::Module &module) {
    lgc::RunPassesOptions options;
    options.verifyEach = m_options.verifyIr;
    options.observer = [&](llvm::StringRef passName) { printIfWanted(passName, module); };
    if (!m_options.passes.empty())
      DOVETAIL_CHECK(lgc::runPasses(m_context, module, m_options.passes, options));
    return writtenIr(module);
  }

  Result<std::string> compile(std::unique_ptr<llvm::Module> module) {
    std::unique_ptr<lgc::Pipeline> pipeline = m_context.createPipeline();
    Result<void> verified;
    pipeline->setObserver([&](lgc::Step step, llvm::Module &stepped) {
      printIfWanted(lgc::passNameOf(step), stepped);
      if (m_options.verifyIr && verified)
        verified = lgc::verifyStructure(stepped, fmt::format("behind {}", lgc::passNameOf(step)));
    });
    if (!lgc::FrontEndState::isIn(*module)) { // a single shader, as a Builder has left it
      Modules shaders;
      shaders.push_back(std::move(module));
      module = DOVETAIL_TRY(pipeline->irLink(std::move(shaders)));
    }
    lgc::HardwareFormShader shader = DOVETAIL_TRY(pipeline->lower(std::move(module)));
    DOVETAIL_CHECK(verified);
    shader.options.keepIr = false;
    if (m_options.emitLlvm) {
      DOVETAIL_CHECK(m_context.finishMiddleEnd(shader));
      DOVETAIL_CHECK(verified);
      return writtenIr(*shader.module);
    }
    if (m_options.fileType != FileType::Object)
      shader.options.codeFormat = lgc::CodeFormat::Assembly;
    lgc::CompiledShader compiled = DOVETAIL_TRY(m_context.generateCode(std::move(shader)));
    DOVETAIL_CHECK(verified);
    return std::string(compiled.elf.begin(), compiled.elf.end());
  }

  const Options &m_options;
  lgc::BuilderContext &m_context;
};

} // namespace

Result<void> run(const Options &options) {
  const bool isPrinted = options.fileType == FileType::Assembly && isStandardOutput(options.output);
  if (options.fileType != FileType::Null && !isPrinted)
    DOVETAIL_CHECK(reserveOutput(options.output));
  llvm::LLVMContext llvmContext;
  std::unique_ptr<lgc::BuilderContext> context = DOVETAIL_TRY(lgc::BuilderContext::create(llvmContext, options.gpu));
  Lgc tool(options, *context);
  std::string output;
  const std::vector<Input> inputs = DOVETAIL_TRY(tool.readInputs());
  if (options.link && inputs.size() != 1)
    return makeError(ErrorCode::InvalidInput, "-l: {} modules in the first file; -extract takes one of them",
                     inputs.size());
  for (const Input &input : inputs)
    output += DOVETAIL_TRY(options.link ? tool.link(input) : tool.process(input));
  if (options.fileType == FileType::Null)
    return {};
  if (!isPrinted)
    return writeOutput(options.output, output);
  print(output);
  return {};
}

} // namespace dovetail::lgc_tool
