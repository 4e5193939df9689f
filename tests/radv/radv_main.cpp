// SPDX-License-Identifier: MIT
//
// radv-in-emulator: tests the emulator with machine code that this project did not write. RADV compiles the shaders of
// a folder for a Vega 10 or a Polaris 10, with ACO and with LLVM. Its code and its registers, taken from its memory,
// run in the emulator and must draw the same as lavapipe does of the same scene. If lavapipe cannot run a scene, the
// result is compared with that of this project's own code. Prints one line for each shader.
#include "tests/radv/known_differences.h"
#include "tests/radv/radv_process.h"
#include "tests/radv/tested_units.h"
#include "tools/common/inputs/later_stages.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/common/pipelines/corpus_units.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/proof/radv-reference/draw_with_radv.h"
#include "tools/proof/radv-reference/fine_derivatives.h"
#include "tools/proof/reference/reference.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/texel.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace dovetail {

namespace {

constexpr uint64_t Variations = 4; // with rounding noise

// A GPU with RADV's name and LLVM's.
struct RadvGpu {
  std::string_view family, gpu;
};
constexpr RadvGpu Gpus[] = {{"vega10", "gfx900"}, {"polaris10", "gfx803"}};

struct Options {
  DrawRequest request;
  bool verbose = false;
  std::string dumpFolder; // "": none
  unsigned leastMatches = 0;
};

enum class Outcome { Match, LikeOurs, KnownDifference, NotRun, Failed };

// Units by the stages that they have. Each kind may have transform feedback.
enum class Stages : uint8_t { VertexFragment, Tessellation, Geometry, TessellationGeometry, Compute };
constexpr const char *StageNames[] = {"vertex and fragment", "tessellation", "geometry", "tessellation and geometry",
                                      "compute"};

using Outcomes = std::map<Outcome, unsigned>;

// The results of all tests together.
struct Tally {
  std::map<Stages, Outcomes> byStages;
  Outcomes withXfb;              // those of `byStages` with transform feedback
  unsigned matches = 0;          // of the back end that is being tested
  unsigned missed = 0;           // units without a scene, back ends with too few matches
  std::set<std::string> opcodes; // of programs that have run; the emulator knows every one of them
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

// Writes everything that RADV tells about the programs to files.
void dump(const std::string &head, const RadvPipeline &pipeline) {
  for (const RadvProgram &program : pipeline.programs)
    for (const auto &[name, text] : program.texts)
      std::ofstream(fmt::format("{}.{}.{}", head, toString(program.stage), name.substr(0, name.find(' ')))) << text;
}

// Components that the shader does not write have no value to compare.
void maskUnwritten(const spirv::Reflection *fragment, PipelineState &state) {
  if (fragment)
    for (const spirv::InterfaceLocation &output : fragment->fragmentOutputs)
      if (output.location < MaxColorTargets)
        state.colorTargets[output.location].writeMask &= output.componentMask;
}

// Leaves one level and one filter, so that the sampled level makes no difference.
void dropLevels(Scene &scene) {
  for (SceneImage &image : scene.images)
    if (const Result<TexelLayout> layout = texelLayout(image.format)) {
      image.mipLevels = 1;
      image.bytes.resize(size_t(layout->bytes) * image.width * image.height * image.depth * image.layers);
    }
  for (SceneSampler &sampler : scene.samplers)
    sampler.minFilter = sampler.magFilter;
}

// The scene that all GPUs draw.
class UnitScene {
public:
  static Result<UnitScene> make(const CorpusUnit &unit, RadvBackend backend, const Options &options) {
    std::vector<ShaderRef> shaders = DOVETAIL_TRY(readShaders(unit.files));
    DOVETAIL_CHECK(addLaterStages(shaders));
    for (ShaderRef &shader : shaders)
      shader = DOVETAIL_TRY(withFineDerivatives(shader));
    DrawRequest request = options.request;
    request.files = unit.files;
    // ACO's floats go to targets of 32 bits a component, which is the stricter comparison, LLVM's to 8 bits.
    if (backend == RadvBackend::Aco)
      request.floatColorFormat = VK_FORMAT_R32G32B32A32_SFLOAT;
    UnitScene scene;
    scene.m_case = DOVETAIL_TRY(makeDrawCase(std::move(shaders), request));
    maskUnwritten(scene.m_case.shaders.reflection(lgc::ShaderStage::Fragment), scene.m_case.scene.state);
    const KnownDifference *known = findKnownDifference(fileName(unit), backend, {});
    if (known && known->instead == KnownDifference::Instead::OneLevel)
      dropLevels(scene.m_case.scene);
    return scene;
  }

