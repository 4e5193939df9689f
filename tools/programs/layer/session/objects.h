// SPDX-License-Identifier: MIT
//
// The application's objects as far as the layer remembers them. Others may refer to an object after the application has
// destroyed it, so all are shared.
#pragma once

#include "tools/common/fossilize/root_table.h"
#include "tools/programs/layer/session/state_fields.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace dovetail::layer {

class Session;
struct Problem;

struct Hash {
  uint64_t high = 0, low = 0;

  bool operator==(const Hash &) const = default;
};

Hash hashOf(const void *bytes, size_t size, uint64_t seed = 0);

struct HashOfHash {
  size_t operator()(const Hash &hash) const { return hash.low; }
};

// SPIR-V, as the application gave it.
struct Module {
  std::vector<uint32_t> words;
  Hash hash;
};

// As captures have it.
struct SetLayout {
  fossilize::DescriptorSetLayout capture;
  fossilize::Samplers samplers; // immutable ones
};

struct PipelineLayout {
  std::vector<dovetail_layout_node> nodes;
  std::vector<uint32_t> immutableSamplers;            // of the nodes of that type and of conversions
  std::vector<std::shared_ptr<const SetLayout>> sets; // nullptr: none
  uint32_t pushConstantBytes = 0;
};

struct Subpass {
  std::vector<VkFormat> colors;
  VkFormat depthStencil = VK_FORMAT_UNDEFINED;
};

struct RenderPass {
  std::vector<Subpass> subpasses;
};

// A stage of a pipeline, as it was given to vkCreate*Pipelines().
struct StageSource {
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_VERTEX_BIT;
  std::shared_ptr<const Module> module;
  std::string entryPoint;
  std::vector<dovetail_spec_constant> specConstants;
};

// Stage and hash: "vert-0123456789abcdef".
std::string nameOf(const StageSource &source);

// A shader of Dovetail's. One for all pipelines that have the same.
class Shader {
public:
  Shader(dovetail_shader *handle, std::string name) : m_handle(handle), m_name(std::move(name)) {}
  ~Shader() { dovetail_shader_destroy(m_handle); }
  Shader(const Shader &) = delete;
  Shader &operator=(const Shader &) = delete;

  dovetail_shader *handle() const { return m_handle; }
  const std::string &name() const { return m_name; }

private:
  dovetail_shader *m_handle;
  std::string m_name;
};

// What vkCreateGraphicsPipelines() said of a pipeline, or of a library of pipelines.
struct GraphicsPieces {
  VkGraphicsPipelineLibraryFlagsEXT sections = 0; // that it has
  std::vector<StageSource> stages;
  std::shared_ptr<const PipelineLayout> layout;
  StateFields fields;
  DynamicStates dynamic = 0;
};

// What each draw looks at comes first, in one cache line.
struct alignas(64) Pipeline {
  Pipeline();
  ~Pipeline() { dovetail_program_destroy(program); }

  uint64_t number;                     // no other pipeline of the process has it; never 0
  std::atomic<uint64_t> draws = 0;     // and dispatches
  dovetail_program *program = nullptr; // nullptr: `problem` says why, or it is a library
  dovetail_state *state = nullptr;     // the session's. nullptr: it depends on dynamic states
  Problem *problem = nullptr;          // the session's
  DynamicStates dynamic = 0;

private:
  std::atomic<bool> m_hasFailures = false;
  std::atomic<bool> m_wasBound = false;

public:
  std::string name; // those of its shaders
  std::vector<StageSource> stages;
  std::shared_ptr<const PipelineLayout> layout;
  std::vector<std::shared_ptr<Shader>> shaders;
  StateFields fields;
  std::unique_ptr<GraphicsPieces> pieces; // of a library

  // Whether it was bound before with its own state. From now on it was.
  bool rememberBind() {
    return m_wasBound.load(std::memory_order_relaxed) || m_wasBound.exchange(true, std::memory_order_relaxed);
  }
  // Binds that failed are not tried again.
  void noteFailure(const dovetail_state *failed, Problem &why);
  // Why a bind with this state failed before, or nullptr.
  Problem *findFailure(const dovetail_state *asked) {
    return m_hasFailures.load(std::memory_order_acquire) ? searchFailure(asked) : nullptr;
  }

private:
  Problem *searchFailure(const dovetail_state *asked);

  std::mutex m_failuresMutex; // guards what follows
  std::vector<std::pair<const dovetail_state *, Problem *>> m_failures;
};

} // namespace dovetail::layer
