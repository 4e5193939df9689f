// SPDX-License-Identifier: MIT
//
// Fragment shader interlock: 40 triangles cover the whole target. Each changes the same places in memory, in a way that
// does not commute. The emulator runs 24 waves at once, the youngest first.
#include "merge/check/entry.h"
#include "src/abi/registers/registers.h"
#include "tests/driver/shared_device.h"
#include "tests/states/draw_state.h"
#include <cstring>
#include <doctest/doctest.h>
#include <functional>

using namespace dovetail;

namespace {

constexpr uint32_t Primitives = 40;
constexpr uint32_t Places = StateSize * StateSize;

const char *const Vertices = R"(
  layout(location = 0) flat out uint number;
  void main() {
    number = gl_InstanceIndex + 1;
    vec2 position = vec2(gl_VertexIndex == 1 ? 128.0 : 0.0, gl_VertexIndex == 2 ? 128.0 : 0.0);
    gl_Position = vec4(position / 128.0, 0.5, 1.0);
  }
)";

const std::string PixelInterlock = "layout(pixel_interlock_ordered) in;";

// GLSL allows the section only in main() and outside of branches; SPIR-V allows it anywhere.
const std::string Anywhere = R"(
  #extension GL_EXT_spirv_intrinsics : require
  layout(pixel_interlock_ordered) in;
  spirv_instruction(extensions = ["SPV_EXT_fragment_shader_interlock"], capabilities = [5378], id = 5364) void begin();
  spirv_instruction(extensions = ["SPV_EXT_fragment_shader_interlock"], capabilities = [5378], id = 5365) void end();
)";

