// SPDX-License-Identifier: MIT
//
// Feeds mutated SPIR-V modules to the whole compiler: reader, validator, translator and, for those that translate, LGC
// down to machine code. Whatever the words say, the outcome must be code or an Error with a text. One of four mutants
// goes through its recorded form.
//
//   mutate_spirv [--count N] [--seed S] [--first I] MODULE.spv... [--opengl MODULE.spv...]
//
// Modules behind --opengl are OpenGL's, the others are Vulkan's.
// Mutant I of seed S is always the same: `--first I --count 1` repeats it, and `--write FILE` keeps it.
#include "src/lgc/builder/direct_builder.h"
#include "src/lgc/builder_context.h"
#include "src/spirv/reflect/reflection.h"
#include "src/spirv/translate/translate.h"
#include "src/spirv/validate/validate.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/run_mutants.h"
#include "variants/user_data_layout.h"
#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

using namespace dovetail;

namespace {

constexpr unsigned SecondsPerMutant = 10;
constexpr unsigned MutantsPerContext = 250; // by then, LLVM's types and constants have piled up

// Shared between the parent and its children.
struct Progress {
  uint64_t mutant = 0; // the mutant that is being worked on
  uint64_t unreadable = 0;
  uint64_t refused = 0;
  uint64_t compiled = 0;
  uint64_t failedLater = 0; // translated, refused by LGC
  uint64_t defects = 0;     // wrong outcomes that do not crash
};

struct Options {
  uint64_t count = 1000;
  uint64_t first = 0;
  uint64_t seed = 1;
  std::string writeTo;
  bool isVerbose = false;
  std::vector<std::string> modules;
  std::vector<std::string> openGlModules;
};

// A module that is mutated, and the API whose rules it follows.
struct Original {
  fuzz::Seed seed;
  spirv::Environment environment;
};

struct Mutant {
  std::vector<uint8_t> bytes;
  spirv::Environment environment;
};

std::vector<uint32_t> readModule(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
  if (!words.empty())
    std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
  return words;
}

// Mutant `index`.
Mutant makeMutant(const std::vector<Original> &originals, uint64_t seed, uint64_t index) {
  std::mt19937_64 random(seed * 0x9e3779b97f4a7c15ull + index);
  const Original &original = originals[random() % originals.size()];
  std::vector<uint32_t> words = original.seed.mutate(random);
  std::vector<uint8_t> bytes(words.size() * sizeof(uint32_t));
  if (!bytes.empty())
    std::memcpy(bytes.data(), words.data(), bytes.size());
  // Files of any length occur.
  if (random() % 50 == 0 && !bytes.empty())
    bytes.resize(bytes.size() - 1 - random() % std::min<size_t>(bytes.size(), 3));
  return {std::move(bytes), original.environment};
}

class Compiler {
public:
  explicit Compiler(bool isVerbose)
      : m_isVerbose(isVerbose), m_builderContexts{lgc::BuilderContext::create(m_context, "gfx900"),
                                                  lgc::BuilderContext::create(m_context, "gfx803")} {}

  void compile(const Mutant &mutant, Progress &progress);

private:
  // Compiles what is translated; `direct`: the Builder that it was translated with, or nullptr for a recorded form.
  static Result<lgc::CompiledShader> generate(std::unique_ptr<llvm::Module> module,
                                              std::unique_ptr<lgc::DirectBuilder> direct, lgc::Pipeline &pipeline,
                                              lgc::BuilderContext &context);
  void compileEntryPoint(const std::vector<uint32_t> &words, const spirv::EntryPointInfo &entryPoint,
                         spirv::Environment environment, Progress &progress);
  // Every refusal must name a reason.
  void note(const Error &error, uint64_t &counter, Progress &progress) {
    ++counter;
    if (m_isVerbose)
      fmt::print("mutant {}: {}: {}\n", progress.mutant, toString(error.code), error.text);
    if (error.text.empty() || error.code == ErrorCode::Internal)
      defect(progress, fmt::format("{}: '{}'", toString(error.code), error.text));
  }
  void defect(Progress &progress, const std::string &text) {
    ++progress.defects;
    fmt::print(stderr, "mutant {}: {}\n", progress.mutant, text);
  }

