// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/c_api/draw_scene.h"
#include "tools/proof/emulator/c_api/ask.h"
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/state_fields.h"
#include <algorithm>

namespace dovetail::emulator_library {

namespace {

using c_api::Outcome;

Outcome<PipelineState> stateOf(const dovetail_state *state) {
  dovetail_pipeline_state fields = DOVETAIL_PIPELINE_STATE_INIT;
  DOVETAIL_C_CHECK(ask([&](auto *message) { return dovetail_state_get(state, &fields, message); }));
  return c_api::toPipelineState(fields, "state");
}

Outcome<void> addVertices(const dovetail_emulator_draw_description &draw, Scene &scene) {
  for (const dovetail_emulator_vertex_buffer &buffer :
       DOVETAIL_C_TRY(c_api::readArray(draw.vertex_buffers, draw.vertex_buffer_count, "draw->vertex_buffers"))) {
    const std::string name = fmt::format("draw->vertex_buffers[{}]", scene.vertexBuffers.size());
    DOVETAIL_C_CHECK(c_api::checkReserved(buffer.reserved, name + ".reserved"));
    DOVETAIL_C_CHECK(c_api::checkNotNull(buffer.data, name + ".data"));
    const auto bytes =
        DOVETAIL_C_TRY(c_api::readArray(static_cast<const uint8_t *>(buffer.data), buffer.data_size, name + ".data"));
    scene.vertexBuffers.push_back({buffer.binding, {bytes.begin(), bytes.end()}});
  }
  const auto indices = DOVETAIL_C_TRY(c_api::readArray(draw.indices, draw.index_count, "draw->indices"));
  if (draw.indices && indices.empty())
    return c_api::badArgument("draw->index_count is 0, but there are indices");
  scene.indices.assign(indices.begin(), indices.end());
  scene.primitiveRestart = DOVETAIL_C_TRY(c_api::readBool(draw.primitive_restart, "draw->primitive_restart"));
  scene.vertexCount = draw.vertex_count;
  scene.instanceCount = draw.instance_count;
  scene.firstVertex = draw.first_vertex;
  scene.firstInstance = draw.first_instance;
  scene.vertexOffset = draw.vertex_offset;
  return {};
}

Outcome<void> addFixedFunction(const dovetail_emulator_draw_description &draw, Scene &scene) {
  using c_api::readBool;
  for (const dovetail_emulator_viewport &viewport :
       DOVETAIL_C_TRY(c_api::readArray(draw.viewports, draw.viewport_count, "draw->viewports")))
    scene.viewports.push_back(
        {viewport.x, viewport.y, viewport.width, viewport.height, viewport.min_depth, viewport.max_depth});
  for (const dovetail_emulator_scissor &scissor :
       DOVETAIL_C_TRY(c_api::readArray(draw.scissors, draw.scissor_count, "draw->scissors")))
    scene.scissors.push_back({{scissor.x, scissor.y}, {scissor.width, scissor.height}});
  scene.cullMode = draw.cull_mode;
  scene.frontFace = static_cast<VkFrontFace>(draw.front_face);
  scene.depthTestEnable = DOVETAIL_C_TRY(readBool(draw.depth_test_enable, "draw->depth_test_enable"));
  scene.depthWriteEnable = DOVETAIL_C_TRY(readBool(draw.depth_write_enable, "draw->depth_write_enable"));
  scene.depthCompareOp = static_cast<VkCompareOp>(draw.depth_compare_op);
  scene.stencilTestEnable = DOVETAIL_C_TRY(readBool(draw.stencil_test_enable, "draw->stencil_test_enable"));
  scene.setStencilReference(draw.stencil_reference);
  scene.sampleMask = draw.sample_mask;
  std::ranges::copy(draw.blend_constants, scene.blendConstants.begin());
  scene.alphaReference = draw.alpha_reference;
  std::ranges::copy(draw.default_tess_levels, scene.defaultTessLevels.begin());
  return {};
}

} // namespace

Outcome<Scene> sceneOf(const dovetail_emulator_draw_description &draw) {
  DOVETAIL_C_CHECK(c_api::checkReserved(draw.reserved, "draw->reserved"));
  Scene scene;
  scene.state = DOVETAIL_C_TRY(stateOf(draw.state));
  DOVETAIL_C_CHECK(addVertices(draw, scene));
  DOVETAIL_C_CHECK(addFixedFunction(draw, scene));
  return scene;
}

} // namespace dovetail::emulator_library
