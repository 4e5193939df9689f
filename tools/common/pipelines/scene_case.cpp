// SPDX-License-Identifier: MIT
#include "tools/common/pipelines/scene_case.h"
#include "tools/common/command/write_file.h"
#include "tools/proof/scene/scene_file.h"

namespace dovetail {

namespace {

Result<lgc::ShaderStage> stageOf(const SceneShader &shader) {
  constexpr std::pair<VkShaderStageFlagBits, lgc::ShaderStage> Stages[] = {
      {VK_SHADER_STAGE_VERTEX_BIT, lgc::ShaderStage::Vertex},
      {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, lgc::ShaderStage::TessControl},
      {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, lgc::ShaderStage::TessEval},
      {VK_SHADER_STAGE_GEOMETRY_BIT, lgc::ShaderStage::Geometry},
      {VK_SHADER_STAGE_FRAGMENT_BIT, lgc::ShaderStage::Fragment},
      {VK_SHADER_STAGE_COMPUTE_BIT, lgc::ShaderStage::Compute},
  };
  for (const auto &[bit, stage] : Stages)
    if (bit == shader.stage)
      return stage;
  return makeError(ErrorCode::Unsupported, "{}: VkShaderStageFlagBits {:#x}", shader.name, uint32_t(shader.stage));
}

} // namespace

bool namesScene(std::string_view name) {
  return name.ends_with(".scene");
}

Result<DrawCase> readSceneCase(const std::string &path) {
  const std::string content = DOVETAIL_TRY(readWholeFile(path));
  DrawCase made;
  made.scene = DOVETAIL_TRY(readScene({reinterpret_cast<const uint8_t *>(content.data()), content.size()}));
  std::vector<ShaderRef> shaders;
  for (const SceneShader &shader : made.scene.shaders) {
    ShaderDescription description;
    description.name = shader.name;
    description.words = shader.words;
    description.entryPoint = shader.entryPoint;
    description.stage = DOVETAIL_TRY(stageOf(shader));
    if (shader.isOpenGl)
      description.environment = spirv::Environment::OpenGl;
    for (const SceneSpecConstant &constant : shader.specConstants)
      description.specConstants.push_back({constant.id, constant.value});
    shaders.push_back(DOVETAIL_TRY(createShader(std::move(description))));
  }
  made.shaders = DOVETAIL_TRY(makeShaderSet(shaders));
  return made;
}

} // namespace dovetail