ShaderSet interlocked(const std::string &declarations, const std::string &body) {
  return stateShaders({{lgc::ShaderStage::Vertex, Vertices},
                       {lgc::ShaderStage::Fragment, "#extension GL_ARB_fragment_shader_interlock : require\n" +
                                                        declarations +
                                                        R"(
                          layout(location = 0) flat in uint number;
                          layout(location = 0) out vec4 target;
                          layout(std430, set = 0, binding = 0) coherent buffer Data { uint data[]; };
                          void main() {
                            uint place = uint(gl_FragCoord.y) * 8u + uint(gl_FragCoord.x);
                            target = vec4(1);)" + body + "}"}});
}

Scene sceneOf(const ShaderSet &shaders, uint32_t dwords = Places) {
  Scene scene = stateScene(shaders);
  scene.instanceCount = Primitives;
  for (std::vector<uint8_t> &buffer : scene.buffers)
    buffer.assign(dwords * sizeof(uint32_t), 0);
  return scene;
}

StatePicture drawOrdered(const Scene &scene, const ShaderSet &shaders) {
  return drawState(scene, shaders, {"gfx900"});
}

// Each place must have the value of `change`, applied for all primitives in order.
void checkPlaces(const StatePicture &picture,
                 const std::function<uint32_t(uint32_t value, uint32_t number, uint32_t place)> &change,
                 uint32_t samples = 1) {
  REQUIRE(picture.result.buffers.size() == 1);
  REQUIRE(picture.result.buffers[0].size() == Places * samples * sizeof(uint32_t));
  std::vector<uint32_t> values(Places * samples);
  std::memcpy(values.data(), picture.result.buffers[0].data(), picture.result.buffers[0].size());
  uint32_t wrong = 0;
  for (uint32_t place = 0; place < values.size(); ++place) {
    uint32_t expected = 0;
    for (uint32_t number = 1; number <= Primitives; ++number)
      expected = change(expected, number, place / samples);
    wrong += values[place] != expected;
  }
  CHECK(wrong == 0);
}

uint32_t registerOf(const StatePicture &picture, uint32_t address) {
  return check::registerValue(*picture.variant->image, address);
}

} // namespace

TEST_CASE("overlapping primitives change memory in drawing order") {
  const ShaderSet shaders = interlocked(PixelInterlock, "beginInvocationInterlockARB();"
                                                        "data[place] = data[place] * 3u + number;"
                                                        "endInvocationInterlockARB();");
  const StatePicture picture = drawOrdered(sceneOf(shaders), shaders);
  checkPlaces(picture, [](uint32_t value, uint32_t number, uint32_t) { return value * 3 + number; });
}

TEST_CASE("a section in which nothing is done is left, too") {
  const ShaderSet shaders = interlocked(PixelInterlock, "atomicAdd(data[place], number);"
                                                        "beginInvocationInterlockARB(); endInvocationInterlockARB();");
  checkPlaces(drawOrdered(sceneOf(shaders), shaders),
              [](uint32_t value, uint32_t number, uint32_t) { return value + number; });
}

TEST_CASE("invocations may leave the section at different places") {
  const ShaderSet shaders = interlocked(Anywhere, "if (place % 3u == 0u) {"
                                                  "  begin();"
                                                  "  data[place] = data[place] * 3u + number;"
                                                  "  end();"
                                                  "} else if (place % 3u == 1u) {"
                                                  "  begin();"
                                                  "  for (uint i = 0u; i < number % 4u; ++i)"
                                                  "    data[place] = data[place] * 5u + i;"
                                                  "  end();"
                                                  "}");
  checkPlaces(drawOrdered(sceneOf(shaders), shaders), [](uint32_t value, uint32_t number, uint32_t place) {
    if (place % 3 == 0)
      return value * 3 + number;
    for (uint32_t i = 0; place % 3 == 1 && i < number % 4; ++i)
      value = value * 5 + i;
    return value;
  });
}

TEST_CASE("an early return leaves the section, or never enters it") {
  const ShaderSet shaders = interlocked(Anywhere, "if (place % 4u == number % 4u) return;"
                                                  "begin();"
                                                  "data[place] = data[place] * 3u + number;"
                                                  "if (place % 5u == number % 5u) {"
                                                  "  end(); return; }"
                                                  "data[place] += 7u;"
                                                  "end();");
  checkPlaces(drawOrdered(sceneOf(shaders), shaders), [](uint32_t value, uint32_t number, uint32_t place) {
    if (place % 4 == number % 4)
      return value;
    value = value * 3 + number;
    return place % 5 == number % 5 ? value : value + 7;
  });
}

TEST_CASE("discards before, in and behind the section, of some lanes and of whole waves") {
  for (const char *kill : {"discard", "demote"}) {
    INFO(std::string(kill));
    const std::string declarations = "#extension GL_EXT_demote_to_helper_invocation : enable\n" + PixelInterlock;
    const std::string text = kill;
    const ShaderSet shaders = interlocked(declarations, "if (place % 4u == number % 4u || number == 3u) " + text + ";" +
                                                            "beginInvocationInterlockARB();"
                                                            "if (place % 5u == number % 5u || number == 9u) " +
                                                            text + ";" +
                                                            "data[place] = data[place] * 3u + number;"
                                                            "endInvocationInterlockARB();"
                                                            "if (place % 7u == number % 7u || number == 30u) " +
                                                            text + ";");
    const StatePicture picture = drawOrdered(sceneOf(shaders), shaders);
    checkPlaces(picture, [](uint32_t value, uint32_t number, uint32_t place) {
      const bool isKept = place % 4 != number % 4 && place % 5 != number % 5 && number != 3 && number != 9;
      return isKept ? value * 3 + number : value;
    });
  }
}

TEST_CASE("a prolog passes on whom a wave overlaps, and an epilog may discard behind the section") {
  const ShaderSet shaders = interlocked(PixelInterlock, "target.a = float(number % 3u);"
                                                        "beginInvocationInterlockARB();"
                                                        "data[place] = data[place] * 3u + number;"
                                                        "endInvocationInterlockARB();");
  Scene scene = sceneOf(shaders);
  scene.state.polygonStippleEnable = true;
  scene.state.alphaTestFunc = VK_COMPARE_OP_GREATER;
  const StatePicture picture = drawOrdered(scene, shaders);
  CHECK(picture.has(PartKind::FragmentProlog));
  // All primitives change the pixels that the pattern lets through.
  std::vector<uint32_t> values(Places);
  REQUIRE(picture.result.buffers[0].size() == Places * sizeof(uint32_t));
  std::memcpy(values.data(), picture.result.buffers[0].data(), picture.result.buffers[0].size());
  uint32_t all = 0, changed = 0;
  for (uint32_t number = 1; number <= Primitives; ++number)
    all = all * 3 + number;
  for (uint32_t value : values) {
    CHECK((value == 0 || value == all));
    changed += value == all;
  }
  CHECK(changed > 0);
}

TEST_CASE("each wave has scratch memory of its own") {
  const ShaderSet shaders = interlocked(PixelInterlock, "uint values[300];"
                                                        "for (uint i = 0u; i < 300u; ++i)"
                                                        "  values[i] = i * number + place;"
                                                        "beginInvocationInterlockARB();"
                                                        "data[place] = data[place] * 3u + values[data[place] % 300u];"
                                                        "endInvocationInterlockARB();");
  const StatePicture picture = drawOrdered(sceneOf(shaders), shaders);
  CHECK(picture.variant->image->findStage(HardwareStage::Ps)->usage.scratchBytes != 0);
  checkPlaces(picture,
              [](uint32_t value, uint32_t number, uint32_t place) { return value * 3 + value % 300 * number + place; });
}

TEST_CASE("images are changed in drawing order, too") {
  const ShaderSet shaders =
      interlocked(PixelInterlock + "layout(r32ui, set = 0, binding = 1) coherent uniform uimage2D image;",
                  "ivec2 texel = ivec2(gl_FragCoord.xy);"
                  "beginInvocationInterlockARB();"
                  "imageStore(image, texel, uvec4(imageLoad(image, texel).x * 3u + number));"
                  "endInvocationInterlockARB();"
                  "data[place] = 0;");
  Scene scene = sceneOf(shaders);
  REQUIRE(scene.images.size() == 1);
  SceneImage &image = scene.images[0];
  image.width = image.height = StateSize;
  image.bytes.assign(Places * sizeof(uint32_t), 0);
  const StatePicture picture = drawOrdered(scene, shaders);
  uint32_t all = 0;
  for (uint32_t number = 1; number <= Primitives; ++number)
    all = all * 3 + number;
  std::vector<uint32_t> texels(Places);
  REQUIRE(picture.result.images.at(0).size() == Places * sizeof(uint32_t));
  std::memcpy(texels.data(), picture.result.images[0].data(), picture.result.images[0].size());
  for (uint32_t texel : texels)
    CHECK(texel == all);
}

TEST_CASE("sample interlock orders invocations that have samples in common") {
  const ShaderSet shaders = interlocked("layout(sample_interlock_unordered) in;",
                                        "beginInvocationInterlockARB();"
                                        "for (uint s = 0u; s < 4u; ++s)"
                                        "  if ((gl_SampleMaskIn[0] >> s & 1) != 0)"
                                        "    data[place * 4u + s] = data[place * 4u + s] * 3u + number;"
                                        "endInvocationInterlockARB();");
  Scene scene = sceneOf(shaders, Places * 4);
  scene.state.rasterizationSamples = 4;
  const auto change = [](uint32_t value, uint32_t number, uint32_t) { return value * 3 + number; };
  const StatePicture picture = drawOrdered(scene, shaders);
  checkPlaces(picture, change, 4);
  CHECK(field::DB_SHADER_CONTROL::POPS_OVERLAP_NUM_SAMPLES.get(registerOf(picture, reg::DB_SHADER_CONTROL)) == 2);
  scene.state.sampleShadingEnable = true;
  scene.state.perSampleInterpolation = true;
  checkPlaces(drawOrdered(scene, shaders), change, 4);
}

TEST_CASE("pixel interlock orders the invocations of a pixel's samples") {
  const ShaderSet shaders = interlocked(PixelInterlock, "uint sampleId = uint(gl_SampleID);"
                                                        "beginInvocationInterlockARB();"
                                                        "data[place] = data[place] * 3u + number * 4u + sampleId;"
                                                        "endInvocationInterlockARB();");
  Scene scene = sceneOf(shaders);
  scene.state.rasterizationSamples = 4;
  checkPlaces(drawOrdered(scene, shaders), [](uint32_t value, uint32_t number, uint32_t) {
    for (uint32_t sample = 0; sample < 4; ++sample)
      value = value * 3 + number * 4 + sample;
    return value;
  });
}

TEST_CASE("a shader without an interlock loads no collision wave id") {
  for (const bool isOrdered : {false, true}) {
    const std::string begin = isOrdered ? "beginInvocationInterlockARB();" : "",
                      end = isOrdered ? "endInvocationInterlockARB();" : "";
    const ShaderSet shaders = interlocked(isOrdered ? PixelInterlock : "", begin + "data[place] = number;" + end);
    Scene scene = sceneOf(shaders);
    const StatePicture picture = drawOrdered(scene, shaders);
    const uint32_t rsrc2 = registerOf(picture, reg::SPI_SHADER_PGM_RSRC2_PS);
    const uint32_t converter = registerOf(picture, reg::PA_SC_SHADER_CONTROL);
    const uint32_t control = registerOf(picture, reg::DB_SHADER_CONTROL);
    CHECK((field::SPI_SHADER_PGM_RSRC2_PS::LOAD_COLLISION_WAVEID.get(rsrc2) != 0) == isOrdered);
    CHECK((field::PA_SC_SHADER_CONTROL::LOAD_COLLISION_WAVEID.get(converter) != 0) == isOrdered);
    CHECK((field::DB_SHADER_CONTROL::PRIMITIVE_ORDERED_PIXEL_SHADER.get(control) != 0) == isOrdered);
  }
}

TEST_CASE("GFX8 has no interlock") {
  const ShaderSet shaders =
      interlocked(PixelInterlock, "beginInvocationInterlockARB(); data[place] = number; endInvocationInterlockARB();");
  const Result<VariantRef> variant = sharedDevice("gfx803").bind(shaders, sceneOf(shaders).state);
  REQUIRE_FALSE(variant.has_value());
  CHECK((variant.error().code == ErrorCode::Unsupported));
  CHECK(variant.error().text.find("GFX8 cannot order overlapping fragments") != std::string::npos);
}
