// SPDX-License-Identifier: MIT
//
// A file of IR may say anything. It may come from behind any step of the middle-end, with the state of the compile that
// it carries. So this program mutates own shaders as they are behind each step, as text and bitcode. It reads the
// mutants and runs them through the steps that are left, or through some others, down to machine code. It takes mutants
// of pipeline modules apart, brings them to hardware form shader by shader, and compiles them in each way. All of that
// must end in code or in an Error with a text. Only LLVM's readers and its code generation run in processes of their
// own, as in the tool.
//
//   mutate_ir [--count N] [--seed S] [--first I] MODULE.spv...
//
// Mutant I of seed S is always the same: `--first I --count 1` repeats it, and `--write FILE` keeps it.
#include "parts/kinds/main_part.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/code_generator.h"
#include "src/lgc/ir_file.h"
#include "src/lgc/run_passes.h"
#include "tests/fuzz/mutate_ir.h"
#include "tests/fuzz/read_programs.h"
#include "tests/fuzz/run_mutants.h"
#include "tools/programs/lgc/in_child.h"
#include "variants/assemble/get_parts.h"
#include "variants/link/elf_linker.h"
#include "variants/link/ir_pipeline.h"
#include "variants/link/whole_pipeline.h"
#include "variants/state/default_state.h"
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>

using namespace dovetail;

namespace {

constexpr unsigned SecondsPerMutant = 60;
constexpr const char *GaveUp = "mutant: LLVM gave up"; // lgc_tool::doInChild()
constexpr const char *Gpus[] = {"gfx900", "gfx803"};

struct Options {
  uint64_t count = 1000;
  uint64_t first = 0;
  uint64_t seed = 1;
  std::string writeTo;
  bool isVerbose = false;
  std::vector<std::string> modules;
};

// A shader behind one of the steps, or a pipeline.
struct Seed {
  std::string name;
  std::string gpu;
  bool isPipeline = false; // a module of all shaders, with their state
  std::vector<std::string> passesLeft;
  std::string text;
  std::string bitcode;
};

// The phase that a mutant is in. It tells where a crash happened.
enum class Phase : uint32_t { None, Read, Passes };

// Shared between the parent and its children.
struct Progress {
  uint64_t mutants = 0;
  uint64_t unreadable = 0;
  uint64_t readerGaveUp = 0;
  uint64_t codeGenerationGaveUp = 0;
  uint64_t refused = 0;
  uint64_t compiled = 0;
  uint64_t pipelines = 0; // compiled mutants that are pipelines
  uint64_t defects = 0;   // wrong outcomes that do not crash
  Phase phase = Phase::None;
  char pass[64] = {}; // the pass that is running
};

// Without the order of uses, which would be wrong if a line went.
std::string textOf(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr);
  return text;
}

// Values get names, so that lines can be dropped and moved.
void nameValues(llvm::Module &module) {
  for (llvm::Function &function : module) {
    for (llvm::Argument &argument : function.args())
      if (!argument.hasName())
        argument.setName("a");
    for (llvm::BasicBlock &block : function)
      if (!block.hasName())
        block.setName("b");
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (!instruction.hasName() && !instruction.getType()->isVoidTy())
        instruction.setName("v");
  }
}

Result<void> addSeeds(std::vector<Seed> &seeds, const ShaderSource &source, lgc::BuilderContext &context) {
  const size_t first = seeds.size();
  std::vector<std::string> passes;
  auto add = [&](llvm::Module &module) {
    nameValues(module);
    seeds.push_back(
        {source.name, source.key.gpuName, false, {}, textOf(module), lgc::writeIr(module, lgc::IrFormat::Bitcode)});
  };
  std::unique_ptr<llvm::Module> module = DOVETAIL_TRY(linkShader(source.key, source.words, context));
  add(*module);
  std::unique_ptr<lgc::Pipeline> pipeline = context.createPipeline();
  pipeline->setObserver([&](lgc::Step step, llvm::Module &stepped) {
    passes.emplace_back(lgc::passNameOf(step));
    add(stepped);
  });
  lgc::HardwareFormShader lowered = DOVETAIL_TRY(pipeline->lower(std::move(module)));
  DOVETAIL_CHECK(context.finishMiddleEnd(lowered));
  for (size_t i = first; i < seeds.size(); ++i)
    seeds[i].passesLeft.assign(passes.begin() + static_cast<std::ptrdiff_t>(i - first), passes.end());
  return {};
}

