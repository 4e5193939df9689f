// SPDX-License-Identifier: MIT
//
// Optimised variants of a vertex and a fragment shader leave code out; these tests check that, and which code must
// stay. drawState() checks that they draw the same as joined variants.
#include "parts/cache/part_maker.h"
#include "parts/kinds/main_part.h"
#include "src/abi/registers/registers.h"
#include "tests/states/draw_state.h"
#include "variants/optimize/optimized_variant.h"
#include "variants/optimize/program_cost.h"
#include "variants/state/canonicalize.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <set>

using namespace dovetail;

namespace {

const char *const WriteOne = "layout(location = 0) out vec4 target; void main() { target = vec4(1.0); }";

ShaderSet pipeline(const std::string &vertex, const std::string &fragment) {
  return stateShaders({{lgc::ShaderStage::Vertex, vertex}, {lgc::ShaderStage::Fragment, fragment}});
}

// A vertex shader that draws around the whole target and also runs `statements`.
std::string vertexDoing(const std::string &declarations, const std::string &statements) {
  return declarations + R"(
    void main() {
      vec2 position = vec2(gl_VertexIndex == 1 ? 128.0 : 0.0, gl_VertexIndex == 2 ? 128.0 : 0.0);
      gl_Position = vec4(position / 128.0, 0.5, 1.0);
    )" + statements +
         "}";
}

const Image &optimizedImage(const StatePicture &picture) {
  REQUIRE(picture.optimized);
  return *picture.optimized->image;
}

std::vector<uint8_t> exportedLocations(const Image &image) {
  std::vector<uint8_t> locations;
  for (const ParameterExport &parameter : image.findStage(HardwareStage::Vs)->interface->preRaster.parameters)
    locations.push_back(parameter.location);
  return locations;
}

uint32_t valueOf(const Image &image, uint32_t address) {
  return image.findRegister(address)->value;
}

} // namespace

TEST_CASE("an output that the fragment shader does not read is not exported, its neighbours are") {
  const ShaderSet shaders = pipeline(vertexDoing(R"(
      layout(location = 0) out vec4 first;
      layout(location = 1) out vec4 second;
      layout(location = 2) out vec4 third;)",
                                                 R"(
      first = vec4(position, position.yx * 2.0);
      second = sqrt(vec4(position.yx, 3.0, 4.0));
      third = vec4(position.yx, position.xy * position.y);)"),
                                     R"(
      layout(location = 0) in vec4 first;
      layout(location = 2) in vec4 third;
      layout(location = 0) out vec4 target;
      // All components, so that there is nothing to pack.
      void main() { target = vec4(first.xy, third.x, dot(first, third)); })");
  const StatePicture picture = drawState(stateScene(shaders), shaders);
  CHECK(picture.at(3, 5, 0) == doctest::Approx(3.5));
  CHECK(picture.at(3, 5, 2) == doctest::Approx(5.5));
  CHECK(exportedLocations(*picture.variant->image) == std::vector<uint8_t>{0, 1, 2});
  const Image &optimized = optimizedImage(picture);
  CHECK(exportedLocations(optimized) == std::vector<uint8_t>{0, 2});
  CHECK(field::SPI_VS_OUT_CONFIG::VS_EXPORT_COUNT.get(valueOf(optimized, reg::SPI_VS_OUT_CONFIG)) == 1);
  CHECK(field::SPI_PS_INPUT_CNTL_0::OFFSET.get(valueOf(optimized, reg::SPI_PS_INPUT_CNTL_0 + 1)) == 1);
}

