// SPDX-License-Identifier: MIT
//
// Whole builds, from SPIR-V to images.
#include "merge/check/check_image.h"
#include "merge/image_metadata.h"
#include "parts/cache/part_maker.h"
#include "parts/store/part_store.h"
#include "src/spirv/validate/valid_modules.h"
#include "tests/tools/temporary_folder.h"
#include "tools/common/inputs/glsl.h"
#include "variants/bind/device.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <atomic>
#include <doctest/doctest.h>
#include <thread>

using namespace dovetail;
using lgc::ShaderStage;

namespace {

constexpr const char *VertexText = R"(#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec3 shade;
layout(push_constant) uniform Constants { mat4 matrix; };
void main() { gl_Position = matrix * position; shade = vec3(normal.xy, 1); }
)";
constexpr const char *FragmentText = R"(#version 450
layout(location = 0) in vec3 shade;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform sampler2D image;
void main() { color = texture(image, shade.xy) * shade.z; }
)";
constexpr const char *ComputeText = R"(#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] *= 3; }
)";

ShaderRef shaderOf(ShaderStage stage, const char *text) {
  auto modules = translateGlsl({{stage, "test shader", text}});
  if (!modules)
    FAIL(modules.error().text);
  Result<ShaderRef> shader = createShader({"test shader", modules->front(), "main", stage, {}});
  if (!shader)
    FAIL(shader.error().text);
  return *shader;
}

ShaderSet setOf(const std::vector<ShaderRef> &shaders) {
  Result<ShaderSet> set = makeShaderSet(shaders);
  if (!set)
    FAIL(set.error().text);
  return *set;
}

ShaderSet pairSet() {
  return setOf({shaderOf(ShaderStage::Vertex, VertexText), shaderOf(ShaderStage::Fragment, FragmentText)});
}

std::unique_ptr<Device> makeDevice(const char *gpu = "gfx900") {
  Result<std::unique_ptr<Device>> device = Device::create(gpu);
  if (!device)
    FAIL(device.error().text);
  return std::move(*device);
}

PipelineState stateOf(const ShaderSet &set) {
  return defaultState(set);
}

VariantRef bind(Device &device, const ShaderSet &set, const PipelineState &state, BuildOptions options = {}) {
  Result<VariantRef> variant = device.bind(set, state, options);
  if (!variant)
    FAIL(variant.error().text);
  CHECK(findImageDefects(*(*variant)->image).empty());
  return *variant;
}

std::vector<PartKind> kindsOf(const Variant &variant) {
  std::vector<PartKind> kinds;
  for (const PartUse &use : variant.partUses())
    kinds.push_back(use.part->key.kind);
  return kinds;
}

bool anyMade(const Variant &variant, PartKind kind) {
  return std::ranges::any_of(variant.partUses(),
                             [&](const PartUse &use) { return use.made && use.part->key.kind == kind; });
}

} // namespace

TEST_CASE("metadata has the hashes of the API shaders, of a joined variant and of a monolithic one") {
  std::unique_ptr<Device> device = makeDevice();
  ShaderSet set = pairSet();
  for (bool isMonolithic : {false, true}) {
    VariantRef variant = bind(*device, set, stateOf(set), {.monolithic = isMonolithic});
    PalMetadata metadata = makePalMetadata(*variant->image);
    REQUIRE(metadata.shaders.size() == 2);
    for (const PalShader &shader : metadata.shaders) {
      const ShaderStage stage = shader.stage == ApiStage::Vertex ? ShaderStage::Vertex : ShaderStage::Fragment;
      CHECK((shader.hash == set.shader(stage)->hash));
    }
  }
}

TEST_CASE("a vertex and a fragment shader become prolog, main, main, epilog") {
  auto device = makeDevice();
  ShaderSet set = pairSet();
  VariantRef variant = bind(*device, set, stateOf(set));
  CHECK((kindsOf(*variant) ==
         std::vector{PartKind::VertexProlog, PartKind::VertexMain, PartKind::FragmentMain, PartKind::FragmentEpilog}));
  CHECK(variant->image->stages.size() == 2);
}

