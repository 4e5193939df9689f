// SPDX-License-Identifier: MIT
//
// Makes programs and states of pipelines. Does at pipeline creation what a driver compiles then: the main parts of a
// library's shaders; for a complete pipeline everything, with one bind of its first variant. So a draw only has to do
// what depends on dynamic states.
#include "tools/programs/layer/followers.h"
#include "tools/programs/layer/graphics_pieces.h"
#include <algorithm>

namespace dovetail::layer {

namespace {

dovetail_shader_stage nextStageOf(VkShaderStageFlagBits stage, const std::vector<StageSource> &stages) {
  for (const StageSource &other : stages) { // in Vulkan's order of stages
    if (other.stage <= stage)
      continue;
    switch (other.stage) {
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
      return DOVETAIL_STAGE_TESS_CONTROL;
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
      return DOVETAIL_STAGE_TESS_EVALUATION;
    case VK_SHADER_STAGE_GEOMETRY_BIT:
      return DOVETAIL_STAGE_GEOMETRY;
    default:
      return DOVETAIL_STAGE_FRAGMENT;
    }
  }
  return DOVETAIL_STAGE_FRAGMENT;
}

// The calls to Dovetail for a pipeline, in steps. Dovetail may refuse each step.
class Maker {
public:
  Maker(Device &device, Pipeline &pipeline) : m_session(device.session()), m_pipeline(pipeline) {}

  // Makes the shaders of the pipeline's stages.
  bool makeShaders(const std::vector<dovetail_layout_node> &layout, dovetail_compile_time compile) {
    for (const StageSource &source : m_pipeline.stages) {
      std::shared_ptr<Shader> shader = m_session.getShader(
          {source, layout, nextStageOf(source.stage, m_pipeline.stages), compile}, m_status, m_message);
      if (!shader)
        return refuse(nullptr);
      m_pipeline.shaders.push_back(std::move(shader));
    }
    return true;
  }

  bool makeProgram(const PipelineLayout &layout) {
    std::vector<dovetail_shader *> handles;
    for (const std::shared_ptr<Shader> &shader : m_pipeline.shaders)
      handles.push_back(shader->handle());
    dovetail_program_options options = {};
    options.size = sizeof options;
    options.has_layout = 1;
    options.layout = layout.nodes.data();
    options.layout_count = layout.nodes.size();
    options.immutable_samplers = layout.immutableSamplers.data();
    options.immutable_sampler_dwords = layout.immutableSamplers.size();
    m_status = dovetail_program_create(m_session.device(), handles.data(), handles.size(), &options,
                                       &m_pipeline.program, &m_message);
    return m_status == DOVETAIL_OK || refuse(nullptr);
  }

  // Makes the state, unless part of it is dynamic.
  bool makeState() {
    if (m_pipeline.dynamic != 0)
      return true;
    std::vector<uint32_t> words;
    m_pipeline.state = m_session.getState(m_pipeline.fields, words, m_status, m_message);
    if (m_pipeline.state)
      return true;
    dovetail_program_destroy(std::exchange(m_pipeline.program, nullptr));
    return refuse(&m_pipeline.fields);
  }

  // Binds the first variant.
  bool bindOnce(dovetail_bind_info &info) {
    bool isBound = false;
    m_session.withBinder([&](dovetail_binder *binder) {
      const dovetail_variant *variant = nullptr;
      const uint64_t cpuStart = threadCpuNanoseconds(), start = nowNanoseconds();
      m_status = dovetail_bind(binder, m_pipeline.program, m_pipeline.state, nullptr, nullptr, &variant, &m_message);
      const BindTime took = {nowNanoseconds() - start, threadCpuNanoseconds() - cpuStart};
      info.size = sizeof info;
      (void)dovetail_binder_get_last_bind(binder, &info, nullptr);
      m_session.noteFirstVariant(took, info, m_pipeline);
      isBound = m_status == DOVETAIL_OK;
    });
    if (isBound)
      return true;
    (void)refuse(&m_pipeline.fields);
    m_pipeline.noteFailure(m_pipeline.state, *m_pipeline.problem);
    return false;
  }

private:
  bool refuse(const StateFields *fields) {
    m_pipeline.problem =
        &m_session.problems().note(m_status, m_message.text, m_pipeline.facts->shaders, m_pipeline.stages, fields);
    return false;
  }

