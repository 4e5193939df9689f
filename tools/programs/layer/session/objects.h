// SPDX-License-Identifier: MIT
//
// The application's objects, as far as the layer remembers them. They are shared, because others may refer to an object
// after the application has destroyed it.
#pragma once

#include "tools/common/fossilize/root_table.h"
#include "tools/programs/layer/session/fixed_function.h"
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

// SPIR-V from the application.
struct Module {
  std::vector<uint32_t> words;
  Hash hash;
  std::string label; // for debugging
};

// The layout as captures write it.
struct SetLayout {
  fossilize::DescriptorSetLayout capture;
  fossilize::Samplers samplers; // immutable ones
};

struct PipelineLayout {
  std::vector<dovetail_layout_node> nodes;
  std::vector<uint32_t> immutableSamplers;            // of the sampler nodes and of conversions
  std::vector<std::shared_ptr<const SetLayout>> sets; // nullptr: none
  uint32_t pushConstantBytes = 0;
};

struct Subpass {
  std::vector<VkFormat> colors;
  VkFormat depthStencil = VK_FORMAT_UNDEFINED;
  std::vector<uint32_t> colorAttachments; // numbers in the framebuffer, or VK_ATTACHMENT_UNUSED
  uint32_t depthStencilAttachment = VK_ATTACHMENT_UNUSED;
  uint32_t viewMask = 0;
};

struct RenderPass {
  std::vector<Subpass> subpasses;
};

// A name that the application gives an object for debugging, at any time. Thread-safe.
class Label {
public:
  void set(std::string text) {
    std::scoped_lock lock(m_mutex);
    m_text = std::move(text);
  }
  std::string get() const {
    std::scoped_lock lock(m_mutex);
    return m_text;
  }

private:
  mutable std::mutex m_mutex;
  std::string m_text;
};

// What reports tell of a pipeline, also after it is destroyed. Times are those of the steady clock.
struct PipelineFacts {
  std::string shaders;     // stage and hash of each shader
  std::string entryPoints; // label and entry point of each shader: "sky.vert:main main"
  Label label;
  uint64_t created = 0;
  std::atomic<uint64_t> firstBind = 0; // of a draw or dispatch; 0: there was none

  // The best name for people, and the shaders: "sky (vert-01 frag-23)".
  std::string describe() const;
};

// A pipeline's stage from vkCreate*Pipelines().
struct StageSource {
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_VERTEX_BIT;
  std::shared_ptr<const Module> module;
  std::string entryPoint;
  std::string label; // of the stage or its module, for debugging
  std::vector<dovetail_spec_constant> specConstants;
};

// Stage and hash: "vert-0123456789abcdef".
std::string nameOf(const StageSource &source);

// Owns a shader of Dovetail. All pipelines with equal shaders share it.
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

// The content of a create-info for a pipeline or a library.
struct GraphicsPieces {
  VkGraphicsPipelineLibraryFlagsEXT sections = 0; // the sections that it has
  std::vector<StageSource> stages;
  std::shared_ptr<const PipelineLayout> layout;
  StateFields fields;
  DynamicStates dynamic = 0;
  PipelineFixedFunction fixed;
};

// The members that each draw reads come first, in one cache line.
struct alignas(64) Pipeline {
  Pipeline();
  ~Pipeline() { dovetail_program_destroy(program); }

  uint64_t number;                     // unique in the process; never 0
  std::atomic<uint64_t> draws = 0;     // counts dispatches, too
  dovetail_program *program = nullptr; // nullptr: `problem` says why, or it is a library
  dovetail_state *state = nullptr;     // the session owns it; nullptr: the state depends on dynamic states
  Problem *problem = nullptr;          // the session owns it
  DynamicStates dynamic = 0;

private:
  std::atomic<bool> m_hasFailures = false;
  std::atomic<bool> m_wasBound = false;

public:
  std::shared_ptr<PipelineFacts> facts = std::make_shared<PipelineFacts>();
  std::vector<StageSource> stages;
  std::shared_ptr<const PipelineLayout> layout;
  std::vector<std::shared_ptr<Shader>> shaders;
  StateFields fields;
  PipelineFixedFunction fixed;
  std::unique_ptr<GraphicsPieces> pieces; // only for a library

  // Whether it was bound before with its own state. Remembers that it is bound now.
  bool rememberBind() {
    return m_wasBound.load(std::memory_order_relaxed) || m_wasBound.exchange(true, std::memory_order_relaxed);
  }
  // Remembers a failed bind, which is not tried again.
  void noteFailure(const dovetail_state *failed, Problem &why);
  // The problem of an earlier failed bind with this state, or nullptr.
  Problem *findFailure(const dovetail_state *asked) {
    return m_hasFailures.load(std::memory_order_acquire) ? searchFailure(asked) : nullptr;
  }

private:
  Problem *searchFailure(const dovetail_state *asked);

  std::mutex m_failuresMutex; // guards what follows
  std::vector<std::pair<const dovetail_state *, Problem *>> m_failures;
};

} // namespace dovetail::layer