TEST_CASE("varyings that are constant are not interpolated; those that are so on one path only are") {
  const ShaderSet shaders = pipeline(vertexDoing(R"(
      layout(location = 0) out vec2 place;
      layout(location = 1) out vec3 always;
      layout(location = 2) flat out int whole;
      layout(location = 3) out float sometimes;)",
                                                 R"(
      place = position;
      always = vec3(0.1, 0.7, -3.0);
      whole = -17;
      sometimes = 0.25;
      if (gl_VertexIndex == 1)
        sometimes = 0.5;)"),
                                     R"(
      layout(location = 0) in vec2 place;
      layout(location = 1) in vec3 always;
      layout(location = 2) flat in int whole;
      layout(location = 3) in float sometimes;
      layout(location = 0) out vec4 target;
      void main() { target = vec4(place.x * always.y, float(whole) * always.z, always.x, sometimes); })");
  const StatePicture picture = drawState(stateScene(shaders), shaders);
  CHECK(picture.at(2, 3, 0) == doctest::Approx(2.5 * 0.7));
  CHECK(picture.at(2, 3, 1) == doctest::Approx(51));
  CHECK(exportedLocations(*picture.variant->image) == std::vector<uint8_t>{0, 1, 2, 3});
  // place.x and sometimes share a parameter.
  CHECK(exportedLocations(optimizedImage(picture)) == std::vector<uint8_t>{PackedParameter0});
}

TEST_CASE("main parts say component by component what they read, and which outputs are constant") {
  const ShaderSet shaders = pipeline(vertexDoing(R"(
      layout(location = 0) out vec4 first;
      layout(location = 1) out vec4 second;
      layout(location = 5) out float numbers[3];)",
                                                 R"(
      first = vec4(position, 0.25, 0.0);
      second = vec4(1.0);
      if (position.x > 1.0)
        second = vec4(1.0, 2.0, 1.0, 1.0);
      if (position.y > 1.0)
        numbers[gl_VertexIndex] = 0.0;)"),
                                     R"(
      layout(location = 0) in vec4 first;
      layout(location = 1) in vec4 second;
      layout(location = 5) in float numbers[3];
      layout(location = 0) out vec4 target;
      void main() { target = vec4(first.x + first.w, second.yz, numbers[1]); })");
  const StatePicture picture = drawState(stateScene(shaders), shaders);
  const ShaderInterface &fragment = *picture.variant->image->findInterface(HardwareStage::Ps);
  SlotComponents read = {};
  read[GenericSlot] = 1 | 8;
  read[GenericSlot + 1] = 2 | 4;
  read[GenericSlot + 6] = 1;
  CHECK((fragment.inputComponents == read));
  const std::vector<ConstantDword> &constants =
      picture.variant->image->findInterface(HardwareStage::Vs)->constantOutputs;
  auto isConstant = [&](unsigned location, uint8_t component, uint32_t value) {
    ConstantDword constant = {uint8_t(GenericSlot + location), component, value};
    return std::ranges::find(constants, constant) != constants.end();
  };
  CHECK(isConstant(0, 2, 0x3e800000));
  CHECK(isConstant(0, 3, 0));
  CHECK(std::ranges::none_of(constants, [](const ConstantDword &constant) {
    return constant.slot == GenericSlot && constant.component < 2; // the position
  }));
  CHECK_FALSE(isConstant(1, 1, 0x3f800000)); // on one path only
  CHECK_FALSE(isConstant(1, 1, 0x40000000));
}

TEST_CASE("what vertices of zero and infinity are interpolated to is left to the hardware") {
  const ShaderSet shaders =
      pipeline(vertexDoing("layout(location = 0) out vec2 odd;", "odd = vec2(uintBitsToFloat(0x7f800000u), -0.0);"),
               R"(
      layout(location = 0) in vec2 odd;
      layout(location = 0) out vec4 target;
      void main() { target = vec4(odd.x > 1.0 ? 1.0 : 0.0, 0.0, 0.0, floatBitsToUint(odd.y) >> 31); })");
  const StatePicture picture = drawState(stateScene(shaders), shaders);
  CHECK(exportedLocations(picture.optimized ? *picture.optimized->image : *picture.variant->image) ==
        std::vector<uint8_t>{0});
}