Result<std::vector<Seed>> makeSeeds(const std::vector<std::string> &modules) {
  std::vector<Seed> seeds;
  for (const auto &[name, shaders] : DOVETAIL_TRY(fuzz::readPrograms(modules)))
    for (const char *gpu : Gpus)
      for (const ShaderRef &shader : shaders.shaders) {
        if (!shader)
          continue;
        llvm::LLVMContext llvmContext;
        std::unique_ptr<lgc::BuilderContext> context = DOVETAIL_TRY(lgc::BuilderContext::create(llvmContext, gpu));
        DOVETAIL_CHECK(addSeeds(seeds, sourceOf(shaders, shader->description.stage, gpu), *context));
      }
  return seeds;
}

Result<std::vector<Seed>> makePipelineSeeds(const std::vector<std::string> &modules) {
  std::vector<Seed> seeds;
  for (const auto &[name, shaders] : DOVETAIL_TRY(fuzz::readPrograms(modules)))
    for (const char *gpu : Gpus) {
      const PipelineState state = defaultState(shaders);
      std::string text = DOVETAIL_TRY(writeIrPipeline(shaders, state, gpu, lgc::IrFormat::Text));
      std::string bitcode = DOVETAIL_TRY(writeIrPipeline(shaders, state, gpu, lgc::IrFormat::Bitcode));
      seeds.push_back({name, gpu, true, {}, std::move(text), std::move(bitcode)});
    }
  return seeds;
}

struct Seeds {
  std::vector<Seed> shaders, pipelines;
};

struct Mutant {
  const Seed *seed;
  std::string bytes;
  std::vector<std::string> passes;
};

Mutant makeMutant(const Seeds &all, uint64_t seed, uint64_t index) {
  std::mt19937_64 random(seed * 0x9e3779b97f4a7c15ull + index);
  const std::vector<Seed> &seeds = random() % 6 == 0 ? all.pipelines : all.shaders;
  const Seed &from = seeds[random() % seeds.size()], &other = seeds[random() % seeds.size()];
  Mutant mutant = {&from, {}, from.passesLeft};
  switch (random() % 12) {
  case 0:
    mutant.bytes = fuzz::mutateBitcode(from.bitcode, random);
    break;
  case 1:
  case 2:
  case 3:
    mutant.bytes = fuzz::mutateIrText(from.text, other.text, random);
    break;
  default: {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> module =
        llvm::cantFail(llvm::parseBitcodeFile(llvm::MemoryBufferRef(from.bitcode, "seed"), context));
    fuzz::mutateModule(*module, random);
    mutant.bytes = random() % 2 ? textOf(*module) : lgc::writeIr(*module, lgc::IrFormat::Bitcode);
  }
  }
  if (!from.isPipeline && random() % 4 == 0) { // other passes than those that are left
    const std::vector<std::string_view> names = lgc::passNames();
    mutant.passes.clear();
    for (uint64_t count = random() % 4; count > 0; --count)
      mutant.passes.emplace_back(names[random() % names.size()]);
  }
  return mutant;
}

