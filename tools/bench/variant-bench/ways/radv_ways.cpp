// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/ways/radv_ways.h"
#include "tools/bench/variant-bench/measure/measure.h"
#include "tools/bench/variant-bench/ways/dynamic_draws.h"
#include "tools/proof/radv/commands/vulkan_check.h"
#include <array>
#include <map>
#include <tuple>

namespace dovetail {

namespace {

constexpr VkPipelineCreateFlags AskForCode =
    VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR | VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;

// Measures the cost of a pass.
class Meter {
public:
  void finish(Pass &pass) const {
    pass.wall = wallMicroseconds() - m_wall;
    pass.cpu = processCpuMicroseconds() - m_cpu;
    pass.heapBytes = heapBytes() - m_heap;
  }

private:
  double m_heap = heapBytes(), m_cpu = processCpuMicroseconds(), m_wall = wallMicroseconds();
};

} // namespace

Result<std::unique_ptr<RadvWays>> RadvWays::create() {
  std::unique_ptr<RadvDevice> device = DOVETAIL_TRY(RadvDevice::create());
  return std::unique_ptr<RadvWays>(new RadvWays(std::move(device)));
}

RadvWays::~RadvWays() {
  for (VkPipeline pipeline : m_kept)
    vkDestroyPipeline(m_device->handle(), pipeline, nullptr);
}

Result<void> RadvWays::needLibraries() const {
  if (!m_device->hasLibraries())
    return makeError(ErrorCode::Unsupported, "RADV has no pipeline libraries here");
  return {};
}

Result<VkPipeline> RadvWays::make(const VkGraphicsPipelineCreateInfo &info) {
  VkPipeline pipeline = VK_NULL_HANDLE;
  DOVETAIL_CHECK_VK(vkCreateGraphicsPipelines(m_device->handle(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  m_kept.push_back(pipeline);
  return pipeline;
}

Result<VkPipeline> RadvWays::makeWholePipeline(const RadvStages &stages, const RadvLayout &layout,
                                               const PipelineState &state, VkPipelineCreateFlags flags) {
  if (stages[0].stage != VK_SHADER_STAGE_COMPUTE_BIT) {
    const GraphicsInfo graphics(state);
    VkGraphicsPipelineCreateInfo info = graphics.wholePipeline(stages, layout.layout);
    info.flags = flags;
    return make(info);
  }
  VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                      .flags = flags,
                                      .stage = stages[0],
                                      .layout = layout.layout,
                                      .basePipelineIndex = -1};
  VkPipeline pipeline = VK_NULL_HANDLE;
  DOVETAIL_CHECK_VK(vkCreateComputePipelines(m_device->handle(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  m_kept.push_back(pipeline);
  return pipeline;
}

Result<Pass> RadvWays::makeWhole(const BenchProgram &program, bool asksForCode) {
  Pass pass;
  pass.ready.reserve(program.grid.states.size());
  DOVETAIL_CHECK(
      m_device->withStages(program.set, [&](const RadvStages &stages, const RadvLayout &layout) -> Result<void> {
        const size_t firstKept = m_kept.size();
        const Meter meter;
        for (const PipelineState &state : program.grid.states) {
          const double start = wallMicroseconds();
          DOVETAIL_TRY(makeWholePipeline(stages, layout, state, asksForCode ? AskForCode : 0));
          pass.ready.push_back(wallMicroseconds() - start);
          pass.compiles += double(stages.size());
        }
        meter.finish(pass);
        pass.variants = double(pass.ready.size());
        for (size_t i = firstKept; asksForCode && i < m_kept.size(); ++i)
          for (const RadvCost &cost : DOVETAIL_TRY(readCosts(m_device->handle(), m_kept[i])))
            pass.codeBytes += double(cost.codeBytes);
        return {};
      }));
  return pass;
}

// The libraries of one program; each is made when it is first needed.
class RadvWays::Libraries {
public:
  Libraries(RadvWays &ways, const StateGrid &grid, const RadvStages &stages, const RadvLayout &layout, bool asksForCode)
      : m_ways(ways), m_grid(grid), m_stages(stages), m_layout(layout), m_flags(asksForCode ? AskForCode : 0) {}

  using Four = std::array<VkPipeline, 4>;

  Result<Four> get(unsigned input, unsigned color, unsigned other) {
    const size_t state = m_grid.index(input, color, other);
    Four four;
    four[VertexInput] = DOVETAIL_TRY(getOne(VertexInput, input, other, state));
    four[PreRaster] = DOVETAIL_TRY(getOne(PreRaster, 0, other, state));
    four[Fragment] = DOVETAIL_TRY(getOne(Fragment, 0, other, state));
    four[FragmentOutput] = DOVETAIL_TRY(getOne(FragmentOutput, color, other, state));
    return four;
  }

  Result<VkPipeline> link(const Four &libraries) {
    const VkPipelineLibraryCreateInfoKHR library = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                                    .libraryCount = uint32_t(libraries.size()),
                                                    .pLibraries = libraries.data()};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &library,
                                               .layout = m_layout.layout,
                                               .basePipelineIndex = -1};
    return m_ways.make(info);
  }

  // Counts shaders and epilogs.
  unsigned compiles() const { return m_compiles; }
  const std::vector<VkPipeline> &withShaders() const { return m_withShaders; }

private:
  enum Kind { VertexInput, PreRaster, Fragment, FragmentOutput };

  Result<VkPipeline> getOne(Kind kind, unsigned number, unsigned other, size_t state) {
    VkPipeline &library = m_libraries[{kind, number, other}];
    if (library == VK_NULL_HANDLE)
      library = DOVETAIL_TRY(makeLibrary(kind, m_grid.states[state]));
    return library;
  }

  Result<VkPipeline> makeLibrary(Kind kind, const PipelineState &state) {
    const GraphicsInfo graphics(state);
    VkGraphicsPipelineCreateInfo info = kind == VertexInput ? graphics.vertexInputLibrary()
                                        : kind == PreRaster ? graphics.preRasterLibrary(m_stages, m_layout.layout)
                                        : kind == Fragment  ? graphics.fragmentLibrary(m_stages, m_layout.layout)
                                                            : graphics.fragmentOutputLibrary();
    m_compiles += kind == FragmentOutput ? 1 : info.stageCount;
    const bool hasShaders = info.stageCount > 0;
    if (hasShaders)
      info.flags |= m_flags;
    VkPipeline library = DOVETAIL_TRY(m_ways.make(info));
    if (hasShaders)
      m_withShaders.push_back(library);
    return library;
  }

  RadvWays &m_ways;
  const StateGrid &m_grid;
  const RadvStages &m_stages;
  const RadvLayout &m_layout;
  VkPipelineCreateFlags m_flags;
  unsigned m_compiles = 0;
  std::map<std::tuple<Kind, unsigned, unsigned>, VkPipeline> m_libraries;
  std::vector<VkPipeline> m_withShaders;
};

Result<Pass> RadvWays::makeLinked(const BenchProgram &program, bool asksForCode) {
  DOVETAIL_CHECK(needLibraries());
  const GridSize &size = program.grid.size;
  Pass pass;
  pass.ready.reserve(size.count());
  DOVETAIL_CHECK(
      m_device->withStages(program.set, [&](const RadvStages &stages, const RadvLayout &layout) -> Result<void> {
        Libraries libraries(*this, program.grid, stages, layout, asksForCode);
        const Meter meter;
        for (unsigned other = 0; other < size.others; ++other)
          for (unsigned input = 0; input < size.vertexInputs; ++input)
            for (unsigned color = 0; color < size.colors; ++color) {
              const double start = wallMicroseconds();
              DOVETAIL_TRY(libraries.link(DOVETAIL_TRY(libraries.get(input, color, other))));
              pass.ready.push_back(wallMicroseconds() - start);
            }
        meter.finish(pass);
        pass.variants = double(pass.ready.size());
        pass.compiles = libraries.compiles();
        if (asksForCode)
          for (VkPipeline library : libraries.withShaders())
            for (const RadvCost &cost : DOVETAIL_TRY(readCosts(m_device->handle(), library)))
              pass.codeBytes += double(cost.codeBytes);
        return {};
      }));
  return pass;
}

Result<std::vector<double>> RadvWays::newVariants(const BenchProgram &program) {
  DOVETAIL_CHECK(needLibraries());
  const GridSize &size = program.pairs.size;
  std::vector<double> times;
  DOVETAIL_CHECK(
      m_device->withStages(program.set, [&](const RadvStages &stages, const RadvLayout &layout) -> Result<void> {
        Libraries libraries(*this, program.pairs, stages, layout, false);
        for (unsigned input = 0; input < size.vertexInputs; ++input)
          DOVETAIL_TRY(libraries.link(DOVETAIL_TRY(libraries.get(input, 0, 0))));
        for (unsigned color = 0; color < size.colors; ++color)
          DOVETAIL_TRY(libraries.link(DOVETAIL_TRY(libraries.get(0, color, 0))));
        for (unsigned input = 1; input < size.vertexInputs; ++input)
          for (unsigned color = 1; color < size.colors; ++color) {
            const Libraries::Four four = DOVETAIL_TRY(libraries.get(input, color, 0));
            const double start = wallMicroseconds();
            DOVETAIL_TRY(libraries.link(four));
            times.push_back(wallMicroseconds() - start);
          }
        return {};
      }));
  return times;
}

Result<void> RadvWays::makeFirst(const BenchProgram &program, const std::function<void()> &before,
                                 const std::function<void()> &after) {
  return m_device->withStages(program.set, [&](const RadvStages &stages, const RadvLayout &layout) -> Result<void> {
    before();
    VkPipeline pipeline = DOVETAIL_TRY(makeWholePipeline(stages, layout, program.grid.states.front(), 0));
    after();
    m_kept.pop_back();
    vkDestroyPipeline(m_device->handle(), pipeline, nullptr);
    return {};
  });
}

Result<double> RadvWays::timeWhole(const BenchProgram &program, double (*clock)()) {
  double start = 0, time = 0;
  DOVETAIL_CHECK(makeFirst(
      program, [&] { start = clock(); }, [&] { time = clock() - start; }));
  return time;
}

Result<std::vector<double>> RadvWays::wholePipeline(const BenchProgram &program, unsigned runs) {
  std::vector<double> times;
  DOVETAIL_TRY(timeWhole(program, wallMicroseconds)); // warms up
  for (unsigned run = 0; run < runs; ++run)
    times.push_back(DOVETAIL_TRY(timeWhole(program, processCpuMicroseconds)));
  AnyCpu anyCpu;
  for (unsigned run = 0; run < runs; ++run)
    times.push_back(DOVETAIL_TRY(timeWhole(program, wallMicroseconds)));
  return times;
}

Result<std::vector<double>> RadvWays::coldPrologs(const BenchProgram &program,
                                                  const std::vector<PipelineState> &states) {
  DOVETAIL_CHECK(needLibraries());
  std::vector<double> times;
  DOVETAIL_CHECK(
      m_device->withStages(program.set, [&](const RadvStages &stages, const RadvLayout &layout) -> Result<void> {
        const GraphicsInfo graphics(program.grid.states.front());
        VkPipeline pipeline = DOVETAIL_TRY(make(graphics.withDynamicVertexInput(stages, layout.layout)));
        times = DOVETAIL_TRY(timeDynamicDraws(m_device->handle(), pipeline, program.grid.states.front(), states));
        return {};
      }));
  return times;
}

Result<std::vector<double>> RadvWays::coldEpilogs(const std::vector<PipelineState> &states) {
  DOVETAIL_CHECK(needLibraries());
  std::vector<double> times;
  for (const PipelineState &state : states) {
    const GraphicsInfo graphics(state);
    const VkGraphicsPipelineCreateInfo info = graphics.fragmentOutputLibrary();
    const double start = wallMicroseconds();
    DOVETAIL_TRY(make(info));
    times.push_back(wallMicroseconds() - start);
  }
  return times;
}

Result<std::vector<RadvCost>> RadvWays::costs(const BenchProgram &program) {
  std::vector<RadvCost> costs;
  DOVETAIL_CHECK(
      m_device->withStages(program.set, [&](const RadvStages &stages, const RadvLayout &layout) -> Result<void> {
        VkPipeline pipeline = DOVETAIL_TRY(makeWholePipeline(stages, layout, program.grid.states.front(), AskForCode));
        costs = DOVETAIL_TRY(readCosts(m_device->handle(), pipeline));
        return {};
      }));
  return costs;
}

} // namespace dovetail
