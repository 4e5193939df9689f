// SPDX-License-Identifier: MIT
//
// radv-reference GPU: reads scenes from stdin and answers each on stdout with the picture that RADV's code for this GPU
// draws in the emulator (tools/proof/reference/serve_scenes.h). RADV runs in a process of its own, because RADV reads
// its environment only once, and some shaders stop its process.
#include "tools/proof/radv-reference/draw_with_radv.h"
#include "tools/proof/radv-reference/fine_derivatives.h"
#include "tools/proof/radv/radv_family.h"
#include "tools/proof/reference/serve_scenes.h"
#include <bit>
#include <cstdio>

using namespace dovetail;

namespace {

// RADV needs no GL-only state.
Result<ShaderSet> shadersOf(const Scene &scene) {
  std::vector<ShaderRef> shaders;
  for (const SceneShader &shader : scene.shaders) {
    ShaderDescription description = {.name = shader.name, .words = shader.words, .entryPoint = shader.entryPoint};
    if (shader.isOpenGl)
      return makeError(ErrorCode::Unsupported, "{} is a shader of OpenGL", shader.name);
    // Both count the stages in the same order.
    description.stage = static_cast<lgc::ShaderStage>(std::countr_zero(static_cast<uint32_t>(shader.stage)));
    for (const SceneSpecConstant &constant : shader.specConstants)
      description.specConstants.push_back({constant.id, constant.value});
    shaders.push_back(DOVETAIL_TRY(withFineDerivatives(DOVETAIL_TRY(createShader(std::move(description))))));
  }
  return makeShaderSet(shaders);
}

Result<SceneResult> drawScene(std::string_view gpu, const Scene &scene) {
  if (scene.viewMask != 0)
    return makeError(ErrorCode::Unsupported, "RADV's code is drawn with for one view only");
  const ShaderSet shaders = DOVETAIL_TRY(shadersOf(scene));
  std::unique_ptr<RadvDevice> device = DOVETAIL_TRY(RadvDevice::create());
  const RadvPipeline pipeline = DOVETAIL_TRY(device->takePipeline(shaders, scene.state));
  return DOVETAIL_TRY(drawWithRadv(pipeline, emulator::chipOf(gpu), scene, shaders)).result;
}

} // namespace

int main(int argc, char **argv) {
  const std::string_view gpu = argc == 2 ? argv[1] : "";
  const Result<std::string> family = radvFamilyOf(gpu);
  if (!family) {
    std::fprintf(stderr, "%s\n", family.error().text.c_str());
    return 1;
  }
  selectRadv(RadvBackend::Aco, *family);
  return reference::serveScenes([&](const Scene &scene) { return drawScene(gpu, scene); });
}