TEST_CASE("a state that was seen before gives the very same variant") {
  auto device = makeDevice();
  ShaderSet set = pairSet();
  CHECK(bind(*device, set, stateOf(set)) == bind(*device, set, stateOf(set)));
}

TEST_CASE("a vertex shader exports the primitive's number only if the fragment shader reads it") {
  auto device = makeDevice();
  ShaderRef vertex = shaderOf(ShaderStage::Vertex, VertexText);
  ShaderRef reader = shaderOf(ShaderStage::Fragment, "#version 450\nlayout(location = 0) out vec4 color;\n"
                                                     "void main() { color = vec4(gl_PrimitiveID); }\n");
  auto exportsIt = [&](const ShaderSet &set, bool monolithic) {
    VariantRef variant = bind(*device, set, stateOf(set), {monolithic});
    const ShaderInterface *interface = variant->image->findStage(HardwareStage::Vs)->interface;
    return std::ranges::any_of(interface->preRaster.parameters, [](const ParameterExport &parameter) {
      return parameter.location == PrimitiveIdParameter;
    });
  };
  CHECK(exportsIt(setOf({vertex, reader}), false));
  CHECK(exportsIt(setOf({vertex, reader}), true));
  CHECK_FALSE(exportsIt(pairSet(), false));
}