// Runs the passes, and writes an object file.
Result<void> compile(const Mutant &mutant, const std::string &bitcode, Progress &progress) {
  llvm::LLVMContext llvmContext;
  std::unique_ptr<lgc::BuilderContext> context =
      DOVETAIL_TRY(lgc::BuilderContext::create(llvmContext, mutant.seed->gpu));
  auto modules = DOVETAIL_TRY(lgc::readIr(*context, bitcode, "mutant"));
  for (std::unique_ptr<llvm::Module> &module : modules) {
    for (const std::string &pass : mutant.passes) {
      progress.phase = Phase::Passes;
      pass.copy(progress.pass, sizeof(progress.pass) - 1);
      progress.pass[std::min(pass.size(), sizeof(progress.pass) - 1)] = 0;
      DOVETAIL_CHECK(lgc::runPasses(*context, *module, pass, {.verifyEach = true}));
    }
    if (mutant.passes != mutant.seed->passesLeft)
      continue; // the module is not in hardware form
    auto emit = [&]() -> Result<std::vector<std::string>> {
      DOVETAIL_CHECK(context->codeGenerator().emit(*module, 2));
      return std::vector<std::string>();
    };
    DOVETAIL_CHECK(lgc_tool::doInChild("mutant", emit));
  }
  return {};
}

// Compiles the pipeline shader by shader, and in each way. LLVM's code generation runs in a child.
Result<void> compilePipeline(const Mutant &mutant, const std::string &bitcode, Progress &progress) {
  const std::string &gpu = mutant.seed->gpu;
  progress.phase = Phase::Passes;
  std::strcpy(progress.pass, "a pipeline module");
  const IrPipeline pipeline = DOVETAIL_TRY(readIrPipeline("mutant", bitcode, gpu));
  for (const ShaderRef &shader : pipeline.shaders.shaders) {
    if (!shader)
      continue;
    llvm::LLVMContext llvmContext;
    std::unique_ptr<lgc::BuilderContext> context = DOVETAIL_TRY(lgc::BuilderContext::create(llvmContext, gpu));
    const ShaderSource source = sourceOf(pipeline.shaders, shader->description.stage, gpu);
    DOVETAIL_CHECK(lowerShader(source.key, source.words, *context));
  }
  auto build = [&]() -> Result<std::vector<std::string>> {
    std::unique_ptr<PartMaker> maker = DOVETAIL_TRY(PartMaker::create(gpu));
    DOVETAIL_CHECK(compileWholePipeline(*maker, pipeline.shaders, pipeline.state));
    ElfLinker linker(*maker, pipeline.state, pipeline.shaders.layout);
    UnlinkedOptions options;
    options.layout = pipeline.shaders.layout;
    for (size_t index = lgc::ShaderStageCount; index-- > 0;)
      if (const ShaderRef &shader = pipeline.shaders.shaders[index]) {
        const std::vector<uint8_t> file = DOVETAIL_TRY(compileUnlinkedShader(*maker, shader, options));
        DOVETAIL_CHECK(linker.addInputElf(file));
        options.next = lgc::ShaderStage(index);
      }
    DOVETAIL_CHECK(linker.link());
    return std::vector<std::string>();
  };
  DOVETAIL_CHECK(lgc_tool::doInChild("mutant", build));
  return {};
}

