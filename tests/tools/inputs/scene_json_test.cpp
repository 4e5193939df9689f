// SPDX-License-Identifier: MIT
#include "tests/tools/temporary_folder.h"
#include "tools/common/command/write_file.h"
#include "tools/common/inputs/scene_json.h"
#include "tools/common/inputs/state_file.h"
#include "tools/proof/scene/picture_png.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

using Bytes = std::vector<uint8_t>;

// A scene with one resource of each kind, that checkScene() takes.
Scene baseScene() {
  Scene scene;
  scene.shaders.push_back({"v", VK_SHADER_STAGE_VERTEX_BIT, {0x07230203}, "main", {}});
  scene.state.vertexBindings = {{0, 4}};
  scene.vertexBuffers = {{0, {1, 2, 3, 4}}};
  scene.buffers = {{1, 2, 3, 4}};
  scene.images.resize(1);
  scene.images[0].bytes = {1, 2, 3, 4};
  scene.samplers.resize(1);
  scene.descriptors = {{0, 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
                       {0, 1, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}};
  return scene;
}

Scene good(const std::string &sceneObject) {
  Scene scene = baseScene();
  Result<void> read = parseScene("{\"scene\": " + sceneObject + "}", "s.json", scene);
  if (!read)
    FAIL(read.error().text);
  return scene;
}

std::string errorOf(const std::string &sceneObject) {
  Scene scene = baseScene();
  Result<void> read = parseScene("{\"scene\": " + sceneObject + "}", "s.json", scene);
  return read ? "" : read.error().text;
}

} // namespace

TEST_CASE("a file without a scene changes nothing, and a state may have one") {
  Scene scene = baseScene();
  CHECK(parseScene("{\"alphaToOneEnable\": true}", "s.json", scene).has_value());
  CHECK(scene.buffers[0] == Bytes{1, 2, 3, 4});
  CHECK(parseState("{\"scene\": {\"width\": 8}}", "s.json", {}).has_value());
}

TEST_CASE("numbers become bytes by their type, runs follow each other") {
  CHECK(good(R"({"pushConstants": {"f32": [1, -2]}})").pushConstants == Bytes{0, 0, 128, 63, 0, 0, 0, 192});
  CHECK(good(R"({"pushConstants": [{"u8": [1, 255]}, {"u16": [258]}, {"i32": [-2]}]})").pushConstants ==
        Bytes{1, 255, 2, 1, 254, 255, 255, 255});
  CHECK(good(R"({"pushConstants": {"f64": [1]}})").pushConstants == Bytes{0, 0, 0, 0, 0, 0, 240, 63});
}

TEST_CASE("base64 is decoded") {
  CHECK(good(R"({"pushConstants": {"base64": "AQID"}})").pushConstants == Bytes{1, 2, 3});
  CHECK(good(R"({"pushConstants": {"base64": "/+8="}})").pushConstants == Bytes{255, 239});
  CHECK(good(R"({"pushConstants": {"base64": "AA=="}})").pushConstants == Bytes{0});
  CHECK(good(R"({"pushConstants": {"base64": ""}})").pushConstants.empty());
}

TEST_CASE("geometry, framebuffer and fixed function") {
  Scene scene = good(R"({"vertexBuffers": [{"binding": 0, "data": {"f32": [1]}}, {"binding": 3, "data": {"u8": [7]}}],
    "indices": [2, 1, 0], "vertexCount": 2, "firstVertex": 1, "vertexOffset": -1, "instanceCount": 5,
    "width": 16, "height": 8, "viewports": [{"width": 16, "height": 8}], "clearColors": [{"f32": [1, 0, 0, 1]}],
    "cullMode": "VK_CULL_MODE_BACK_BIT", "frontFace": "VK_FRONT_FACE_CLOCKWISE", "depthTestEnable": true,
    "depthCompareOp": "VK_COMPARE_OP_GREATER", "blendConstants": [0.5, 1, 1.5, 2], "workgroups": [1, 2, 3]})");
  REQUIRE(scene.vertexBuffers.size() == 2);
  CHECK(scene.vertexBuffers[0].bytes == Bytes{0, 0, 128, 63});
  CHECK(scene.vertexBuffers[1].binding == 3);
  CHECK(scene.indices == std::vector<uint32_t>{2, 1, 0});
  CHECK(scene.firstVertex == 1);
  CHECK(scene.vertexOffset == -1);
  CHECK(scene.instanceCount == 5);
  CHECK(scene.width == 16);
  CHECK(scene.viewports[0].maxDepth == 1);
  CHECK(scene.clearColors[0].float32[3] == 1);
  CHECK(scene.cullMode == VK_CULL_MODE_BACK_BIT);
  CHECK((scene.frontFace == VK_FRONT_FACE_CLOCKWISE));
  CHECK((scene.depthCompareOp == VK_COMPARE_OP_GREATER));
  CHECK(scene.blendConstants[2] == 1.5f);
  CHECK(scene.workgroups[2] == 3);
}

