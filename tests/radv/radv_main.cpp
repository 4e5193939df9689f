// SPDX-License-Identifier: MIT
//
// radv-in-emulator: the emulator tested against machine code that this project did not write. RADV compiles the shaders
// of a folder for a Vega 10 or a Polaris 10, with ACO and with LLVM; its code and its registers, taken from its memory,
// are run in the emulator and must draw what lavapipe draws of the same scene. What lavapipe cannot run is compared
// with what this project's own code gives. One line for each shader.
#include "tests/radv/fine_derivatives.h"
#include "tests/radv/known_differences.h"
#include "tests/radv/radv_emulate.h"
#include "tests/radv/radv_process.h"
#include "tools/corpus/corpus_units.h"
#include "tools/dovetail/draw_case.h"
#include "tools/inputs/lone_vertex.h"
#include "tools/inputs/read_shaders.h"
#include "tools/reference/reference.h"
#include "tools/scene/compare.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace dovetail {

namespace {

constexpr const char *Driver = "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json";
constexpr uint64_t Variations = 4; // with rounding noise
constexpr int Skipped = 77;        // meson's exit status

// A GPU as RADV calls it, and what it is to LLVM.
struct RadvGpu {
  std::string_view family, gpu;
};
constexpr RadvGpu Gpus[] = {{"vega10", "gfx900"}, {"polaris10", "gfx803"}};

struct Options {
  DrawRequest request;
  RadvGpu gpu = Gpus[0];
  bool verbose = false;
  std::string dumpFolder; // "": none
  unsigned leastMatches = 0;
};

enum class Outcome { Match, LikeOurs, KnownDifference, NotRun, Failed };

// Units by the stages that they have; transform feedback comes in all of them.
enum class Stages : uint8_t { VertexFragment, Tessellation, Geometry, TessellationGeometry, Compute };
constexpr const char *StageNames[] = {"vertex and fragment", "tessellation", "geometry", "tessellation and geometry",
                                      "compute"};

using Outcomes = std::map<Outcome, unsigned>;

// What all tests together have seen.
struct Tally {
  std::map<Stages, Outcomes> byStages;
  Outcomes withXfb;              // among the former
  unsigned missed = 0;           // back ends with too few matches
  std::set<std::string> opcodes; // of programs that have run; the emulator knows each instruction of those
};

struct Verdict {
  Outcome outcome = Outcome::Failed;
  std::string text;
  std::string details; // lines about channels
};

const char *nameOf(RadvBackend backend) {
  return backend == RadvBackend::Aco ? "ACO" : "LLVM";
}

std::string fileName(const CorpusUnit &unit) {
  return std::filesystem::path(unit.name).filename().string();
}

// Everything that RADV tells of the programs, as files.
void dump(const std::string &head, const RadvPipeline &pipeline) {
  for (const RadvProgram &program : pipeline.programs)
    for (const auto &[name, text] : program.texts)
      std::ofstream(fmt::format("{}.{}.{}", head, toString(program.stage), name.substr(0, name.find(' ')))) << text;
}

// Components that the shader does not write have no value that could be compared.
void maskUnwritten(const spirv::Reflection *fragment, PipelineState &state) {
  if (fragment)
    for (const spirv::InterfaceLocation &output : fragment->fragmentOutputs)
      if (output.location < MaxColorTargets)
        state.colorTargets[output.location].writeMask &= output.componentMask;
}

class Test {
public:
  Test(const CorpusUnit &unit, RadvBackend backend, const Options &options, Device &device)
      : m_unit(unit), m_backend(backend), m_options(options), m_device(device),
        m_known(findKnownDifference(fileName(unit), backend, options.gpu.family)) {}

  Verdict run() {
    Result<Verdict> verdict = compareAll();
    if (verdict)
      return *verdict;
    if (m_known && m_known->instead == KnownDifference::Instead::NotRun)
      return {Outcome::NotRun, fmt::format("not run: {}", m_known->reason), {}};
    return {Outcome::Failed, fmt::format("fails: {}", verdict.error().text), {}};
  }

  // Without programs if it has not been run.
  const RadvPipeline &pipeline() const { return m_pipeline; }