  bool m_isVerbose; // print each Error
  llvm::LLVMContext m_context;
  std::array<Result<std::unique_ptr<lgc::BuilderContext>>, 2>
      m_builderContexts; // a mutant is compiled with one of them
};

void Compiler::compile(const Mutant &mutant, Progress &progress) {
  Result<std::vector<uint32_t>> words = spirv::readWords(mutant.bytes);
  if (!words)
    return note(words.error(), progress.unreadable, progress);
  if (Result<void> valid = spirv::validate(*words, mutant.environment); !valid)
    return note(valid.error(), progress.unreadable, progress);
  Result<std::vector<spirv::EntryPointInfo>> entryPoints = spirv::entryPoints(*words, mutant.environment);
  if (!entryPoints)
    return note(entryPoints.error(), progress.refused, progress);
  for (const spirv::EntryPointInfo &entryPoint : *entryPoints)
    compileEntryPoint(*words, entryPoint, mutant.environment, progress);
}

void Compiler::compileEntryPoint(const std::vector<uint32_t> &words, const spirv::EntryPointInfo &entryPoint,
                                 spirv::Environment environment, Progress &progress) {
  lgc::BuilderContext &context = **m_builderContexts[progress.mutant % m_builderContexts.size()];
  Result<spirv::Reflection> reflection = spirv::reflect(words, entryPoint.name, entryPoint.stage, environment);
  if (!reflection)
    return note(reflection.error(), progress.refused, progress);
  spirv::TranslateOptions options;
  options.entryPoint = entryPoint.name;
  options.stage = entryPoint.stage;
  options.environment = environment;
  std::unique_ptr<lgc::Pipeline> pipeline = context.createPipeline();
  pipeline->setShaderStageMask(lgc::stageBit(entryPoint.stage));
  pipeline->setOptions({});
  std::unique_ptr<lgc::DirectBuilder> direct;
  if (progress.mutant / m_builderContexts.size() % 4 != 0)
    direct = pipeline->beginShader(entryPoint.stage).value();
  Result<std::unique_ptr<llvm::Module>> module =
      direct ? spirv::translate(words, options, context, *direct) : spirv::translate(words, options, context);
  if (!module)
    return note(module.error(), progress.refused, progress);
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(**module, &stream))
    return defect(progress, "translated to broken IR: " + stream.str());
  Result<lgc::CompiledShader> shaderCode = generate(std::move(*module), std::move(direct), *pipeline, context);
  if (!shaderCode)
    return note(shaderCode.error(), progress.failedLater, progress);
  ++progress.compiled;
}

Result<lgc::CompiledShader> Compiler::generate(std::unique_ptr<llvm::Module> module,
                                               std::unique_ptr<lgc::DirectBuilder> direct, lgc::Pipeline &pipeline,
                                               lgc::BuilderContext &context) {
  if (direct)
    return context.generateCode(DOVETAIL_TRY(pipeline.lower(std::move(module), std::move(direct))));
  std::vector<std::unique_ptr<llvm::Module>> modules;
  modules.push_back(std::move(module));
  return pipeline.generate(DOVETAIL_TRY(pipeline.irLink(std::move(modules))));
}

// Makes the function that works on a mutant in a child.
fuzz::Work begin(const std::vector<Original> &originals, const Options &options, Progress &progress) {
  lgc::BuilderContext::initialize();
  auto compiler = std::make_shared<std::unique_ptr<Compiler>>();
  return [&originals, &options, &progress, compiler, done = 0u](uint64_t mutant) mutable {
    if (done++ % MutantsPerContext == 0)
      *compiler = std::make_unique<Compiler>(options.isVerbose);
    progress.mutant = mutant;
    (*compiler)->compile(makeMutant(originals, options.seed, mutant), progress);
  };
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Feeds mutated SPIR-V modules to the compiler");
  app.add_option("--count", options.count, "Number of mutants");
  app.add_option("--first", options.first, "Number of the first mutant");
  app.add_option("--seed", options.seed, "Seed of the random numbers");
  app.add_option("--write", options.writeTo, "Write the first mutant to a file and stop");
  app.add_flag("--verbose", options.isVerbose, "Print the Error of each mutant that is refused");
  app.add_option("modules", options.modules, "SPIR-V modules to mutate");
  app.add_option("--opengl", options.openGlModules, "SPIR-V modules of OpenGL to mutate");
  CLI11_PARSE(app, argc, argv);

  std::vector<Original> originals;
  for (const std::string &path : options.modules)
    originals.push_back({fuzz::Seed(readModule(path)), spirv::Environment::Vulkan});
  for (const std::string &path : options.openGlModules)
    originals.push_back({fuzz::Seed(readModule(path)), spirv::Environment::OpenGl});
  if (originals.empty()) {
    fmt::print(stderr, "no modules to mutate\n");
    return 2;
  }
  if (!options.writeTo.empty()) {
    const std::vector<uint8_t> bytes = makeMutant(originals, options.seed, options.first).bytes;
    std::ofstream(options.writeTo, std::ios::binary)
        .write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return 0;
  }

  auto *progress = fuzz::makeShared<Progress>();
  if (!progress)
    return 1;
  const auto [crashes, hangs] = fuzz::runMutants(options.first, options.count, SecondsPerMutant,
                                                 [&] { return begin(originals, options, *progress); });
  fmt::print("{} mutants of {} modules: {} not readable or not valid, {} refused by the translator, {} refused later, "
             "{} compiled; {} crashes, {} hangs, {} other defects\n",
             options.count, originals.size(), progress->unreadable, progress->refused, progress->failedLater,
             progress->compiled, crashes, hangs, progress->defects);
  bool failed = crashes || hangs || progress->defects;
  fmt::print("{} passed, {} failed\n", failed ? 0 : 1, failed ? 1 : 0);
  return failed ? 1 : 0;
}