TEST_CASE("the point size is exported where points are drawn, and only there") {
  const ShaderSet shaders = pipeline(vertexDoing("", "gl_PointSize = 1.0 + position.x;"), WriteOne);
  Scene scene = stateScene(shaders);
  auto usesPointSize = [](const Image &image) {
    return field::PA_CL_VS_OUT_CNTL::USE_VTX_POINT_SIZE.get(valueOf(image, reg::PA_CL_VS_OUT_CNTL));
  };
  StatePicture picture = drawState(scene, shaders);
  CHECK(usesPointSize(*picture.variant->image) == 1);
  CHECK(usesPointSize(optimizedImage(picture)) == 0);
  CHECK(optimizedImage(picture).findStage(HardwareStage::Vs)->interface->preRaster.positionExports == 1);
  scene.state.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  picture = drawState(scene, shaders);
  if (picture.optimized)
    CHECK(usesPointSize(optimizedImage(picture)) == 1);
}

TEST_CASE("clip distances that do not clip are not exported; cull distances and those that are read are") {
  const ShaderSet shaders = pipeline(vertexDoing("out float gl_ClipDistance[4]; out float gl_CullDistance[1];", R"(
      for (int i = 0; i < 4; ++i)
        gl_ClipDistance[i] = position.x + float(i) * position.y + 1.0;
      gl_CullDistance[0] = 1.0 + position.y;)"),
                                     R"(
      in float gl_ClipDistance[4];
      layout(location = 0) out vec4 target;
      void main() { target = vec4(gl_ClipDistance[3]); })");
  Scene scene = stateScene(shaders);
  scene.state.clipDistanceEnable = 1;
  const StatePicture picture = drawState(scene, shaders);
  CHECK(picture.at(1, 2, 0) == doctest::Approx(1.5 + 3 * 2.5 + 1));
  const ShaderInterface &optimized = *optimizedImage(picture).findStage(HardwareStage::Vs)->interface;
  CHECK(optimized.preRaster.clipDistanceMask == 1);
  CHECK(optimized.preRaster.cullDistanceMask == 2);
  CHECK(exportedLocations(optimizedImage(picture)) == std::vector<uint8_t>{ClipDistanceParameter0});
}

TEST_CASE("transform feedback that is off takes no code; where it is on, what is captured is computed") {
  const ShaderSet shaders = pipeline(vertexDoing(R"(
      layout(xfb_buffer = 0, xfb_stride = 16) out;
      layout(location = 3, xfb_offset = 0) out vec4 value;)",
                                                 "value = sqrt(vec4(position, 2.0, 3.0));"),
                                     WriteOne);
  Scene scene = stateScene(shaders);
  StatePicture picture = drawState(scene, shaders);
  REQUIRE(scene.transformFeedbackBuffers.size() == 1);
  CHECK(optimizedImage(picture).findStage(HardwareStage::Vs)->interface->preRaster.xfb.isUsed());
  CHECK(exportedLocations(optimizedImage(picture)).empty());
  scene.state.transformFeedbackEnable = false;
  picture = drawState(scene, shaders);
  const Image &optimized = optimizedImage(picture);
  CHECK_FALSE(optimized.findStage(HardwareStage::Vs)->interface->preRaster.xfb.isUsed());
  CHECK(field::SPI_SHADER_PGM_RSRC2_VS::SO_EN.get(valueOf(optimized, reg::SPI_SHADER_PGM_RSRC2_VS)) == 0);
}

TEST_CASE("with the rasteriser off, only what is captured is computed") {
  const ShaderSet shaders = pipeline(vertexDoing(R"(
      layout(xfb_buffer = 0, xfb_stride = 4) out;
      layout(location = 0) out vec4 color;
      layout(location = 1, xfb_offset = 0) out float value;)",
                                                 "color = sqrt(vec4(position, 2.0, 3.0)); value = position.x;"),
                                     "layout(location = 0) in vec4 color; layout(location = 0) out vec4 target;"
                                     "void main() { target = color; }");
  Scene scene = stateScene(shaders);
  scene.state.rasterizerDiscardEnable = true;
  const StatePicture picture = drawState(scene, shaders);
  CHECK(picture.result.buffers[scene.transformFeedbackBuffers.at(0)] !=
        scene.buffers[scene.transformFeedbackBuffers.at(0)]);
  CHECK(exportedLocations(optimizedImage(picture)).empty());
}