  Stages stages() const {
    const ShaderSet &shaders = m_case.shaders;
    const bool hasTessellation = shaders.reflection(lgc::ShaderStage::TessEval) != nullptr;
    if (shaders.reflection(lgc::ShaderStage::Compute))
      return Stages::Compute;
    if (shaders.reflection(lgc::ShaderStage::Geometry))
      return hasTessellation ? Stages::TessellationGeometry : Stages::Geometry;
    return hasTessellation ? Stages::Tessellation : Stages::VertexFragment;
  }
  bool hasXfb() const { return !m_case.scene.transformFeedbackBuffers.empty(); }

private:
  Result<Verdict> compareAll() {
    std::vector<ShaderRef> shaders = DOVETAIL_TRY(readShaders(m_unit.files));
    DOVETAIL_CHECK(accompanyLoneVertexShader(shaders));
    for (ShaderRef &shader : shaders)
      shader = DOVETAIL_TRY(withFineDerivatives(shader));
    DrawRequest request = m_options.request;
    // Floats to 32 bits a component with ACO, which is the stricter comparison, and to 8 with LLVM.
    if (m_backend == RadvBackend::Aco)
      request.floatColorFormat = VK_FORMAT_R32G32B32A32_SFLOAT;
    m_case = DOVETAIL_TRY(makeDrawCase(std::move(shaders), request));
    maskUnwritten(m_case.shaders.reflection(lgc::ShaderStage::Fragment), m_case.scene.state);
    RadvPipeline pipeline =
        DOVETAIL_TRY(compileWithRadv(m_backend, std::string(m_options.gpu.family), m_case.shaders, m_case.scene.state));
    if (!m_options.dumpFolder.empty())
      dump(fmt::format("{}/{}.{}", m_options.dumpFolder, fileName(m_unit), nameOf(m_backend)), pipeline);
    m_drawing = DOVETAIL_TRY(drawWithRadv(pipeline, m_chip, m_case.scene, m_case.shaders));
    m_pipeline = std::move(pipeline);

    Result<SceneResult> reference = drawReference(m_case.scene);
    if (!reference && m_known && m_known->instead == KnownDifference::Instead::RunsOnly)
      return Verdict{Outcome::KnownDifference, fmt::format("runs, {} ({})", figures(), m_known->reason), {}};
    if (!reference) // it cannot, or it has crashed
      return compareWithOurs(fmt::format("({})", reference.error().text));
    Comparison comparison = DOVETAIL_TRY(compareWith(*reference));
    if (comparison.matches)
      return Verdict{Outcome::Match, fmt::format("matches, {}", figures()), comparison.text};
    for (const ChannelDifference &channel : comparison.channels)
      if (!channel.isWithin && (!m_known || !mayDiffer(*m_known, channel.what)))
        return Verdict{Outcome::Failed, "differs from lavapipe", comparison.text};
    std::string reason = fmt::format("(not like lavapipe: {})", m_known->reason);
    return Verdict{Outcome::KnownDifference, fmt::format("runs, {} {}", figures(), reason), comparison.text};
  }

  Result<Verdict> compareWithOurs(const std::string &reason) {
    Drawing ours = DOVETAIL_TRY(drawInEmulator(m_device, m_case, DrawnCode::Joined));
    Comparison comparison = DOVETAIL_TRY(compareWith(ours.result));
    if (comparison.matches)
      return Verdict{Outcome::LikeOurs, fmt::format("like our own code, {} {}", figures(), reason), comparison.text};
    return Verdict{Outcome::Failed, fmt::format("differs from our own code {}", reason), comparison.text};
  }

  // A shader that is discontinuous may be right although it is apart: see what noise does to it.
  Result<Comparison> compareWith(const SceneResult &reference) {
    Comparison comparison = compare(m_case.scene, m_drawing.result, reference);
    if (comparison.matches)
      return comparison;
    std::vector<SceneResult> variations;
    for (uint64_t seed = 1; seed <= Variations; ++seed) {
      RadvDrawing drawing = DOVETAIL_TRY(drawWithRadv(m_pipeline, m_chip, m_case.scene, m_case.shaders, seed));
      variations.push_back(std::move(drawing.result));
    }
    return compare(m_case.scene, m_drawing.result, reference, {}, variations);
  }

  std::string figures() const {
    size_t size = 0;
    for (const RadvProgram &program : m_pipeline.programs)
      size += program.listing.instructions;
    return fmt::format("{} instructions, {} run", size, m_drawing.instructions);
  }

