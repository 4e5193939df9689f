// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/ways/own_figures.h"
#include "src/lgc/pipeline.h"
#include "tools/bench/bind_scenery.h"
#include "tools/bench/variant-bench/measure/measure.h"
#include "tools/bench/variant-bench/ways/own_ways.h"
#include "tools/common/inputs/glsl.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "variants/assemble/get_parts.h"
#include "variants/bind/binder.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace dovetail {

namespace {

// Forgets all parts, and keeps the compilers.
void forgetParts(PartMaker &maker) {
  constexpr unsigned MaxSamples = 1000; // parts in use stay
  for (unsigned sample = 0; sample < MaxSamples && !maker.cache().parts().empty(); ++sample)
    maker.cache().evictFromSample(1);
}

using MakePart = std::function<Result<MadePart>(const ShaderInterface &, const PipelineState &)>;

// Times `make` for a main part under each of the states; leaves out parts that were there already.
Result<std::vector<double>> timeParts(PartMaker &maker, const ShaderSet &set, lgc::ShaderStage stage,
                                      const std::vector<PipelineState> &states, const MakePart &make) {
  const MadePart main = DOVETAIL_TRY(maker.getMainPart(sourceOf(set, stage, maker.gpuName())));
  std::vector<double> times;
  for (const PipelineState &state : states) {
    const double start = wallMicroseconds();
    MadePart made = DOVETAIL_TRY(make(*main.part->interface, state));
    const double time = wallMicroseconds() - start;
    if (made.made)
      times.push_back(time);
  }
  return times;
}

Result<ProgramRef> programOf(Device &device, const BenchProgram &program) {
  std::vector<ShaderRef> shaders;
  for (const ShaderRef &shader : program.set.shaders)
    if (shader)
      shaders.push_back(shader);
  return device.createProgram(shaders, &program.set.userDataNodes());
}

Result<double> timeBind(Binder &binder, const ProgramRef &program, const StateRef &state) {
  const double start = wallMicroseconds();
  DOVETAIL_TRY(binder.bind(program, state));
  return wallMicroseconds() - start;
}

// What a device has made.
struct Made {
  uint64_t parts, variants, compiles;
};
Made madeBy(Device &device) {
  const DeviceStatistics statistics = device.statistics();
  return {statistics.parts.made, statistics.joinedVariants, device.partMaker().compileCounts().lowered};
}

Result<void> timeStages(PartMaker &maker, const BenchProgram &program, double (*clock)(), std::vector<double> *times) {
  forgetParts(maker);
  const PipelineState &state = program.grid.states.front();
  const double start = clock();
  DOVETAIL_TRY(compileStages({maker, state}, program.set));
  if (times)
    times->push_back(clock() - start);
  return {};
}

} // namespace

Result<OwnFigures> OwnFigures::create(const std::string &gpu) {
  OwnFigures figures;
  figures.m_gpu = gpu;
  figures.m_pinnedMaker = DOVETAIL_TRY(PartMaker::create(gpu));
  AnyCpu anyCpu;
  figures.m_freeMaker = DOVETAIL_TRY(PartMaker::create(gpu));
  return figures;
}

Result<std::unique_ptr<Device>> OwnFigures::freshDevice() const {
  DeviceOptions options;
  options.gpuName = m_gpu;
  options.firstTier = CodeTier::Llvm;
  options.memoryBudget = uint64_t(1) << 40; // nothing is evicted
  return Device::create(std::move(options));
}

Result<std::vector<double>> OwnFigures::coldPrologs(const BenchProgram &program,
                                                    const std::vector<PipelineState> &states) {
  std::unique_ptr<Device> device = DOVETAIL_TRY(freshDevice());
  PartMaker &maker = device->partMaker();
  return timeParts(maker, program.set, lgc::ShaderStage::Vertex, states,
                   [&](const ShaderInterface &main, const PipelineState &state) {
                     return maker.getAround(PartKind::VertexProlog, main, state);
                   });
}

Result<std::vector<double>> OwnFigures::coldEpilogs(const BenchProgram &program,
                                                    const std::vector<PipelineState> &states) {
  std::unique_ptr<Device> device = DOVETAIL_TRY(freshDevice());
  PartMaker &maker = device->partMaker();
  return timeParts(maker, program.set, lgc::ShaderStage::Fragment, states,
                   [&](const ShaderInterface &main, const PipelineState &state) {
                     return maker.getAround(PartKind::FragmentEpilog, main, state);
                   });
}