  const DrawCase &drawCase() const { return m_case; }

  // Lavapipe's picture, drawn at the first call.
  const Result<SceneResult> &reference() {
    if (!m_reference)
      m_reference = drawReference(m_case.scene);
    return *m_reference;
  }

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
  DrawCase m_case;
  std::optional<Result<SceneResult>> m_reference;
};

// One unit on one GPU.
class Test {
public:
  Test(std::string name, UnitScene &scene, RadvBackend backend, const RadvGpu &gpu, const Options &options)
      : m_name(std::move(name)), m_scene(scene), m_backend(backend), m_gpu(gpu), m_options(options),
        m_known(findKnownDifference(m_name, backend, gpu.family)) {}

  Verdict run() {
    Result<Verdict> verdict = compareAll();
    if (verdict)
      return *verdict;
    if (m_known && m_known->instead == KnownDifference::Instead::NotRun)
      return {Outcome::NotRun, fmt::format("not run: {}", m_known->reason), {}};
    return {Outcome::Failed, fmt::format("fails: {}", verdict.error().text), {}};
  }

  // Has no programs if the unit has not been run.
  const RadvPipeline &pipeline() const { return m_pipeline; }

private:
  Result<Verdict> compareAll() {
    const DrawCase &drawn = m_scene.drawCase();
    RadvPipeline pipeline =
        DOVETAIL_TRY(compileWithRadv(m_backend, std::string(m_gpu.family), drawn.shaders, drawn.scene.state));
    if (!m_options.dumpFolder.empty())
      dump(fmt::format("{}/{}.{}.{}", m_options.dumpFolder, m_name, m_gpu.family, nameOf(m_backend)), pipeline);
    m_drawing = DOVETAIL_TRY(drawWithRadv(pipeline, m_chip, drawn.scene, drawn.shaders));
    m_pipeline = std::move(pipeline);

    const Result<SceneResult> &reference = m_scene.reference();
    if (!reference && m_known && m_known->instead == KnownDifference::Instead::RunsOnly)
      return Verdict{Outcome::KnownDifference, fmt::format("runs, {} ({})", figures(), m_known->reason), {}};
    if (!reference) // lavapipe cannot draw it, or has crashed
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
    std::unique_ptr<Device> device = DOVETAIL_TRY(Device::create(std::string(m_gpu.gpu)));
    Drawing ours = DOVETAIL_TRY(drawInEmulator(*device, m_scene.drawCase(), DrawnCode::Joined));
    Comparison comparison = DOVETAIL_TRY(compareWith(ours.result));
    if (comparison.matches)
      return Verdict{Outcome::LikeOurs, fmt::format("like our own code, {} {}", figures(), reason), comparison.text};
    return Verdict{Outcome::Failed, fmt::format("differs from our own code {}", reason), comparison.text};
  }

  // A discontinuous shader may be right although its picture differs. So this tests whether rounding noise makes the
  // same difference.
  Result<Comparison> compareWith(const SceneResult &reference) {
    const DrawCase &drawn = m_scene.drawCase();
    Comparison comparison = compare(drawn.scene, m_drawing.result, reference);
    if (comparison.matches)
      return comparison;
    std::vector<SceneResult> variations;
    for (uint64_t seed = 1; seed <= Variations; ++seed) {
      RadvDrawing drawing =
          DOVETAIL_TRY(drawWithRadv(m_pipeline, m_chip, drawn.scene, drawn.shaders, {.roundingNoise = seed}));
      variations.push_back(std::move(drawing.result));
    }
    return compare(drawn.scene, m_drawing.result, reference, {}, {.noise = variations});
  }

  std::string figures() const {
    size_t size = 0;
    for (const RadvProgram &program : m_pipeline.programs)
      size += program.listing.instructions;
    return fmt::format("{} instructions, {} run", size, m_drawing.instructions);
  }