  const CorpusUnit &m_unit;
  RadvBackend m_backend;
  const Options &m_options;
  Device &m_device;
  const KnownDifference *m_known;
  emulator::Chip m_chip = emulator::chipOf(m_options.gpu.gpu);
  DrawCase m_case;
  RadvPipeline m_pipeline;
  RadvDrawing m_drawing;
};

// One back end's way through all units.
void testAll(const std::vector<CorpusUnit> &units, RadvBackend backend, Options &options, Device &device,
             Tally &tally) {
  unsigned matches = 0;
  for (const CorpusUnit &unit : units) {
    options.request.files = unit.files;
    Test test(unit, backend, options, device);
    Verdict verdict = test.run();
    std::printf("%s (%s): %s\n", fileName(unit).c_str(), nameOf(backend), verdict.text.c_str());
    if (options.verbose || verdict.outcome == Outcome::Failed)
      std::printf("%s", verdict.details.c_str());
    std::fflush(stdout);
    ++tally.byStages[test.stages()][verdict.outcome];
    if (test.hasXfb())
      ++tally.withXfb[verdict.outcome];
    for (const RadvProgram &program : test.pipeline().programs)
      tally.opcodes.insert(program.listing.mnemonics.begin(), program.listing.mnemonics.end());
    matches += verdict.outcome == Outcome::Match;
  }
  if (matches < options.leastMatches) {
    std::printf("only %u units of %s match lavapipe, %u are wanted\n", matches, nameOf(backend), options.leastMatches);
    ++tally.missed;
  }
}

void add(const Outcomes &outcomes, Outcomes &sum) {
  for (auto [outcome, count] : outcomes)
    sum[outcome] += count;
}

void print(const std::string &what, const Outcomes &outcomes) {
  auto of = [&](Outcome outcome) {
    auto found = outcomes.find(outcome);
    return found == outcomes.end() ? 0u : found->second;
  };
  unsigned all = 0;
  for (auto [outcome, count] : outcomes)
    all += count;
  fmt::print("{}: {} of {} ({:.1f} %) like lavapipe, {} like our own code, {} known to differ, {} not run, {} failed\n",
             what, of(Outcome::Match), all, all == 0 ? 0.0 : 100.0 * of(Outcome::Match) / all, of(Outcome::LikeOurs),
             of(Outcome::KnownDifference), of(Outcome::NotRun), of(Outcome::Failed));
}

// Returns the exit status. The last line is about all units of graphics.
int report(Tally &tally, const Options &options) {
  std::printf("%zu different opcodes\n", tally.opcodes.size());
  Outcomes graphics, all;
  for (const auto &[stages, outcomes] : tally.byStages) {
    print(StageNames[size_t(stages)], outcomes);
    add(outcomes, all);
    if (stages != Stages::Compute)
      add(outcomes, graphics);
  }
  print("with transform feedback", tally.withXfb);
  const unsigned failed = all[Outcome::Failed] + tally.missed;
  std::printf("%u passed, %u failed\n", all[Outcome::Match] + all[Outcome::LikeOurs] + all[Outcome::KnownDifference],
              failed);
  print(fmt::format("all graphics stages on {}", options.gpu.family), graphics);
  return failed != 0 ? 1 : 0;
}

} // namespace

} // namespace dovetail

int main(int argc, char **argv) {
  using namespace dovetail;
  CLI::App app{"Runs RADV's machine code in the emulator and compares its pictures with lavapipe's"};
  std::vector<std::string> paths;
  std::string backend, family = "vega10";
  size_t limit = 0;
  Options options;
  options.request.width = options.request.height = 32;
  app.add_option("PATH", paths, "Shader files and folders")->required();
  app.add_option("--gpu", family, "vega10 or polaris10")->check(CLI::IsMember({"vega10", "polaris10"}));
  app.add_option("--backend", backend, "aco or llvm; both if it is not given")->check(CLI::IsMember({"aco", "llvm"}));
  app.add_option("--seed", options.request.seed, "Chooses the scenes' data");
  app.add_option("--limit", limit, "Units to take, chosen by the seed");
  app.add_option("--least-matches", options.leastMatches, "Fails if a back end has fewer shaders that match lavapipe");
  app.add_flag("--verbose", options.verbose, "Differences of shaders that match, too");
  app.add_option("--dump", options.dumpFolder, "A folder for all that RADV tells of its programs");
  app.add_flag("--random-state", options.request.randomState, "States chosen by the seed");
  CLI11_PARSE(app, argc, argv);
  if (!std::filesystem::exists(Driver)) {
    std::printf("SKIPPED: %s is not there (package mesa-vulkan-drivers): nothing was tested\n", Driver);
    std::printf("0 passed, 0 failed\n");
    return Skipped;
  }
  Result<std::vector<CorpusUnit>> units = findCorpusUnits(paths);
  options.gpu = *std::ranges::find(Gpus, family, &RadvGpu::family);
  Result<std::unique_ptr<Device>> device = Device::create(std::string(options.gpu.gpu));
  if (!units || !device) {
    std::fprintf(stderr, "%s\n", (units ? device.error() : units.error()).text.c_str());
    return 1;
  }
  if (limit) {
    shuffleUnits(*units, options.request.seed);
    units->resize(std::min(units->size(), limit));
  }

  Tally tally;
  for (RadvBackend each : {RadvBackend::Aco, RadvBackend::Llvm})
    if (backend.empty() || backend == (each == RadvBackend::Aco ? "aco" : "llvm"))
      testAll(*units, each, options, **device, tally);
  return report(tally, options);
}
