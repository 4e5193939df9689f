// SPDX-License-Identifier: MIT
//
// radv-reference GPU: reads scenes from stdin and answers each on stdout with what RADV's code for this GPU draws in
// the emulator (tools/reference/serve_scenes.h). RADV is in this process, as it reads its environment once, and some
// shaders stop its process.
#include "tools/radv-reference/draw_with_radv.h"
#include "tools/radv-reference/fine_derivatives.h"
#include "tools/reference/serve_scenes.h"
#include <algorithm>
#include <bit>
#include <cstdio>

using namespace dovetail;

namespace {

// A GPU as LLVM calls it, and as RADV does. Source: Mesa 22.3, amd_family.c and radv_null_winsys.c.
struct RadvGpu {
  std::string_view gpu, family;
};
constexpr RadvGpu Gpus[] = {{"gfx801", "carrizo"}, {"gfx802", "tonga"},  {"gfx803", "polaris10"},
                            {"gfx810", "stoney"},  {"gfx900", "vega10"}, {"gfx902", "raven"},
                            {"gfx904", "vega12"},  {"gfx906", "vega20"}, {"gfx909", "raven2"}};

// RADV's code needs no state that only GL has.
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

Result<SceneResult> drawScene(const RadvGpu &gpu, const Scene &scene) {
  const ShaderSet shaders = DOVETAIL_TRY(shadersOf(scene));
  std::unique_ptr<RadvDevice> device = DOVETAIL_TRY(RadvDevice::create());
  const RadvPipeline pipeline = DOVETAIL_TRY(device->takePipeline(shaders, scene.state));
  return DOVETAIL_TRY(drawWithRadv(pipeline, emulator::chipOf(gpu.gpu), scene, shaders)).result;
}

} // namespace

int main(int argc, char **argv) {
  const std::string_view name = argc == 2 ? argv[1] : "";
  const RadvGpu *gpu = std::ranges::find(Gpus, name, &RadvGpu::gpu);
  if (gpu == std::end(Gpus)) {
    std::fprintf(stderr, "RADV of Mesa 22.3 has no GPU \"%.*s\" that the emulator has, too\n", int(name.size()),
                 name.data());
    return 1;
  }
  selectRadv(RadvBackend::Aco, std::string(gpu->family));
  return reference::serveScenes([&](const Scene &scene) { return drawScene(*gpu, scene); });
}
