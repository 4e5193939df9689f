// SPDX-License-Identifier: MIT
//
// Captures: pipelines as they were bound, written to a database. For whoever has shaders, a layout and a state
// at the time of a draw: dynamic states become static ones, and each distinct set of shaders and state is a pipeline of
// the database. Read back (tools/common/pipelines/captured_pipeline.h), a pipeline comes to the variant that was bound.
//
//   capture = DOVETAIL_TRY(Capture::create(folder + "/capture.foz"));
//   DOVETAIL_TRY(capture->add({.stages = …, .setLayouts = …, .pushConstantBytes = …, .state = …}));
//
// The layout in the capture is Vulkan's. layOutRootTable() (root_table.h) makes the same root table of it whenever
// it is called: what binds through it and what is read back have the same keys. fromVulkan() (from_vulkan.h) makes a
// DescriptorSetLayout of its create-info.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/common/fossilize/read_object.h"
#include <atomic>

struct dovetail_pipeline_state;

namespace dovetail::fossilize {

struct CapturedSpecConstant {
  uint32_t id = 0;
  uint64_t value = 0; // as dovetail_spec_constant has it
};

struct CapturedStage {
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_VERTEX_BIT;
  std::span<const uint32_t> words; // SPIR-V
  std::string entryPoint = "main";
  std::vector<CapturedSpecConstant> specConstants;
};

struct CapturedSet {
  const DescriptorSetLayout *layout = nullptr; // nullptr: VK_NULL_HANDLE
  // Of its immutable samplers, by the hashes that the layout has of them: what writeObject() says of each.
  std::vector<Sampler> immutableSamplers = {};
};

struct CapturedPipeline {
  std::vector<CapturedStage> stages; // a compute shader alone, or those of a graphics pipeline
  std::vector<CapturedSet> setLayouts;
  uint32_t pushConstantBytes = 0;
  PipelineState state; // of graphics
};

// The C API's state as plain data; it is taken as it is, without checks.
PipelineState stateOf(const dovetail_pipeline_state &description);

// Thread-safe. What was added is in the file when add() returns.
class Capture {
public:
  // Replaces the file. Errors: Io.
  static Result<std::unique_ptr<Capture>> create(const std::string &path);

  // Writes the pipeline and what it refers to, unless it is there; returns its hash. What Vulkan has no field for is
  // left out (fromPipelineState()). Errors: Io; InvalidInput for no stage.
  Result<ObjectHash> add(const CapturedPipeline &pipeline);

  size_t pipelineCount() const { return m_pipelines.load(std::memory_order_relaxed); }

private:
  explicit Capture(std::unique_ptr<DatabaseWriter> writer) : m_writer(std::move(writer)) {}

  std::unique_ptr<DatabaseWriter> m_writer;
  std::atomic<size_t> m_pipelines = 0;
};

} // namespace dovetail::fossilize