TEST_CASE("colours that no target takes are not computed, and their inputs not exported") {
  const ShaderSet shaders =
      pipeline(vertexDoing(R"(
      layout(location = 0) out vec4 first;
      layout(location = 1) out vec4 second;)",
                           "first = vec4(position, position * 2.0); second = vec4(position.yx, position.yx * 3.0);"),
               R"(
      layout(location = 0) in vec4 first;
      layout(location = 1) in vec4 second;
      layout(location = 0) out vec4 target;
      layout(location = 1) out vec4 other;
      void main() { target = first; other = sin(second); })");
  Scene scene = stateScene(shaders);
  StatePicture picture = drawState(scene, shaders);
  CHECK(exportedLocations(optimizedImage(picture)) == std::vector<uint8_t>{0});
  scene.state.colorTargets[1].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  picture = drawState(scene, shaders);
  CHECK(exportedLocations(picture.optimized ? *picture.optimized->image : *picture.variant->image) ==
        std::vector<uint8_t>{0, 1});
}

TEST_CASE("a colour of which only the alpha of alpha-to-one is wanted is exported, and nothing of it computed") {
  const ShaderSet shaders = pipeline(WholeTarget, R"(
      layout(location = 0) in vec2 position;
      layout(location = 0) out vec4 target;
      void main() { target = sqrt(position.xyxy); })");
  Scene scene = stateScene(shaders);
  scene.state.alphaToOneEnable = true;
  scene.state.colorTargets[0].writeMask = VK_COLOR_COMPONENT_A_BIT;
  const StatePicture picture = drawState(scene, shaders);
  CHECK(picture.at(3, 5, 3) == 1);
  CHECK(exportedLocations(*picture.variant->image) == std::vector<uint8_t>{0});
  CHECK(exportedLocations(optimizedImage(picture)).empty());
}

TEST_CASE("alpha that is 1 by alpha-to-one is tested though nothing of the colour is written") {
  const ShaderSet shaders = pipeline(WholeTarget, R"(
      layout(location = 0) in vec2 position;
      layout(location = 0) out vec4 target;
      layout(location = 1) out vec4 other;
      void main() { target = sqrt(position.xyxy); other = vec4(position, 2.0, 3.0); })");
  Scene scene = stateScene(shaders);
  scene.state.alphaToOneEnable = true;
  scene.state.colorTargets[0].writeMask = 0;
  scene.state.colorTargets[1].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  for (VkCompareOp op : {VK_COMPARE_OP_NEVER, VK_COMPARE_OP_LESS, VK_COMPARE_OP_GREATER}) {
    CAPTURE(op);
    scene.state.alphaTestFunc = op;
    scene.alphaReference = 0.5f;
    drawState(scene, shaders);
  }
}

TEST_CASE("a second source of blending stays though nothing of it is wanted") {
  const ShaderSet shaders = pipeline(WholeTarget, R"(
      layout(location = 0) in vec2 position;
      layout(location = 0, index = 0) out vec4 target;
      layout(location = 0, index = 1) out vec3 factor;
      void main() { target = vec4(position, position); factor = sqrt(position.xyx); })");
  Scene scene = stateScene(shaders);
  ColorTarget &target = scene.state.colorTargets[0];
  target.blendEnable = true;
  target.srcColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR;
  target.writeMask = VK_COLOR_COMPONENT_A_BIT;
  const StatePicture picture = drawState(scene, shaders);
  CHECK(picture.at(3, 5, 3) == doctest::Approx(5.5));
}

TEST_CASE("a primitive's number that only an unused colour needs is not exported") {
  const ShaderSet shaders = pipeline(WholeTarget, R"(
      layout(location = 0) in vec2 position;
      layout(location = 0) out vec4 target;
      layout(location = 1) out vec4 other;
      void main() { target = vec4(position, 0.0, 1.0); other = vec4(gl_PrimitiveID); })");
  const StatePicture picture = drawState(stateScene(shaders), shaders);
  CHECK(exportedLocations(*picture.variant->image) == std::vector<uint8_t>{0, PrimitiveIdParameter});
  CHECK(exportedLocations(optimizedImage(picture)) == std::vector<uint8_t>{0});
}

