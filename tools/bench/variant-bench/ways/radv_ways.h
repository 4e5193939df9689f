// SPDX-License-Identifier: MIT
//
// RADV's ways to come by pipelines, on the same SPIR-V and states as ours. Runs in RADV's process (radv_peer.h). Its
// caches are off. Times are wall times in µs unless they say otherwise.
#pragma once

#include "tools/bench/variant-bench/measure/programs.h"
#include "tools/bench/variant-bench/measure/way.h"
#include "tools/proof/radv/radv_costs.h"
#include "tools/proof/radv/radv_pipelines.h"

namespace dovetail {

class RadvWays {
public:
  // A new device; keeps the pipelines that it makes until it goes. Errors: those of RadvDevice::create().
  static Result<std::unique_ptr<RadvWays>> create();
  ~RadvWays();

  // A whole pipeline for each state. asksForCode: RADV keeps what it tells about code then, which takes time.
  Result<Pass> makeWhole(const BenchProgram &program, bool asksForCode);
  // The libraries that a state needs and does not find, and a fast link. Pass::codeBytes is that of the shaders alone.
  // Errors: also Unsupported if there are no libraries.
  Result<Pass> makeLinked(const BenchProgram &program, bool asksForCode);

  // Fast links of the states of BenchProgram::pairs that are neither in the first row nor in the first column; all
  // libraries are there.
  Result<std::vector<double>> newVariants(const BenchProgram &program);
  // Of the pipeline of the first state: as many process CPU times as they are asked for, on the CPU that this runs on;
  // then as many wall times, on any.
  Result<std::vector<double>> wholePipeline(const BenchProgram &program, unsigned runs);
  // Draws whose vertex input needs a prolog that nobody has asked for.
  Result<std::vector<double>> coldPrologs(const BenchProgram &program, const std::vector<PipelineState> &states);
  // Fragment output libraries.
  Result<std::vector<double>> coldEpilogs(const std::vector<PipelineState> &states);
  // Of the pipeline of the first state.
  Result<std::vector<RadvCost>> costs(const BenchProgram &program);

private:
  class Libraries;

  explicit RadvWays(std::unique_ptr<RadvDevice> device) : m_device(std::move(device)) {}
  // Kept until this goes.
  Result<VkPipeline> make(const VkGraphicsPipelineCreateInfo &info);
  Result<VkPipeline> makeWholePipeline(const RadvStages &stages, const RadvLayout &layout, const PipelineState &state,
                                       VkPipelineCreateFlags flags);
  Result<double> timeWhole(const BenchProgram &program, double (*clock)());
  Result<void> needLibraries() const;

  std::unique_ptr<RadvDevice> m_device;
  std::vector<VkPipeline> m_kept;
};

} // namespace dovetail
