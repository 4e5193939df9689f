// SPDX-License-Identifier: MIT
#include "tools/common/pipelines/softened_twin.h"
#include "tools/common/inputs/spirv/soften_constants.h"
#include <algorithm>

namespace dovetail {

bool isChaos(const Comparison &comparison) {
  return !comparison.matches && std::ranges::all_of(comparison.channels, [](const ChannelDifference &channel) {
    return channel.outside == 0;
  });
}

Result<std::optional<DrawCase>> softenedTwin(const DrawCase &drawCase) {
  DrawCase twin = drawCase;
  std::vector<ShaderRef> shaders;
  bool isSofter = false;
  for (const ShaderRef &shader : drawCase.shaders.shaders) {
    if (!shader || shader->passesThrough) // makeShaderSet() makes pass-through shaders again
      continue;
    ShaderDescription description = shader->description;
    description.words = softenConstants(description.words);
    isSofter |= description.words != shader->description.words;
    shaders.push_back(DOVETAIL_TRY(createShader(std::move(description))));
  }
  if (!isSofter)
    return std::nullopt;
  twin.shaders = DOVETAIL_TRY(makeShaderSet(shaders));
  for (SceneShader &shader : twin.scene.shaders)
    shader.words = softenConstants(shader.words);
  return twin;
}

} // namespace dovetail