TEST_CASE("an optimised variant needs no more than the joined one, in no program") {
  const ShaderSet shaders = pipeline(WholeTarget, WriteOne);
  const StatePicture picture = drawState(stateScene(shaders), shaders);
  CHECK(describeLoss(*picture.variant->image, optimizedImage(picture)).empty());
  CHECK_FALSE(describeLoss(optimizedImage(picture), *picture.variant->image).empty());
}

TEST_CASE("states of clip distances and of transform feedback matter to shaders that have them") {
  const ShaderSet plain = pipeline(WholeTarget, WriteOne);
  const ShaderSet clipping = pipeline(
      vertexDoing("out float gl_ClipDistance[2];", "gl_ClipDistance[0] = gl_ClipDistance[1] = position.x;"), WriteOne);
  auto matters = [](const ShaderSet &shaders, const auto &change) {
    PipelineState state, other;
    change(other);
    return !(makeVariantKey(shaders, canonicalize(state, shaders), {}) ==
             makeVariantKey(shaders, canonicalize(other, shaders), {}));
  };
  CHECK_FALSE(matters(plain, [](PipelineState &state) { state.clipDistanceEnable = 0; }));
  CHECK_FALSE(matters(plain, [](PipelineState &state) { state.transformFeedbackEnable = false; }));
  CHECK(matters(clipping, [](PipelineState &state) { state.clipDistanceEnable = 0; }));
  CHECK_FALSE(matters(clipping, [](PipelineState &state) { state.clipDistanceEnable = 3; }));
}

TEST_CASE("clip distances are as many as the shader is specialised to have") {
  const ShaderSet shaders = pipeline(R"(
      layout(constant_id = 3) const int Count = 1;
      out float gl_ClipDistance[Count];
      void main() {
        gl_Position = vec4(float(gl_VertexIndex), 0.0, 0.5, 1.0);
        for (int i = 0; i < Count; ++i)
          gl_ClipDistance[i] = float(i) - 0.5;
      })",
                                     WriteOne);
  auto keyWith = [&](uint64_t count, uint8_t enabled) {
    ShaderDescription description = shaders.shader(lgc::ShaderStage::Vertex)->description;
    description.specConstants = {{3, count}};
    Result<ShaderRef> vertex = createShader(std::move(description));
    REQUIRE_MESSAGE(vertex.has_value(), vertex.error().text);
    ShaderSet special = shaders;
    special.shaders[size_t(lgc::ShaderStage::Vertex)] = *vertex;
    PipelineState state;
    state.clipDistanceEnable = enabled;
    return makeOptimizedKey(special, canonicalize(state, special), nullptr);
  };
  CHECK_FALSE((keyWith(4, 1) == keyWith(4, 0xf)));
  CHECK((keyWith(4, 0xf) == keyWith(4, 0xff)));
  CHECK((keyWith(1, 1) == keyWith(1, 0xf)));
}

TEST_CASE("a clip distance whose predecessors do not clip clips alone") {
  const ShaderSet shaders = pipeline(vertexDoing("out float gl_ClipDistance[6];", R"(
      for (int i = 0; i < 6; ++i)
        gl_ClipDistance[i] = i == 4 ? 4.0 - position.x : -1.0;)"),
                                     WriteOne);
  Scene scene = stateScene(shaders);
  scene.state.clipDistanceEnable = 1 << 4;
  const StatePicture picture = drawState(scene, shaders);
  CHECK(picture.at(3, 2, 0) == 1);
  CHECK(picture.at(4, 2, 0) == 0);
  CHECK(optimizedImage(picture).findStage(HardwareStage::Vs)->interface->preRaster.clipDistanceMask == 1 << 4);
}