TEST_CASE("resources are named by set, binding and element") {
  Scene scene = good(R"({"buffers": [{"set": 0, "binding": 0, "data": {"u8": [9, 9]}}],
    "images": [{"binding": 1, "format": "VK_FORMAT_R8_UNORM", "width": 2, "height": 1, "data": {"u8": [5, 6]}}],
    "samplers": [{"binding": 1, "magFilter": "VK_FILTER_NEAREST", "addressModeV": "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER",
                  "maxLod": 2.5}]})");
  CHECK(scene.buffers[0] == Bytes{9, 9});
  CHECK(scene.images[0].width == 2);
  CHECK(scene.images[0].bytes == Bytes{5, 6});
  CHECK((scene.samplers[0].magFilter == VK_FILTER_NEAREST));
  CHECK((scene.samplers[0].addressModeV == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER));
  CHECK(scene.samplers[0].maxLod == 2.5f);
}

TEST_CASE("a PNG beside the state file becomes a texture") {
  TemporaryFolder folder;
  REQUIRE(writeFileAtomically(folder / "t.png", encodePng({2, 1, {1, 2, 3, 4, 5, 6, 7, 8}}).value()).has_value());
  std::string file = folder.write("s.json", R"({"scene": {"images": [{"binding": 1, "png": "t.png"}]}})");
  Scene scene = baseScene();
  Result<void> read = readSceneFile(file, scene);
  REQUIRE_MESSAGE(read, read.error().text);
  CHECK(scene.images[0].width == 2);
  CHECK((scene.images[0].format == VK_FORMAT_R8G8B8A8_UNORM));
  CHECK(scene.images[0].bytes == Bytes{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("every mistake in a scene names its place") {
  struct Case {
    const char *text;
    const char *expected;
  };
  const Case cases[] = {
      {"1", "s.json: /scene: expected an object, found 1"},
      {R"({"widht": 1})", "s.json: /scene/widht: unknown key"},
      {R"({"width": -1})", "/scene/width: expected an unsigned 32-bit number, found -1"},
      {R"({"width": 0})", "s.json: scene: width: 0 is not in 1 to 16384"},
      {R"({"vertexCount": 1, "indices": [1, "a"]})", "/scene/indices/1: expected an unsigned 32-bit number"},
      {R"({"vertexOffset": 3000000000})", "/scene/vertexOffset: expected a signed 32-bit number"},
      {R"({"pushConstants": 1})", "/scene/pushConstants: expected an object"},
      {R"({"pushConstants": {}})", "/scene/pushConstants: expected one of f32"},
      {R"({"pushConstants": {"f32": 1}})", "/scene/pushConstants/f32: expected a list of numbers, found 1"},
      {R"({"pushConstants": {"f16": [1]}})", "/scene/pushConstants/f16: unknown key"},
      {R"({"pushConstants": [{"u8": [1]}, {"u8": [0, 256]}]})", "/scene/pushConstants/1/u8/1: expected an integer"},
      {R"({"pushConstants": {"u32": [-1]}})", "/scene/pushConstants/u32/0: expected an integer that fits, found -1"},
      {R"({"pushConstants": {"u32": [1.5]}})", "/scene/pushConstants/u32/0: expected an integer that fits"},
      {R"({"pushConstants": {"base64": "AQI"}})", "/scene/pushConstants/base64: base64 comes in groups of four"},
      {R"({"pushConstants": {"base64": "AQ!="}})", "/scene/pushConstants/base64: '!' is not base64"},
      {R"({"blendConstants": [1, 2, 3]})", "/scene/blendConstants: expected a list of 4 numbers"},
      {R"({"clearColors": [{"f32": [1]}]})", "/scene/clearColors/0: a colour is four 32-bit numbers"},
      {R"({"cullMode": "BACK"})", "/scene/cullMode: unknown name \"BACK\""},
      {R"({"buffers": [{"set": 1}]})", "/scene/buffers/0: the shaders use no set 1 binding 0 element 0"},
      {R"({"buffers": [{"binding": 1}]})", "/scene/buffers/0: this binding has no buffer"},
      {R"({"images": [{"binding": 0}]})", "/scene/images/0: this binding has no image"},
      {R"({"samplers": [{"binding": 0}]})", "/scene/samplers/0: this binding has no sampler"},
      {R"({"images": [{"binding": 1, "width": 2}]})",
       "s.json: scene: images[0].bytes: its size and format need 8 bytes, found 4"},
      {R"({"images": [{"binding": 1, "png": "none.png"}]})", "/scene/images/0/png: "},
  };
  for (const Case &example : cases) {
    CAPTURE(example.text);
    std::string error = errorOf(example.text);
    CHECK_MESSAGE(error.find(example.expected) != std::string::npos, error);
  }
}