TEST_CASE("code with a table of constants needs no address when it is joined") {
  auto device = makeDevice();
  ShaderSet set = setOf({shaderOf(ShaderStage::Vertex, VertexText), shaderOf(ShaderStage::Fragment, R"(#version 450
layout(location = 0) in vec3 shade;
layout(location = 0) out vec4 color;
const float table[8] = float[8](3, 1, 4, 1, 5, 9, 2, 6);
void main() { color = vec4(table[int(shade.x) & 7], shade); }
)")});
  VariantRef variant = bind(*device, set, stateOf(set));
  CHECK(variant->image->constantsEnd - variant->image->constantsStart >= 32);
  CHECK(variant->image->loadRelocations.empty());
}

TEST_CASE("another state makes no main part again") {
  auto device = makeDevice();
  ShaderSet set = pairSet();
  PipelineState state = stateOf(set);
  bind(*device, set, state);
  state.vertexAttributes[0].format = VK_FORMAT_R8G8B8A8_UNORM;
  state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  VariantRef other = bind(*device, set, state);
  CHECK(anyMade(*other, PartKind::VertexProlog));
  CHECK(anyMade(*other, PartKind::FragmentEpilog));
  CHECK_FALSE(anyMade(*other, PartKind::VertexMain));
  CHECK_FALSE(anyMade(*other, PartKind::FragmentMain));
}

TEST_CASE("other shaders share prologs and epilogs") {
  auto device = makeDevice();
  ShaderSet set = pairSet();
  PipelineState state = stateOf(set);
  bind(*device, set, state);
  std::string otherText = FragmentText;
  otherText.replace(otherText.find("* shade.z"), 9, "+ shade.z");
  ShaderSet other = setOf({set.shader(ShaderStage::Vertex), shaderOf(ShaderStage::Fragment, otherText.c_str())});
  VariantRef variant = bind(*device, other, state);
  CHECK(anyMade(*variant, PartKind::FragmentMain));
  CHECK_FALSE(anyMade(*variant, PartKind::FragmentEpilog));
  CHECK_FALSE(anyMade(*variant, PartKind::VertexProlog));
}

TEST_CASE("a monolithic variant has one part per program") {
  auto device = makeDevice();
  ShaderSet set = pairSet();
  VariantRef variant = bind(*device, set, stateOf(set), {.monolithic = true});
  CHECK((kindsOf(*variant) == std::vector{PartKind::Monolithic, PartKind::Monolithic}));
  CHECK(bind(*device, set, stateOf(set)) != variant);
}

TEST_CASE("a compute shader is one part, joined or not") {
  auto device = makeDevice();
  ShaderSet set = setOf({shaderOf(ShaderStage::Compute, ComputeText)});
  CHECK((kindsOf(*bind(*device, set, {})) == std::vector{PartKind::ComputeMain}));
  bind(*device, set, {}, {.monolithic = true});
}

TEST_CASE("every GPU compiles the pair") {
  ShaderSet set = pairSet();
  for (const TargetInfo &target : allTargets()) {
    CAPTURE(target.gpuName);
    auto device = makeDevice(std::string(target.gpuName).c_str());
    CHECK(bind(*device, set, stateOf(set))->image->gpuName == target.gpuName);
  }
}

TEST_CASE("a GPU that is not known is refused with the names that are") {
  Result<std::unique_ptr<Device>> device = Device::create("gfx9000");
  REQUIRE_FALSE(device.has_value());
  CHECK((device.error().code == ErrorCode::UnknownGpu));
  CHECK(device.error().text.find("gfx900") != std::string::npos);
}

TEST_CASE("a state without an attribute that the shader reads contradicts it") {
  auto device = makeDevice();
  ShaderSet set = pairSet();
  PipelineState state = stateOf(set);
  state.vertexAttributes.pop_back();
  Result<VariantRef> variant = device->bind(set, state);
  REQUIRE_FALSE(variant.has_value());
  CHECK((variant.error().code == ErrorCode::StateMismatch));
}

TEST_CASE("a colour target of another class contradicts the shader") {
  auto device = makeDevice();
  ShaderSet set = pairSet();
  PipelineState state = stateOf(set);
  state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_UINT;
  Result<VariantRef> variant = device->bind(set, state);
  REQUIRE_FALSE(variant.has_value());
  CHECK((variant.error().code == ErrorCode::StateMismatch));
}

TEST_CASE("two shaders of one stage are no set") {
  ShaderRef vertex = shaderOf(ShaderStage::Vertex, VertexText);
  CHECK_FALSE(makeShaderSet(std::vector{vertex, vertex}).has_value());
}

TEST_CASE("eight threads that bind the same states make each part once") {
  auto device = makeDevice();
  ShaderSet set = pairSet();
  std::vector<std::thread> threads;
  std::atomic<unsigned> failures = 0;
  for (unsigned thread = 0; thread < 8; ++thread)
    threads.emplace_back([&] {
      for (VkFormat format : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32G32B32A32_SFLOAT}) {
        PipelineState state = stateOf(set);
        state.colorTargets[0].format = format;
        failures += !device->bind(set, state).has_value();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(failures == 0);
  CHECK(device->statistics().variants == 2);
  CHECK(device->partMaker().cache().statistics().made == 5); // prolog, two mains, two epilogs
}

TEST_CASE("a shader that a process has made with a store is not validated by the next one") {
  TemporaryFolder folder;
  const ShaderDescription description = shaderOf(ShaderStage::Vertex, VertexText)->description;
  for (bool isFirst : {true, false}) {
    spirv::forgetValidModules(); // as in a new process
    DeviceOptions options;
    options.gpuName = "gfx900";
    options.store.path = folder.path();
    Result<std::unique_ptr<Device>> device = Device::create(options);
    REQUIRE(device);
    const std::shared_ptr<PartStore> &store = (*device)->partMaker().cache().store();
    const spirv::ModuleDigest digest = spirv::digestOf(description.words, spirv::Environment::Vulkan);
    CHECK(store->hasValidModule(digest) == !isFirst);
    CHECK((*device)->createShader(description));
    CHECK(spirv::isKnownValid(digest));
    store->flush();
    CHECK(store->hasValidModule(digest));
  }
}