void use(uint64_t index, const Seeds &seeds, const Options &options, Progress &progress) {
  const Mutant mutant = makeMutant(seeds, options.seed, index);
  ++progress.mutants;
  progress.phase = Phase::Read;
  auto note = [&](const Error &error) {
    if (options.isVerbose)
      fmt::print("mutant {} of {}: {}\n", index, mutant.seed->name, error.text);
    if (error.text.empty() || error.code == ErrorCode::Internal) {
      ++progress.defects;
      fmt::print(stderr, "mutant {}: {}: '{}'\n", index, toString(error.code), error.text);
    }
  };
  auto read = [&]() -> Result<std::vector<std::string>> {
    llvm::LLVMContext llvmContext;
    auto context = DOVETAIL_TRY(lgc::BuilderContext::create(llvmContext, mutant.seed->gpu));
    std::vector<std::string> bitcodes;
    for (const std::unique_ptr<llvm::Module> &module : DOVETAIL_TRY(lgc::readIr(*context, mutant.bytes, "mutant")))
      bitcodes.push_back(lgc::writeIr(*module, lgc::IrFormat::Bitcode));
    return bitcodes;
  };
  const Result<std::vector<std::string>> bitcodes = lgc_tool::doInChild("mutant", read);
  if (!bitcodes) {
    ++progress.unreadable;
    progress.readerGaveUp += bitcodes.error().text == GaveUp;
    note(bitcodes.error());
  } else {
    for (const std::string &bitcode : *bitcodes) {
      const Result<void> compiled =
          mutant.seed->isPipeline ? compilePipeline(mutant, bitcode, progress) : compile(mutant, bitcode, progress);
      ++(compiled ? progress.compiled : progress.refused);
      progress.pipelines += compiled && mutant.seed->isPipeline;
      if (!compiled) {
        progress.codeGenerationGaveUp += compiled.error().text == GaveUp;
        note(compiled.error());
      }
    }
  }
  progress.phase = Phase::None;
}

// A child that crashed has left its phase in `progress`.
void nameCrash(Progress &progress) {
  if (progress.phase != Phase::None)
    fmt::print(stderr, "  in {}\n", progress.phase == Phase::Read ? "reading" : progress.pass);
  progress.phase = Phase::None;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Compiles mutated IR from behind each step of the middle-end");
  app.add_option("--count", options.count, "Number of mutants");
  app.add_option("--first", options.first, "Number of the first mutant");
  app.add_option("--seed", options.seed, "Seed of the random numbers");
  app.add_option("--write", options.writeTo, "Write the first mutant to a file, print the passes for it, and stop");
  app.add_flag("--verbose", options.isVerbose, "Print the Error of each mutant that is refused");
  app.add_option("modules", options.modules, "SPIR-V modules of programs")->required();
  CLI11_PARSE(app, argc, argv);

  lgc::BuilderContext::initialize();
  auto makeAll = [&]() -> Result<Seeds> {
    Seeds all;
    all.shaders = DOVETAIL_TRY(makeSeeds(options.modules));
    all.pipelines = DOVETAIL_TRY(makePipelineSeeds(options.modules));
    return all;
  };
  const Result<Seeds> seeds = makeAll();
  if (!seeds) {
    fmt::print(stderr, "{}\n", seeds.error().text);
    return 1;
  }
  if (!options.writeTo.empty()) {
    const Mutant mutant = makeMutant(*seeds, options.seed, options.first);
    std::ofstream(options.writeTo, std::ios::binary) << mutant.bytes;
    fmt::print("lgc -mcpu={} -passes={} {}\n", mutant.seed->gpu, fmt::join(mutant.passes, ","), options.writeTo);
    return 0;
  }

  auto *progress = fuzz::makeShared<Progress>();
  if (!progress)
    return 1;
  const auto [crashes, hangs] = fuzz::runMutants(options.first, options.count, SecondsPerMutant, [&]() -> fuzz::Work {
    nameCrash(*progress);
    return [&](uint64_t mutant) { use(mutant, *seeds, options, *progress); };
  });
  nameCrash(*progress);
  fmt::print("{} mutants of {} modules: {} not read (LLVM's reader gave up on {}), {} refused later (its code "
             "generation gave up on {}), {} compiled, {} of them pipelines; {} crashes, {} hangs, {} other defects\n",
             progress->mutants, seeds->shaders.size() + seeds->pipelines.size(), progress->unreadable,
             progress->readerGaveUp, progress->refused, progress->codeGenerationGaveUp, progress->compiled,
             progress->pipelines, crashes, hangs, progress->defects);
  const bool failed = crashes || hangs || progress->defects || progress->compiled == 0 ||
                      (progress->pipelines == 0 && options.count >= 100);
  fmt::print("{} passed, {} failed\n", failed ? 0 : 1, failed ? 1 : 0);
  return failed ? 1 : 0;
}
