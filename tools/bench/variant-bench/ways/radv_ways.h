// SPDX-License-Identifier: MIT
//
// Runs RADV's ways to pipelines, on the same SPIR-V and states as ours. Runs in RADV's process (radv_peer.h), with
// RADV's caches off. Times are wall times in µs unless a comment says otherwise.
#pragma once

#include "tools/bench/variant-bench/measure/programs.h"
#include "tools/bench/variant-bench/measure/way.h"
#include "tools/proof/radv/radv_costs.h"
#include "tools/proof/radv/radv_pipelines.h"

namespace dovetail {

class RadvWays {
public:
  // Makes a new device; it keeps its pipelines until it is destroyed. Errors: those of RadvDevice::create().
  static Result<std::unique_ptr<RadvWays>> create();
  ~RadvWays();

  // Makes a whole pipeline for each state. asksForCode: RADV then keeps facts about code, which takes time.
  Result<Pass> makeWhole(const BenchProgram &program, bool asksForCode);
  // Makes the libraries that a state needs and does not find, and a fast link. Pass::codeBytes counts only the shaders.
  // Errors: also Unsupported without libraries.
  Result<Pass> makeLinked(const BenchProgram &program, bool asksForCode);

  // Fast links of the states of BenchProgram::pairs outside of the first row and the first column; all libraries are
  // there.
  Result<std::vector<double>> newVariants(const BenchProgram &program);
  // Makes the pipeline of the first state: first `runs` process CPU times, on the CPU on which this runs; then `runs`
  // wall times, on any CPU.
  Result<std::vector<double>> wholePipeline(const BenchProgram &program, unsigned runs);
  // Makes the pipeline of the first state, and calls the functions right before and right after that.
  Result<void> makeFirst(const BenchProgram &program, const std::function<void()> &before,
                         const std::function<void()> &after);
  // Draws whose vertex input needs a new prolog.
  Result<std::vector<double>> coldPrologs(const BenchProgram &program, const std::vector<PipelineState> &states);
  // Makes fragment output libraries.
  Result<std::vector<double>> coldEpilogs(const std::vector<PipelineState> &states);
  // The costs of the pipeline of the first state.
  Result<std::vector<RadvCost>> costs(const BenchProgram &program);

private:
  class Libraries;

  explicit RadvWays(std::unique_ptr<RadvDevice> device) : m_device(std::move(device)) {}
  // Keeps the pipeline until this object is destroyed.
  Result<VkPipeline> make(const VkGraphicsPipelineCreateInfo &info);
  Result<VkPipeline> makeWholePipeline(const RadvStages &stages, const RadvLayout &layout, const PipelineState &state,
                                       VkPipelineCreateFlags flags);
  Result<double> timeWhole(const BenchProgram &program, double (*clock)());
  Result<void> needLibraries() const;

  std::unique_ptr<RadvDevice> m_device;
  std::vector<VkPipeline> m_kept;
};

} // namespace dovetail
