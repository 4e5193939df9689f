// SPDX-License-Identifier: MIT
#include "tools/proof/scene/scene_file.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// A scene with something in every list.
Scene fullScene() {
  Scene scene;
  scene.name = "full";
  scene.seed = 0x123456789abcdef0;
  scene.shaders.push_back({"a.vert", VK_SHADER_STAGE_VERTEX_BIT, {0x07230203, 1}, "main", {{3, 4, 7}}});
  scene.shaders.push_back({"a.frag", VK_SHADER_STAGE_FRAGMENT_BIT, {0x07230203}, "other", {{1, 8, ~0ull}}});
  scene.state.vertexBindings = {{2, 12, VK_VERTEX_INPUT_RATE_INSTANCE, 3}};
  scene.state.vertexAttributes = {{5, 2, VK_FORMAT_R32G32B32_SFLOAT, 4}};
  scene.state.colorTargets[1] = {VK_FORMAT_R8G8B8A8_UNORM, 0x5, true};
  scene.state.rasterizationSamples = 4;
  scene.buffers = {{1, 2, 3}, {}, std::vector<uint8_t>(16)};
  scene.addresses = {{2, 8, 0}};
  SceneImage image;
  image.width = 4;
  image.height = 2;
  image.mipLevels = 3; // 8 + 2 + 1 texels
  image.bytes.assign(11 * 4, 0x5a);
  scene.images.push_back(image);
  scene.samplers.resize(1);
  scene.samplers[0].mipLodBias = -0.5f;
  scene.descriptors = {{1, 2, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
                       {1, 3, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}};
  scene.pushConstants = {9, 8, 7, 6};
  scene.vertexBuffers = {{2, {1, 2, 3, 4}}};
  scene.indices = {0, 1, 2};
  scene.viewports = {{0, 0, 64, 64, 0, 1}};
  scene.scissors = {{{1, 2}, {3, 4}}};
  scene.clearColors[1].float32[2] = 0.25f;
  return scene;
}

// The text of the Error for a changed scene; "" if the scene is good.
template <typename Change> std::string errorOf(Change change) {
  Scene scene = fullScene();
  change(scene);
  Result<Scene> read = readScene(writeScene(scene));
  return read ? "" : read.error().text;
}

} // namespace

TEST_CASE("a scene comes back as it was") {
  Scene scene = fullScene();
  std::vector<uint8_t> bytes = writeScene(scene);
  Result<Scene> read = readScene(bytes);
  REQUIRE_MESSAGE(read, read.error().text);
  CHECK(writeScene(*read) == bytes);
  CHECK(read->name == "full");
  CHECK(read->seed == 0x123456789abcdef0);
  CHECK(read->shaders[1].specConstants[0].value == ~0ull);
  CHECK(read->state.vertexBindings[0].divisor == 3);
  CHECK(read->state.colorTargets[1].writeMask == 5);
  CHECK(read->images[0].bytes == scene.images[0].bytes);
  CHECK(read->samplers[0].mipLodBias == -0.5f);
  CHECK(read->descriptors[0].buffer == 1);
  CHECK(read->clearColors[1].float32[2] == 0.25f);
}

TEST_CASE("a result comes back as it was") {
  SceneResult result;
  result.colors[3] = {VK_FORMAT_R8_UNORM, 2, 1, 1, {5, 6}};
  result.stencil = {VK_FORMAT_S8_UINT, 1, 1, 1, {7}};
  result.buffers = {{1}, {}, {2, 3}};
  result.images = {{4}};
  Result<SceneResult> read = readSceneResult(writeSceneResult(result));
  REQUIRE_MESSAGE(read, read.error().text);
  CHECK(read->colors[3].bytes == std::vector<uint8_t>{5, 6});
  CHECK((read->stencil.format == VK_FORMAT_S8_UINT));
  CHECK(read->buffers == result.buffers);
  CHECK(read->images == result.images);
}

TEST_CASE("a scene that is cut short anywhere is an Error") {
  std::vector<uint8_t> bytes = writeScene(fullScene());
  for (size_t size = 0; size < bytes.size(); ++size) {
    Result<Scene> read = readScene(std::span(bytes).first(size));
    REQUIRE_FALSE(read.has_value());
    CHECK((read.error().code == ErrorCode::InvalidInput));
  }
}

TEST_CASE("the place where a scene is cut short is named") {
  std::vector<uint8_t> bytes = writeScene(fullScene());
  Result<Scene> read = readScene(std::span(bytes).first(bytes.size() - 2));
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().text == "scene: negativeOneToOne: cut short: needs 1 bytes, 0 are left");
}

TEST_CASE("bytes that are left over, and bytes of another kind, are Errors") {
  std::vector<uint8_t> bytes = writeScene(fullScene());
  bytes.push_back(0);
  CHECK(readScene(bytes).error().text == "scene: 1 bytes are left over");
  CHECK(readScene(writeSceneResult({})).error().text.find("mark") != std::string::npos);
  CHECK(readSceneResult(writeScene(fullScene())).error().text.find("mark") != std::string::npos);
}