  Session &m_session;
  Pipeline &m_pipeline;
  dovetail_status m_status = DOVETAIL_OK;
  dovetail_message m_message = {};
};

void setNames(const std::vector<StageSource> &stages, PipelineFacts &facts) {
  for (const StageSource &stage : stages) {
    const char *separator = facts.shaders.empty() ? "" : " ";
    facts.shaders += separator + nameOf(stage);
    facts.entryPoints += separator + (stage.label.empty() ? "" : stage.label + ":") + stage.entryPoint;
  }
}

dovetail_compile_time compileTimeOf(const Options &options, bool isLater) {
  switch (options.compile) {
  case CompileWhen::Pipeline:
    return isLater ? DOVETAIL_COMPILE_AT_FIRST_USE : DOVETAIL_COMPILE_NOW;
  case CompileWhen::Background:
    return DOVETAIL_COMPILE_IN_BACKGROUND;
  case CompileWhen::Draw:
    break;
  }
  return DOVETAIL_COMPILE_AT_FIRST_USE;
}

// Makes everything of a complete pipeline. `bind`: how the first variant was bound, if it was.
void complete(Device &device, Pipeline &pipeline, const PipelineLayout &layout, bool isCompute,
              std::optional<dovetail_bind_info> &bind) {
  const Options &options = device.session().options();
  const bool isBoundNow = options.compile == CompileWhen::Pipeline && (isCompute || pipeline.dynamic == 0);
  Maker maker(device, pipeline);
  if (!maker.makeShaders(layout.nodes, compileTimeOf(options, isBoundNow)) || !maker.makeProgram(layout))
    return;
  if (!isCompute && !maker.makeState())
    return;
  if (isBoundNow) {
    bind.emplace();
    *bind = {};
    (void)maker.bindOnce(*bind);
  }
}

const PipelineLayout &orNone(const std::shared_ptr<const PipelineLayout> &layout) {
  static const PipelineLayout none;
  return layout ? *layout : none;
}

std::shared_ptr<Pipeline> makeGraphicsPipeline(Device &device, const VkGraphicsPipelineCreateInfo &info,
                                               std::optional<dovetail_bind_info> &bind) {
  std::optional<GraphicsPieces> pieces = readGraphicsPieces(device, info);
  if (!pieces) {
    device.session().problems().noteUnfollowed("a pipeline with a shader or library that was not followed");
    return nullptr;
  }
  auto pipeline = std::make_shared<Pipeline>();
  pipeline->facts->created = nowNanoseconds();
  pipeline->stages = pieces->stages;
  setNames(pieces->stages, *pipeline->facts);
  pipeline->fields = pieces->fields;
  pipeline->dynamic = pieces->dynamic;
  pipeline->fixed = pieces->fixed;
  pipeline->layout = pieces->layout;
  const PipelineLayout &layout = orNone(pieces->layout);
  if (!(info.flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR)) {
    complete(device, *pipeline, layout, false, bind);
  } else {
    if (device.session().options().compile != CompileWhen::Draw)
      (void)Maker(device, *pipeline).makeShaders(layout.nodes, compileTimeOf(device.session().options(), false));
    pipeline->pieces = std::make_unique<GraphicsPieces>(std::move(*pieces));
  }
  return pipeline;
}

std::shared_ptr<Pipeline> makeComputePipeline(Device &device, const VkComputePipelineCreateInfo &info,
                                              std::optional<dovetail_bind_info> &bind) {
  std::optional<StageSource> source = readStage(device, info.stage);
  if (!source) {
    device.session().problems().noteUnfollowed("a compute pipeline with a shader that was not followed");
    return nullptr;
  }
  auto pipeline = std::make_shared<Pipeline>();
  pipeline->facts->created = nowNanoseconds();
  pipeline->stages.push_back(std::move(*source));
  setNames(pipeline->stages, *pipeline->facts);
  pipeline->layout = device.pipelineLayouts.find(info.layout);
  complete(device, *pipeline, orNone(pipeline->layout), true, bind);
  return pipeline;
}

template <typename Info, typename Make>
void followPipelines(Device &device, uint32_t count, const Info *infos, const VkPipeline *made, const Make &make) {
  for (uint32_t index = 0; index < count; ++index) {
    if (made[index] == VK_NULL_HANDLE)
      continue;
    const uint64_t start = nowNanoseconds();
    std::optional<dovetail_bind_info> bind;
    std::shared_ptr<Pipeline> pipeline = make(device, infos[index], bind);
    if (!pipeline)
      continue;
    device.session().notePipeline(*pipeline, nowNanoseconds() - start, bind ? &*bind : nullptr);
    device.pipelines.add(made[index], std::move(pipeline));
  }
}

} // namespace

void followCreateGraphicsPipelines(Device &device, VkPipelineCache, uint32_t count,
                                   const VkGraphicsPipelineCreateInfo *infos, const VkAllocationCallbacks *,
                                   const VkPipeline *made) {
  followPipelines(device, count, infos, made, makeGraphicsPipeline);
}

void followCreateComputePipelines(Device &device, VkPipelineCache, uint32_t count,
                                  const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *,
                                  const VkPipeline *made) {
  followPipelines(device, count, infos, made, makeComputePipeline);
}

void followDestroyPipeline(Device &device, VkPipeline handle, const VkAllocationCallbacks *) {
  if (const std::shared_ptr<Pipeline> pipeline = device.pipelines.remove(handle))
    device.session().notePipelineGone(*pipeline);
}

} // namespace dovetail::layer