TEST_CASE("each thing that a compile may assume makes another key of its part") {
  // A new field needs a new line below.
  [[maybe_unused]] const auto &[outputs, patchOutputs, keptColors, fixedFunction, feedback, constants, uniforms,
                                patches, packed] = StageKnowledge();
  std::vector<StageKnowledge> assumptions(1);
  auto assume = [&]() -> StageKnowledge & { return assumptions.emplace_back(); };
  assume().droppedOutputs[3] = 1;
  assume().droppedOutputs[3] = 2;
  assume().droppedOutputs[4] = 1;
  assume().droppedPatchOutputs[3] = 1;
  assume().keptColors = 1;
  assume().keptColors = 2;
  assume().droppedFixedFunctionOutputs[3] = 1;
  assume().dropsTransformFeedback = true;
  for (ConstantDword constant : {ConstantDword{3, 1, 7}, {4, 1, 7}, {3, 2, 7}, {3, 1, 8}})
    assume().constantInputs = {constant};
  assume().constantInputs = {{3, 1, 7}, {3, 2, 7}};
  using Place = InlinableUniform::Place;
  for (InlinableUniform uniform : {InlinableUniform{Place::UniformBuffer, 1, 2, 4, 7},
                                   {Place::PushConstants, 1, 2, 4, 7},
                                   {Place::UniformBuffer, 3, 2, 4, 7},
                                   {Place::UniformBuffer, 1, 3, 4, 7},
                                   {Place::UniformBuffer, 1, 2, 8, 7},
                                   {Place::UniformBuffer, 1, 2, 4, 8}})
    assume().inlinableUniforms = {uniform};
  assume().patchControlPoints = 3;
  assume().patchControlPoints = 4;
  for (PackedParameter parameter : {PackedParameter{{1, 2}, {128, 0}},
                                    {{2, 2}, {128, 0}},
                                    {{1, 1}, {128, 0}},
                                    {{1, 2}, {129, 0}},
                                    {{1, 2}, {128, 1}},
                                    {{1, 2}, {128, 0}, DwordPart::LowHalf},
                                    {{1, 2}, {128, 0}, DwordPart::HighHalf}})
    assume().packedParameters = {parameter};

  std::set<std::string> keys;
  for (const StageKnowledge &knowledge : assumptions) {
    MainPartKey key;
    key.knowledge = knowledge;
    keys.insert(key.partKey().hash.toHex());
  }
  CHECK(keys.size() == assumptions.size());
}

TEST_CASE("a vertex shader is optimised once for fragment shaders that make the same use of it") {
  const std::string vertex = vertexDoing(R"(
      layout(location = 0) out vec4 first;
      layout(location = 1) out vec4 second;)",
                                         R"(
      first = vec4(position, position.yx * 2.0);
      second = sqrt(vec4(position.yx, 3.0, 4.0));)");
  auto behind = [&](const std::string &expression) {
    return pipeline(vertex, "layout(location = 0) in vec4 first; layout(location = 0) out vec4 target; void main() {"
                            "target = " +
                                expression + "; }");
  };
  std::unique_ptr<Device> device = Device::create("gfx900").value();
  PartMaker &maker = device->partMaker();
  // Returns the number of vertex main parts in the cache afterwards.
  auto optimize = [&](const ShaderSet &shaders) {
    const PipelineState state = canonicalize(stateScene(shaders).state, shaders);
    auto joined = device->bind(shaders, state);
    REQUIRE_MESSAGE(joined, joined.error().text);
    auto built =
        buildOptimizedVariant(maker, makeOptimizedKey(shaders, state, nullptr), shaders, state, nullptr, **joined, {});
    REQUIRE_MESSAGE(built, built.error().text);
    REQUIRE(built->variant);
    return std::ranges::count_if(maker.cache().parts(), [](const PartRef &part) {
      return part->description.find("vertex main") != std::string::npos;
    });
  };
  const auto once = optimize(behind("first * 2.0"));
  CHECK(once > 1);
  CHECK(optimize(behind("first.wzyx")) == once);
  CHECK(optimize(behind("first.xxyy + 1.0")) > once); // reads two components of `first`
}
