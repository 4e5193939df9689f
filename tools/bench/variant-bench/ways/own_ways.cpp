// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/ways/own_ways.h"
#include "parts/cache/part_maker.h"
#include "parts/store/archive.h"
#include "src/lgc/pipeline.h"
#include "tools/bench/variant-bench/measure/measure.h"
#include "tools/common/inputs/glsl.h"
#include "variants/bind/binder.h"
#include <functional>

namespace dovetail {

namespace {

Result<std::unique_ptr<Device>> makeDevice(const std::string &gpu, CodeTier firstTier, Way way,
                                           const PartStoreOptions &store, const std::string &archive = {}) {
  DeviceOptions options;
  options.gpuName = gpu;
  options.firstTier = firstTier;
  options.memoryBudget = uint64_t(1) << 40; // large enough that nothing is evicted
  options.background.maxQueued = 1 << 20;   // large enough that nothing is refused
  if (way == Way::Optimized)
    options.policy = OptimizationPolicy::Always;
  if (way == Way::Stored)
    options.store = store;
  if (way == Way::Archived)
    options.archives = {archive};
  std::unique_ptr<Device> device = DOVETAIL_TRY(Device::create(std::move(options)));
  DOVETAIL_CHECK(warmUp(*device));
  return device;
}

uint64_t compilesOf(Device &device) {
  return device.partMaker().compileCounts().lowered;
}

// A program and its states as a driver keeps them, and one way to their variants.
class Draws {
public:
  static Result<Draws> create(Device &device, Way way, const BenchProgram &program) {
    Draws draws(device, way, program);
    std::vector<ShaderRef> shaders;
    for (const ShaderRef &shader : program.set.shaders)
      if (shader)
        shaders.push_back(shader);
    draws.m_bound = DOVETAIL_TRY(device.createProgram(shaders, &program.set.userDataNodes()));
    for (const PipelineState &state : program.grid.states)
      draws.m_states.push_back(makeState(state));
    return draws;
  }

  size_t count() const { return m_states.size(); }

  // Valid until the next draw().
  Result<const Variant *> draw(size_t number) {
    if (m_way != Way::Monolithic)
      return m_binder->bind(m_bound, m_states[number]);
    m_held = DOVETAIL_TRY(m_device.bind(m_program.set, m_program.grid.states[number], {.monolithic = true}));
    return m_held.get();
  }

private:
  Draws(Device &device, Way way, const BenchProgram &program)
      : m_device(device), m_way(way), m_program(program), m_binder(std::make_unique<Binder>(device)) {}

  Device &m_device;
  Way m_way;
  const BenchProgram &m_program;
  ProgramRef m_bound;
  std::vector<StateRef> m_states;
  std::unique_ptr<Binder> m_binder;
  VariantRef m_held;
};

} // namespace

Result<void> warmUp(Device &device) {
  constexpr const char *Text = "#version 450\nvoid main() { gl_Position = vec4(float(gl_VertexIndex)); }\n";
  std::vector<std::vector<uint32_t>> modules =
      DOVETAIL_TRY(translateGlsl({{lgc::ShaderStage::Vertex, "warm-up", Text}}));
  DOVETAIL_TRY(device.createShader({"warm-up", std::move(modules.front()), "main", lgc::ShaderStage::Vertex, {}},
                                   CompileTime::Now));
  device.drain(); // LLVM's code of it would be made beside the first draw
  return {};
}

Result<OwnWays> OwnWays::create(const std::string &gpu, CodeTier firstTier, const std::string &store,
                                const std::string &archive) {
  OwnWays ways;
  for (Way way : AllWays)
    if (!isRadv(way))
      ways.m_devices[unsigned(way)] =
          DOVETAIL_TRY(makeDevice(gpu, firstTier, way, {.path = store, .readOnly = true}, archive));
  return ways;
}

Result<void> OwnWays::fillStore(const std::string &gpu, const std::string &store, const std::string &archive,
                                std::span<const BenchProgram> programs) {
  std::unique_ptr<Device> device = DOVETAIL_TRY(makeDevice(gpu, CodeTier::Llvm, Way::Stored, {.path = store}));
  for (const BenchProgram &program : programs) {
    Draws draws = DOVETAIL_TRY(Draws::create(*device, Way::Stored, program));
    for (size_t number = 0; number < draws.count(); ++number)
      DOVETAIL_TRY(draws.draw(number));
    DOVETAIL_CHECK(device->flushStore());
  }
  DOVETAIL_TRY(makeArchive(*device->partMaker().cache().store(), archive));
  return {};
}

Result<Pass> OwnWays::run(Way way, const BenchProgram &program) {
  Device &device = *m_devices[unsigned(way)];
  Draws draws = DOVETAIL_TRY(Draws::create(device, way, program));
  Pass pass;
  pass.ready.reserve(draws.count());
  const uint64_t compilesBefore = compilesOf(device);
  const double heapBefore = heapBytes(), cpuBefore = processCpuMicroseconds(), begin = wallMicroseconds();
  for (size_t number = 0; number < draws.count(); ++number) {
    const double start = wallMicroseconds();
    DOVETAIL_TRY(draws.draw(number));
    pass.ready.push_back(wallMicroseconds() - start);
  }
  device.drain();
  pass.wall = wallMicroseconds() - begin;
  pass.cpu = processCpuMicroseconds() - cpuBefore;
  pass.heapBytes = heapBytes() - heapBefore;
  pass.compiles = double(compilesOf(device) - compilesBefore);

  std::set<Hash128> seen;
  for (size_t number = 0; number < draws.count(); ++number) {
    const Variant &variant = *DOVETAIL_TRY(draws.draw(number));
    if (!seen.insert(variant.key.hash).second)
      continue;
    pass.codeBytes += double(variant.image->code.size());
    if (way == Way::Parts)
      noteSharing(variant);
  }
  pass.variants = double(seen.size());
  return pass;
}

void OwnWays::noteSharing(const Variant &variant) {
  for (const ImagePart &use : variant.image->parts) {
    const PartKey &key = use.part->key;
    PartSharing &sharing = m_sharing[key.kind];
    ++sharing.uses;
    if (!m_seen.insert(key).second)
      continue;
    ++sharing.parts;
    sharing.codeBytes += use.part->code.size();
  }
}

} // namespace dovetail
