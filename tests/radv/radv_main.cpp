// SPDX-License-Identifier: MIT
//
// radv-in-emulator: the emulator tested against machine code that this project did not write. RADV compiles the shaders
// of a folder for a Vega 10, with ACO and with LLVM; its code, taken from its disassembly, is run in the emulator and
// must draw what lavapipe draws of the same scene. One line for each shader.
#include "tests/radv/radv_emulate.h"
#include "tests/radv/radv_process.h"
#include "tests/reference/reference.h"
#include "tests/scene/compare.h"
#include "tools/corpus_units.h"
#include "tools/draw_case.h"
#include "tools/lone_vertex.h"
#include "tools/read_shaders.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace dovetail {

namespace {

constexpr uint64_t Variations = 4;
constexpr const char *Driver = "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json";

enum class Outcome { Match, Differ, NotRun };

struct Options {
  DrawRequest request;
  bool verbose = false;
  std::string dumpFolder; // "": none
};

const char *nameOf(RadvBackend backend) {
  return backend == RadvBackend::Aco ? "ACO" : "LLVM";
}

std::string fileName(const CorpusUnit &unit) {
  return std::filesystem::path(unit.name).filename().string();
}

// Floats to 32 bits a component with ACO, which is the stricter comparison, and to 8 with LLVM. Components that the
// shader does not write have no value that could be compared.
void chooseTargets(RadvBackend backend, const spirv::Reflection *fragment, PipelineState &state) {
  for (ColorTarget &target : state.colorTargets)
    if (backend == RadvBackend::Aco && target.format == VK_FORMAT_R8G8B8A8_UNORM)
      target.format = VK_FORMAT_R32G32B32A32_SFLOAT;
  if (fragment)
    for (const spirv::InterfaceLocation &output : fragment->fragmentOutputs)
      if (output.location < MaxColorTargets)
        state.colorTargets[output.location].writeMask &= output.componentMask;
}

// Everything that RADV tells of the programs, as files.
void dump(const std::string &head, const std::vector<RadvExecutable> &executables) {
  for (const RadvExecutable &executable : executables)
    for (const auto &[name, text] : executable.texts)
      std::ofstream(fmt::format("{}.{}.{}", head, executable.stages, name.substr(0, name.find(' ')))) << text;
}

Result<Comparison> drawBoth(const CorpusUnit &unit, RadvBackend backend, const Options &options, RadvDrawing &drawing) {
  std::vector<ShaderRef> shaders = DOVETAIL_TRY(readShaders(unit.files));
  DOVETAIL_CHECK(accompanyLoneVertexShader(shaders));
  DrawCase made = DOVETAIL_TRY(makeDrawCase(std::move(shaders), options.request));
  chooseTargets(backend, made.shaders.reflection(lgc::ShaderStage::Fragment), made.scene.state);
  std::vector<RadvExecutable> executables = DOVETAIL_TRY(compileWithRadv(backend, made.shaders, made.scene.state));
  if (!options.dumpFolder.empty())
    dump(fmt::format("{}/{}.{}", options.dumpFolder, fileName(unit), nameOf(backend)), executables);
  drawing = DOVETAIL_TRY(drawWithRadv(executables, backend, made.scene, made.shaders));
  SceneResult reference = DOVETAIL_TRY(drawReference(made.scene));
  Comparison comparison = compare(made.scene, drawing.result, reference);
  if (comparison.matches)
    return comparison;
  // A shader that is discontinuous may be right nonetheless: see what noise does to it.
  std::vector<SceneResult> variations;
  for (uint64_t seed = 1; seed <= Variations; ++seed)
    variations.push_back(DOVETAIL_TRY(drawWithRadv(executables, backend, made.scene, made.shaders, seed)).result);
  return compare(made.scene, drawing.result, reference, {}, variations);
}

Outcome test(const CorpusUnit &unit, RadvBackend backend, const Options &options) {
  RadvDrawing drawing;
  Result<Comparison> comparison = drawBoth(unit, backend, options, drawing);
  std::string head = fmt::format("{} ({})", fileName(unit), nameOf(backend));
  if (!comparison) {
    bool notRun = comparison.error().code == ErrorCode::Unsupported;
    std::printf("%s: %s: %s\n", head.c_str(), notRun ? "not run" : "fails", comparison.error().text.c_str());
    return notRun ? Outcome::NotRun : Outcome::Differ;
  }
  size_t size = 0;
  for (const RadvCode &code : drawing.codes)
    size += code.instructions;
  std::printf("%s: %s, %zu instructions, %llu run\n", head.c_str(), comparison->matches ? "matches" : "differs", size,
              static_cast<unsigned long long>(drawing.instructions));
  if (options.verbose || !comparison->matches)
    std::printf("%s", comparison->text.c_str());
  return comparison->matches ? Outcome::Match : Outcome::Differ;
}

} // namespace

} // namespace dovetail

int main(int argc, char **argv) {
  using namespace dovetail;
  CLI::App app{"Runs RADV's machine code in the emulator and compares its pictures with lavapipe's"};
  std::vector<std::string> paths;
  std::vector<RadvBackend> backends = {RadvBackend::Aco, RadvBackend::Llvm};
  std::string backend;
  size_t limit = 0;
  Options options;
  DrawRequest &request = options.request;
  request.width = request.height = 32;
  app.add_option("PATH", paths, "Shader files and folders")->required();
  app.add_option("--backend", backend, "aco or llvm; both if it is not given")->check(CLI::IsMember({"aco", "llvm"}));
  app.add_option("--seed", request.seed, "Chooses the scenes' data");
  app.add_option("--limit", limit, "Units to take, chosen by the seed");
  app.add_flag("--verbose", options.verbose, "Differences of shaders that match, too");
  app.add_option("--dump", options.dumpFolder, "A folder for all that RADV tells of its programs");
  app.add_flag("--random-state", request.randomState, "States chosen by the seed");
  CLI11_PARSE(app, argc, argv);
  if (!backend.empty())
    backends = {backend == "aco" ? RadvBackend::Aco : RadvBackend::Llvm};
  if (!std::filesystem::exists(Driver)) {
    std::printf("SKIPPED: %s is not there (package mesa-vulkan-drivers): nothing was tested\n", Driver);
    std::printf("0 passed, 0 failed\n");
    return 77;
  }

  Result<std::vector<CorpusUnit>> units = findCorpusUnits(paths);
  if (!units) {
    std::fprintf(stderr, "%s\n", units.error().text.c_str());
    return 1;
  }
  if (limit) {
    shuffleUnits(*units, request.seed);
    units->resize(std::min(units->size(), limit));
  }
  unsigned passed = 0, failed = 0, notRun = 0;
  for (const CorpusUnit &unit : *units)
    for (RadvBackend each : backends) {
      request.files = unit.files;
      Outcome outcome = test(unit, each, options);
      passed += outcome == Outcome::Match;
      failed += outcome == Outcome::Differ;
      notRun += outcome == Outcome::NotRun;
      std::fflush(stdout);
    }
  std::printf("%u not run\n%u passed, %u failed\n", notRun, passed, failed);
  return failed ? 1 : 0;
}