TEST_CASE("a count that is longer than the file is refused before anything is allocated") {
  std::vector<uint8_t> bytes = writeScene(fullScene());
  uint64_t huge = uint64_t(1) << 60;
  std::memcpy(&bytes[4], &huge, sizeof(huge)); // the name's length follows the mark
  CHECK(readScene(bytes).error().text.starts_with("scene: name: cut short: 1152921504606846976 elements"));
}

TEST_CASE("a byte that is changed anywhere never does more than make an Error") {
  std::vector<uint8_t> bytes = writeScene(fullScene());
  size_t refused = 0;
  for (size_t at = 0; at < bytes.size(); ++at)
    for (uint8_t value : {0x00, 0x02, 0x7f, 0xff}) {
      std::vector<uint8_t> changed = bytes;
      changed[at] = value;
      refused += !readScene(changed).has_value();
    }
  CHECK(refused > bytes.size() / 2);
}

TEST_CASE("a number that no enumeration of Vulkan can hold is refused where it stands") {
  std::vector<uint8_t> bytes = writeScene(fullScene());
  Scene scene = fullScene();
  scene.shaders[0].stage = VkShaderStageFlagBits(0x7ffffffe);
  std::vector<uint8_t> other = writeScene(scene);
  size_t top = std::mismatch(bytes.begin(), bytes.end(), other.begin()).first - bytes.begin() + 3;
  bytes[top] = 0xff;
  CHECK(readScene(bytes).error().text == "scene: shaders[0].stage: 0xff000001 is no value of an enumeration");
}

TEST_CASE("what cannot be drawn is refused with its place") {
  CHECK(errorOf([](Scene &) {}) == "");
  CHECK(errorOf([](Scene &scene) { scene.shaders.clear(); }) == "scene: shaders: there are none");
  CHECK(errorOf([](Scene &scene) { scene.shaders[1].stage = VK_SHADER_STAGE_VERTEX_BIT; }) ==
        "scene: shaders[1].stage: there is another shader of this stage");
  CHECK(errorOf([](Scene &scene) { scene.shaders[0].specConstants[0].bytes = 2; }) ==
        "scene: shaders[0].specConstants[0].bytes: 2 is not 4 or 8");
  CHECK(errorOf([](Scene &scene) { scene.images[0].width = 0; }) == "scene: images[0].width: 0 is not in 1 to 16384");
  CHECK(errorOf([](Scene &scene) { scene.images[0].bytes.pop_back(); }) ==
        "scene: images[0].bytes: its size and format need 44 bytes, found 43");
  CHECK(errorOf([](Scene &scene) {
          scene.images[0].format = VK_FORMAT_BC1_RGB_UNORM_BLOCK;
        }).starts_with("scene: images[0].format: "));
  CHECK(errorOf([](Scene &scene) { scene.descriptors[0].buffer = 3; }) ==
        "scene: descriptors[0].buffer: there is no buffer 3");
  CHECK(errorOf([](Scene &scene) { scene.addresses[0].buffer = 3; }) ==
        "scene: addresses[0].buffer: there is no buffer 3");
  CHECK(errorOf([](Scene &scene) { scene.addresses[0].offset = 9; }) ==
        "scene: addresses[0].offset: 9 is too large in 16 bytes");
  CHECK(errorOf([](Scene &scene) { scene.addresses[0].holder = NoSceneBuffer; }) ==
        "scene: addresses[0].offset: 8 is too large in 4 bytes");
  CHECK(errorOf([](Scene &scene) { scene.descriptors[1].sampler = 1; }) ==
        "scene: descriptors[1].sampler: there is no sampler 1");
  CHECK(errorOf([](Scene &scene) { scene.descriptors[1].binding = 2; }) ==
        "scene: descriptors[1]: set 1 binding 2 element 0 is described twice");
  CHECK(errorOf([](Scene &scene) { scene.vertexBuffers.clear(); }) ==
        "scene: state.vertexAttributes[0].binding: 2 is not described or has no buffer");
  CHECK(errorOf([](Scene &scene) { scene.vertexCount = 4; }) == "scene: vertexCount: needs 4 indices, there are 3");
  CHECK(errorOf([](Scene &scene) { scene.scissors.resize(2); }) == "scene: scissors: there are 2, but 1 viewports");
  CHECK(errorOf([](Scene &scene) { scene.clearDepth = 2; }) == "scene: clearDepth: 2 is not in 0 to 1");
}

TEST_CASE("initial contents have the sizes of their targets") {
  auto contents = [](size_t bytes) {
    return errorOf([=](Scene &scene) {
      scene.width = scene.height = 2;
      scene.initialColors[1].resize(bytes);
    });
  };
  CHECK(contents(2 * 2 * 4 * 4) == ""); // texels, bytes, samples
  CHECK(contents(2 * 2 * 4) == "scene: initialColors[1]: the target's size and samples need 64 bytes, found 16");
  CHECK(errorOf([](Scene &scene) { scene.initialColors[0].resize(4); }) ==
        "scene: initialColors[0]: there is no such target");
  CHECK(errorOf([](Scene &scene) {
          scene.state.depthStencilFormat = VK_FORMAT_D32_SFLOAT;
          scene.initialStencil.resize(1);
        }) == "scene: initialStencil: there is no such target");
}