Result<std::vector<double>> OwnFigures::newVariants(const BenchProgram &program) {
  std::unique_ptr<Device> device = DOVETAIL_TRY(freshDevice());
  ProgramRef bound = DOVETAIL_TRY(programOf(*device, program));
  const StateGrid &grid = program.pairs;
  std::vector<StateRef> known, unknown;
  for (unsigned input = 0; input < grid.size.vertexInputs; ++input)
    for (unsigned color = 0; color < grid.size.colors; ++color)
      (input == 0 || color == 0 ? known : unknown).push_back(makeState(grid.states[grid.index(input, color, 0)]));
  Binder binder(*device);
  for (const StateRef &state : known)
    DOVETAIL_TRY(binder.bind(bound, state));
  const Made before = madeBy(*device);
  std::vector<double> times;
  for (const StateRef &state : unknown)
    times.push_back(DOVETAIL_TRY(timeBind(binder, bound, state)));
  const Made after = madeBy(*device);
  if (after.parts != before.parts || after.variants - before.variants != unknown.size())
    return makeError(ErrorCode::CheckFailed, "{}: {} new states made {} variants and {} parts", program.name,
                     unknown.size(), after.variants - before.variants, after.parts - before.parts);
  return times;
}

Result<std::vector<double>> OwnFigures::firstUses(const BenchProgram &program, unsigned states) {
  std::unique_ptr<Device> device = DOVETAIL_TRY(freshDevice());
  ProgramRef bound = DOVETAIL_TRY(programOf(*device, program));
  Binder binder(*device);
  DOVETAIL_TRY(binder.bind(bound, makeState(program.grid.states.front())));
  const uint64_t compiles = madeBy(*device).compiles;
  std::vector<double> times;
  // After so many random states, no further state will need a new part.
  const uint64_t maxTries = 4 * uint64_t(states);
  for (uint64_t seed = 1; seed <= maxTries && times.size() < states; ++seed) {
    StateRef state = makeState(randomState(program.set, seed));
    const uint64_t parts = device->partMaker().cache().statistics().made;
    const double time = DOVETAIL_TRY(timeBind(binder, bound, state));
    if (device->partMaker().cache().statistics().made != parts)
      times.push_back(time);
  }
  if (const uint64_t now = madeBy(*device).compiles; now != compiles)
    return makeError(ErrorCode::CheckFailed, "{}: first uses compiled {} shaders", program.name, now - compiles);
  return times;
}

Result<MainTimes> OwnFigures::mainParts(const BenchProgram &program, unsigned runs) {
  MainTimes times;
  for (unsigned run = 0; run <= runs; ++run) // the first warms up
    DOVETAIL_CHECK(timeStages(*m_pinnedMaker, program, processCpuMicroseconds, run == 0 ? nullptr : &times.cpu));
  AnyCpu anyCpu;
  for (unsigned run = 0; run <= runs; ++run)
    DOVETAIL_CHECK(timeStages(*m_freeMaker, program, wallMicroseconds, run == 0 ? nullptr : &times.wall));
  return times;
}

Result<std::vector<double>> OwnFigures::trivialParts(unsigned runs) {
  constexpr const char *Text =
      "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(1.0); }\n";
  constexpr lgc::ShaderStage Stage = lgc::ShaderStage::Fragment;
  const std::vector<std::vector<uint32_t>> modules = DOVETAIL_TRY(translateGlsl({{Stage, "trivial.frag", Text}}));
  const ShaderRef shader = DOVETAIL_TRY(createShader({"trivial.frag", modules.front(), "main", Stage, {}}));
  const ShaderSet set = DOVETAIL_TRY(makeShaderSet(std::array{shader}));
  std::vector<double> times;
  for (unsigned run = 0; run <= runs; ++run) { // the first warms up
    forgetParts(*m_pinnedMaker);
    const double start = processCpuMicroseconds();
    DOVETAIL_TRY(m_pinnedMaker->getMainPart(sourceOf(set, Stage, m_gpu)));
    if (run != 0)
      times.push_back(processCpuMicroseconds() - start);
  }
  return times;
}

Result<std::vector<double>> timeKnownBinds(unsigned variants, unsigned binds, unsigned rounds) {
  const auto side = std::max(1u, unsigned(std::lround(std::sqrt(double(variants)))));
  BindScenery scenery = DOVETAIL_TRY(makeBindScenery(side, side));
  Binder binder(*scenery.device);
  std::vector<double> times;
  size_t index = 0;
  for (unsigned round = 0; round <= rounds; ++round) { // the first warms up
    const double start = wallMicroseconds();
    for (unsigned i = 0; i < binds; ++i) {
      const BindScenery::Pair &pair = scenery.order[index];
      index = index + 1 == scenery.order.size() ? 0 : index + 1;
      DOVETAIL_TRY(binder.bind(scenery.programs[pair.program], scenery.states[pair.state]));
    }
    if (round > 0)
      times.push_back((wallMicroseconds() - start) * 1000 / binds);
  }
  return times;
}

} // namespace dovetail
