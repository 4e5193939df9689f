// SPDX-License-Identifier: MIT
#include "tests/link/random_pipelines.h"
#include "src/state/ycbcr_conversion.h"
#include "tests/driver/layouts/random_layout.h"
#include "tests/link/part_makers.h"
#include "tests/variants/background/background_device.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <algorithm>
#include <fmt/format.h>

namespace dovetail {

namespace {

using lgc::ShaderStage;

constexpr unsigned Locations = 4; // the last one is flat
constexpr const char *Resources =
    "layout(set = 0, binding = 0) uniform Numbers { vec4 scale; vec4 bias; };"
    "layout(set = 0, binding = 1) readonly buffer Table { vec4 table[4]; };"
    "layout(set = 1, binding = 0) uniform sampler2D picture;"
    "layout(set = 1, binding = 1) uniform texture2D image; layout(set = 1, binding = 2) uniform sampler filtered;";

// A term that depends on a resource, or on none.
std::string randomTerm(Random &random) {
  constexpr const char *Terms[] = {"scale * 0.25",
                                   "bias * 0.5",
                                   "table[1] * 0.125",
                                   "table[3].wzyx * 0.25",
                                   "textureLod(picture, vec2(0.3, 0.6), 0.0)",
                                   "textureLod(sampler2D(image, filtered), vec2(0.7, 0.2), 0.0)",
                                   "vec4(0.25)",
                                   "vec4(0.125, 0.5, 0.0, 1.0)"};
  return random.pick(Terms);
}

std::string interfaceOf(const char *direction, const char *prefix, const char *array) {
  std::string text;
  for (unsigned location = 0; location < Locations; ++location)
    text += fmt::format("layout(location = {0}) {1} {2} vec4 {3}{0}{4};", location,
                        location == Locations - 1 ? "flat" : "", direction, prefix, array);
  return text;
}

std::string vertexText(Random &random) {
  std::string text =
      fmt::format("{}layout(location = 0) in vec4 position; layout(location = 1) in vec4 color;{}"
                  "out gl_PerVertex {{ vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; }};"
                  "void main() {{ gl_Position = position; ",
                  Resources, interfaceOf("out", "to", ""));
  for (unsigned location = 0; location < Locations; ++location)
    text += fmt::format("to{} = color * {}.0 + {};", location, location + 1, randomTerm(random));
  if (random.chance(30))
    text += "gl_PointSize = 1.0;";
  if (random.chance(30))
    text += "gl_ClipDistance[0] = position.x + 0.5; gl_ClipDistance[1] = 0.75 - position.y;";
  return text + "}";
}

std::string controlText(Random &random) {
  std::string text =
      fmt::format("{}layout(vertices = 3) out;{}{}"
                  "void main() {{ gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;"
                  "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = {}.0;"
                  "gl_TessLevelInner[0] = 1.0;",
                  Resources, interfaceOf("in", "from", "[]"), interfaceOf("out", "to", "[]"), random.between(1, 3));
  for (unsigned location = 0; location < Locations; ++location)
    text += random.chance(50) ? fmt::format("to{0}[gl_InvocationID] = from{0}[gl_InvocationID];", location)
                              : fmt::format("to{0}[gl_InvocationID] = from{0}[gl_InvocationID].yxwz + {1};", location,
                                            randomTerm(random));
  return text + "}";
}

std::string evaluationText(Random &random) {
  std::string text = fmt::format("{}layout(triangles, equal_spacing) in;{}{}void main() {{ vec3 c = gl_TessCoord;"
                                 "gl_Position = gl_in[0].gl_Position * c.x + gl_in[1].gl_Position * c.y"
                                 "            + gl_in[2].gl_Position * c.z;",
                                 Resources, interfaceOf("in", "from", "[]"), interfaceOf("out", "to", ""));
  for (unsigned location = 0; location < Locations; ++location)
    text += fmt::format("to{0} = from{0}[0] {1};", location, random.chance(50) ? "" : "+ " + randomTerm(random));
  return text + "}";
}

std::string geometryText(Random &random) {
  std::string text = fmt::format("{}layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;{}{}"
                                 "void main() {{ for (int i = 0; i < 3; ++i) {{ gl_Position = gl_in[i].gl_Position;"
                                 "  gl_PrimitiveID = gl_PrimitiveIDIn;",
                                 Resources, interfaceOf("in", "from", "[]"), interfaceOf("out", "to", ""));
  for (unsigned location = 0; location < Locations; ++location)
    text += fmt::format("to{0} = from{0}[i] {1};", location, random.chance(50) ? "" : "+ " + randomTerm(random));
  return text + "EmitVertex(); } }";
}

std::string fragmentText(Random &random) {
  const unsigned targets = random.between(1, 3);
  std::string text = std::string(Resources) + interfaceOf("in", "from", "");
  for (unsigned target = 0; target < targets; ++target)
    text += fmt::format("layout(location = {0}) out vec4 target{0};", target);
  text += "void main() {";
  if (random.chance(20))
    text += fmt::format("if (gl_FragCoord.x < 3.0) discard;");
  constexpr const char *Swizzles[] = {"xyzw", "xxxx", "wwww", "yyzz", "xzxz"};
  for (unsigned target = 0; target < targets; ++target) {
    text += fmt::format("target{} = {}", target, randomTerm(random));
    for (unsigned count = random.below(3); count > 0; --count)
      text += fmt::format(" + from{}.{} * 0.125", random.below(Locations), random.pick(Swizzles));
    text += random.chance(15) ? " + vec4(float(gl_PrimitiveID & 3) * 0.125);" : ";";
  }
  if (random.chance(15))
    text += "gl_FragDepth = 0.25 + 0.5 * float(int(gl_FragCoord.x) & 1);";
  return text + "}";
}

ShaderRef randomShader(ShaderStage stage, Random &random) {
  switch (stage) {
  case ShaderStage::Vertex:
    return compileGlsl(stage, vertexText(random));
  case ShaderStage::TessControl:
    return compileGlsl(stage, controlText(random));
  case ShaderStage::TessEval:
    return compileGlsl(stage, evaluationText(random));
  case ShaderStage::Geometry:
    return compileGlsl(stage, geometryText(random));
  default:
    break;
  }
  const ShaderRef plain = compileGlsl(stage, fragmentText(random));
  if (!random.chance(20))
    return plain;
  ShaderDescription description = plain->description;
  description.colorInputs = {{{0, random.chance(50) ? 1 : lgc::ColorInputLocations::None}, {}}};
  return must(createShader(std::move(description)));
}

// Buffers and samplers in other forms, and everything at other places.
void changeLayout(ShaderSet &shaders, Random &random) {
  std::vector<ShaderRef> list;
  for (const ShaderRef &shader : shaders.shaders)
    if (shader)
      list.push_back(shader);
  UserDataNodes nodes = must(makeShaderSet(list)).userDataNodes();
  UserDataNodes more;
  for (UserDataNode &node : nodes) {
    if (node.type == UserDataNodeType::Buffer && random.chance(60)) {
      constexpr UserDataNodeType Forms[] = {UserDataNodeType::CompactBuffer, UserDataNodeType::RootBuffer,
                                            UserDataNodeType::DynamicOffset};
      const UserDataNodeType form = random.pick(Forms);
      if (form == UserDataNodeType::DynamicOffset) {
        more.push_back({form, node.set, node.binding, 0, 1, 1});
      } else {
        node.type = form;
        node.sizeInDwords = node.strideInDwords = form == UserDataNodeType::CompactBuffer ? 2 : 4;
      }
    }
    if (node.type == UserDataNodeType::Sampler && random.chance(30))
      more.push_back({UserDataNodeType::YcbcrConversion, node.set, node.binding, 4 + random.below(2), 1, 1});
    if (node.type == UserDataNodeType::CombinedImageSampler && random.chance(40)) {
      more.push_back({UserDataNodeType::YcbcrConversion, node.set, node.binding, 6, 1, 1});
      for (UserDataNodeType plane : {UserDataNodeType::ImagePlane1, UserDataNodeType::ImagePlane2})
        more.push_back({plane, node.set, node.binding, 0, 8, 8});
    }
    if (node.type == UserDataNodeType::Sampler && random.chance(40)) {
      node.type = UserDataNodeType::ImmutableSampler;
      node.offsetInDwords = 0;
      node.sizeInDwords = node.strideInDwords = 4;
    }
  }
  nodes.insert(nodes.end(), more.begin(), more.end());
  // A sampler of zeros, then conversions.
  std::vector<uint32_t> content = {0,
                                   0,
                                   0,
                                   0,
                                   toDword({.model = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601}),
                                   toDword({.range = VK_SAMPLER_YCBCR_RANGE_ITU_NARROW}),
                                   toDword({.planes = 3, .halfWidth = true, .halfHeight = true})};
  shaders.layout = std::make_shared<const ResourceLayout>(randomLayout(nodes, random.next()), std::move(content));
}

void changeState(RandomPipeline &pipeline, Random &random) {
  PipelineState &state = pipeline.state;
  state = randomState(pipeline.shaders, random.next());
  for (ColorTarget &target : state.colorTargets)
    if (random.chance(20))
      target.format = VK_FORMAT_UNDEFINED;
  state.rasterizerDiscardEnable = random.chance(5);
  state.clipDistanceEnable = uint8_t(random.next());
  state.colorTwoSide = random.chance(50);
  state.flatShadeColors = random.chance(30);
  if (random.chance(15))
    state.alphaTestFunc = VkCompareOp(random.below(8));
  if (random.chance(10))
    state.smoothing = true, state.rasterizationSamples = 4;
  if (random.chance(15))
    state.depthStencilFormat = VK_FORMAT_UNDEFINED;
  state.clampVertexColor = random.chance(30);
  state.pointSmoothing = random.chance(10);
  state.spriteCoordEnable = random.chance(30) ? uint32_t(random.next()) : 0;
  state.spriteCoordLowerLeft = random.chance(30);
}

void changeStages(ShaderSet &shaders, std::optional<ShaderStage> keep, Random &random) {
  auto change = [&](ShaderStage stage, bool isThere) {
    ShaderRef &shader = shaders.shaders[size_t(stage)];
    if (stage == keep)
      return;
    if (!isThere)
      shader = nullptr;
    else if (!shader || random.chance(50))
      shader = randomShader(stage, random);
  };
  const bool keepsTessellation = keep == ShaderStage::TessControl || keep == ShaderStage::TessEval;
  const bool isTessellated = keepsTessellation || random.chance(15);
  change(ShaderStage::Vertex, true);
  change(ShaderStage::TessControl, isTessellated);
  change(ShaderStage::TessEval, isTessellated);
  change(ShaderStage::Geometry, random.chance(20));
  change(ShaderStage::Fragment, random.chance(95));
}

} // namespace

RandomPipeline randomPipeline(Random &random) {
  RandomPipeline pipeline;
  changeStages(pipeline.shaders, std::nullopt, random);
  changeLayout(pipeline.shaders, random);
  changeState(pipeline, random);
  return pipeline;
}

RandomPipeline changedPipeline(RandomPipeline pipeline, ShaderStage keep, Random &random) {
  bool isChanged = false;
  if (random.chance(30)) {
    changeStages(pipeline.shaders, keep, random);
    isChanged = true;
  }
  if (isChanged || random.chance(30))
    changeLayout(pipeline.shaders, random);
  if (isChanged || random.chance(40))
    changeState(pipeline, random);
  return pipeline;
}

} // namespace dovetail