  std::string m_name; // of the unit
  UnitScene &m_scene;
  RadvBackend m_backend;
  const RadvGpu &m_gpu;
  const Options &m_options;
  const KnownDifference *m_known;
  emulator::Chip m_chip = emulator::chipOf(m_gpu.gpu);
  RadvPipeline m_pipeline;
  RadvDrawing m_drawing;
};

using Gpu = const RadvGpu *;
using Tallies = std::map<Gpu, Tally>;

void test(const CorpusUnit &unit, RadvBackend backend, const Options &options, Tallies &tallies) {
  Result<UnitScene> scene = UnitScene::make(unit, backend, options);
  for (auto &[gpu, tally] : tallies) {
    const std::string what = fmt::format("{} ({}, {})", fileName(unit), gpu->family, nameOf(backend));
    if (!scene) {
      fmt::print("{}: fails: {}\n", what, scene.error().text);
      ++tally.missed;
      continue;
    }
    Test test(fileName(unit), *scene, backend, *gpu, options);
    Verdict verdict = test.run();
    fmt::print("{}: {}\n", what, verdict.text);
    if (options.verbose || verdict.outcome == Outcome::Failed)
      fmt::print("{}", verdict.details);
    std::fflush(stdout);
    ++tally.byStages[scene->stages()][verdict.outcome];
    if (scene->hasXfb())
      ++tally.withXfb[verdict.outcome];
    for (const RadvProgram &program : test.pipeline().programs)
      tally.opcodes.insert(program.listing.mnemonics.begin(), program.listing.mnemonics.end());
    tally.matches += verdict.outcome == Outcome::Match;
  }
}

// Tests all units with one back end.
void testAll(const std::vector<CorpusUnit> &units, RadvBackend backend, const Options &options, Tallies &tallies) {
  for (auto &[gpu, tally] : tallies)
    tally.matches = 0;
  for (const CorpusUnit &unit : units)
    test(unit, backend, options, tallies);
  for (auto &[gpu, tally] : tallies) {
    if (tally.matches >= options.leastMatches)
      continue;
    fmt::print("only {} units of {} match lavapipe on {}, {} are wanted\n", tally.matches, nameOf(backend), gpu->family,
               options.leastMatches);
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

// Returns the exit status. The last lines sum up all graphics units.
int report(const Tallies &tallies) {
  unsigned passed = 0, failed = 0;
  std::map<Gpu, Outcomes> graphics;
  for (const auto &[gpu, tally] : tallies) {
    fmt::print("{}, {} different opcodes\n", gpu->family, tally.opcodes.size());
    Outcomes all;
    for (const auto &[stages, outcomes] : tally.byStages) {
      print(fmt::format("  {}", StageNames[size_t(stages)]), outcomes);
      add(outcomes, all);
      if (stages != Stages::Compute)
        add(outcomes, graphics[gpu]);
    }
    print("  with transform feedback", tally.withXfb);
    passed += all[Outcome::Match] + all[Outcome::LikeOurs] + all[Outcome::KnownDifference];
    failed += all[Outcome::Failed] + tally.missed;
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  for (const auto &[gpu, outcomes] : graphics)
    print(fmt::format("graphics stages on {}", gpu->family), outcomes);
  return failed != 0 ? 1 : 0;
}

} // namespace

} // namespace dovetail

int main(int argc, char **argv) {
  using namespace dovetail;
  CLI::App app{"Runs RADV's machine code in the emulator and compares its pictures with lavapipe's"};
  std::vector<std::string> paths;
  std::string backend, family;
  size_t limit = 0;
  Options options;
  options.request.width = options.request.height = 32;
  app.add_option("PATH", paths, "Shader files and folders")->required();
  app.add_option("--gpu", family, "vega10 or polaris10; both if it is not given")
      ->check(CLI::IsMember({"vega10", "polaris10"}));
  app.add_option("--backend", backend, "aco or llvm; both if it is not given")->check(CLI::IsMember({"aco", "llvm"}));
  app.add_option("--seed", options.request.seed, "Chooses the scenes' data");
  app.add_option("--limit", limit, "Units to take, chosen by the seed");
  app.add_option("--least-matches", options.leastMatches, "Fails if fewer units of a GPU and back end match lavapipe");
  app.add_flag("--verbose", options.verbose, "Differences of shaders that match, too");
  app.add_option("--dump", options.dumpFolder, "A folder for all that RADV tells of its programs");
  app.add_flag("--random-state", options.request.randomState, "States chosen by the seed");
  CLI11_PARSE(app, argc, argv);
  if (!isRadvThere())
    return SkippedStatus;
  Result<std::vector<CorpusUnit>> units = chooseUnits(paths, limit, options.request.seed);
  if (!units) {
    std::fprintf(stderr, "%s\n", units.error().text.c_str());
    return 1;
  }

  Tallies tallies;
  for (const RadvGpu &gpu : Gpus)
    if (family.empty() || family == gpu.family)
      tallies[&gpu];
  for (RadvBackend each : {RadvBackend::Aco, RadvBackend::Llvm})
    if (backend.empty() || backend == (each == RadvBackend::Aco ? "aco" : "llvm"))
      testAll(*units, each, options, tallies);
  return report(tallies);
}
