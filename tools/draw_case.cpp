// SPDX-License-Identifier: MIT
#include "tools/draw_case.h"
#include "merge/check_image.h"
#include "src/state/format_table.h"
#include "tests/scene_maker/make_scene.h"
#include "tools/lone_fragment.h"
#include "tools/lone_vertex.h"
#include "tools/read_shaders.h"
#include "tools/scene_json.h"
#include "tools/state_file.h"
#include "variants/default_state.h"

namespace dovetail {

namespace {

// For a shell: quoted unless it is plain.
std::string quoted(const std::string &text) {
  constexpr std::string_view Plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!text.empty() && text.find_first_not_of(Plain) == std::string::npos)
    return text;
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

void setFloatColorFormat(PipelineState &state, VkFormat format) {
  if (format == VK_FORMAT_UNDEFINED)
    return;
  for (ColorTarget &target : state.colorTargets)
    if (const FormatInfo *info = findFormat(target.format); info && !info->isInteger())
      target.format = format;
}

} // namespace

Result<DrawCase> makeDrawCase(const DrawRequest &request) {
  return makeDrawCase(DOVETAIL_TRY(readShaders(request.files)), request);
}

Result<DrawCase> makeDrawCase(std::vector<ShaderRef> shaders, const DrawRequest &request) {
  DOVETAIL_CHECK(accompanyLoneFragmentShader(shaders));
  DOVETAIL_CHECK(accompanyLoneVertexShader(shaders));
  DrawCase made;
  made.shaders = DOVETAIL_TRY(makeShaderSet(shaders));
  PipelineState state = request.randomState ? randomState(made.shaders, request.seed)
                                            : defaultState(made.shaders.reflection(lgc::ShaderStage::Vertex),
                                                           made.shaders.reflection(lgc::ShaderStage::Fragment));
  setFloatColorFormat(state, request.floatColorFormat);
  if (!request.stateFile.empty())
    state = DOVETAIL_TRY(readStateFile(request.stateFile, state));
  SceneOptions options = {request.seed, request.width, request.height};
  made.scene = DOVETAIL_TRY(makeScene(made.shaders, state, options));
  if (request.stateFile.empty())
    return made;
  DOVETAIL_CHECK(readSceneFile(request.stateFile, made.scene));
  if (made.scene.width == request.width && made.scene.height == request.height)
    return made;
  // What is made up depends on the framebuffer's size, which the file has just changed.
  options.width = made.scene.width;
  options.height = made.scene.height;
  made.scene = DOVETAIL_TRY(makeScene(made.shaders, state, options));
  DOVETAIL_CHECK(readSceneFile(request.stateFile, made.scene));
  return made;
}

Result<Drawing> drawInEmulator(Device &device, const DrawCase &drawCase, bool monolithic, uint64_t roundingNoise) {
  VariantRef variant = DOVETAIL_TRY(device.bind(drawCase.shaders, drawCase.scene.state, {monolithic}));
  DOVETAIL_CHECK(checkImage(*variant->image));
  Drawing drawing;
  drawing.result =
      DOVETAIL_TRY(emulate(drawCase.scene, drawCase.shaders, *variant->image, &drawing.statistics, roundingNoise));
  return drawing;
}

Result<Comparison> compareDrawing(Device &device, const DrawCase &drawCase, const Drawing &drawing, bool monolithic,
                                  const SceneResult &reference, const Tolerance &tolerance) {
  Comparison comparison = compare(drawCase.scene, drawing.result, reference, tolerance);
  if (comparison.matches)
    return comparison;
  constexpr unsigned VariationCount = 8;
  std::vector<SceneResult> variations;
  for (unsigned seed = 1; seed <= VariationCount; ++seed)
    variations.push_back(DOVETAIL_TRY(drawInEmulator(device, drawCase, monolithic, seed)).result);
  return compare(drawCase.scene, drawing.result, reference, tolerance, variations);
}

Tolerance monolithicTolerance() {
  return {.relative = 1e-6, .absolute = 1e-7, .normalizedSteps = 1, .halfUlps = 1, .perMilleOutside = 0};
}

std::string replayCommand(const DrawRequest &request, const std::string &gpu) {
  std::string command = "dovetail draw";
  for (const std::string &file : request.files)
    command += " " + quoted(file);
  command += fmt::format(" --gpu {} --seed {} --size {}x{}", gpu, request.seed, request.width, request.height);
  if (request.randomState)
    command += " --random-state";
  if (request.floatColorFormat != VK_FORMAT_UNDEFINED)
    command += fmt::format(" --color-format {}", formatName(request.floatColorFormat));
  if (!request.stateFile.empty())
    command += " --state " + quoted(request.stateFile);
  return command + " --joined --monolithic --compare";
}

} // namespace dovetail
