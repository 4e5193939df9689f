// SPDX-License-Identifier: MIT
//
// Captures write pipelines to a database as they were bound. They are for callers that have shaders, a layout and a
// state at the time of a draw. Dynamic states become static ones, and each distinct set of shaders and state becomes a
// pipeline of the database. When such a pipeline is read back (tools/common/pipelines/captured_pipeline.h), it makes
// the variant that was bound.
//
//   capture = DOVETAIL_TRY(Capture::create(folder + "/capture.foz"));
//   DOVETAIL_TRY(capture->add({.stages = …, .setLayouts = …, .pushConstantBytes = …, .state = …}));
//
// The capture holds Vulkan's layout. layOutRootTable() (root_table.h) always makes the same root table of it, so
// variants that are bound through it and variants that are read back have the same keys. fromVulkan() (from_vulkan.h)
// makes a DescriptorSetLayout of its create-info.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/common/fossilize/read_object.h"
#include <atomic>

struct dovetail_pipeline_state;

namespace dovetail::fossilize {

struct CapturedSpecConstant {
  uint32_t id = 0;
  uint64_t value = 0; // as in dovetail_spec_constant
};

struct CapturedStage {
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_VERTEX_BIT;
  std::span<const uint32_t> words; // SPIR-V
  std::string entryPoint = "main";
  std::vector<CapturedSpecConstant> specConstants;
};

struct CapturedSet {
  const DescriptorSetLayout *layout = nullptr; // nullptr: VK_NULL_HANDLE
  // The layout's immutable samplers, by the hashes that the layout has for them; writeObject() computes them.
  std::vector<Sampler> immutableSamplers = {};
};

struct CapturedPipeline {
  std::vector<CapturedStage> stages; // a compute shader alone, or the stages of a graphics pipeline
  std::vector<CapturedSet> setLayouts;
  uint32_t pushConstantBytes = 0;
  PipelineState state; // graphics only
};

// The C API's state as plain data; it is copied without checks.
PipelineState stateOf(const dovetail_pipeline_state &description);

// Thread-safe. When add() returns, the pipeline is in the file.
class Capture {
public:
  // Replaces an existing file. Errors: Io.
  static Result<std::unique_ptr<Capture>> create(const std::string &path);

  // Writes the pipeline and the objects that it refers to, unless the database has them; returns its hash. Leaves out
  // state for which Vulkan has no field (fromPipelineState()). Errors: Io; InvalidInput without a stage.
  Result<ObjectHash> add(const CapturedPipeline &pipeline);

  size_t pipelineCount() const { return m_pipelines.load(std::memory_order_relaxed); }

private:
  explicit Capture(std::unique_ptr<DatabaseWriter> writer) : m_writer(std::move(writer)) {}

  std::unique_ptr<DatabaseWriter> m_writer;
  std::atomic<size_t> m_pipelines = 0;
};

} // namespace dovetail::fossilize
