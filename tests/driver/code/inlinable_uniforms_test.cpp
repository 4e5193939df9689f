// SPDX-License-Identifier: MIT
//
// Runs programs that are compiled for the values of their uniforms. They do the same as the joined program with these
// values in its buffers, in fewer instructions. They still read every value that is not promised.
#include "tests/driver/code/known_variant.h"
#include "tests/driver/own_shaders.h"
#include "tests/driver/shared_device.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "variants/assemble/build_variant.h"
#include "variants/optimize/inlinable_uniforms.h"
#include "variants/state/canonicalize.h"
#include "variants/state/state.h"
#include <bit>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

using Place = InlinableUniform::Place;

InlinableUniform inBuffer(uint32_t binding, uint32_t offset, uint32_t value) {
  return {Place::UniformBuffer, 0, binding, offset, value};
}
InlinableUniform pushed(uint32_t offset, uint32_t value) {
  return {Place::PushConstants, 0, 0, offset, value};
}
InlinableUniform asFloat(InlinableUniform uniform, float value) {
  uniform.value = std::bit_cast<uint32_t>(value);
  return uniform;
}

// The place of the promised value in the scene's data.
uint8_t *placeOf(Scene &scene, const InlinableUniform &uniform) {
  if (uniform.place == Place::PushConstants) {
    REQUIRE(uniform.offset + 4 <= scene.pushConstants.size());
    return scene.pushConstants.data() + uniform.offset;
  }
  for (const SceneDescriptor &descriptor : scene.descriptors)
    if (descriptor.set == uniform.set && descriptor.binding == uniform.binding && descriptor.element == 0) {
      REQUIRE(uniform.offset + 4 <= scene.buffers[descriptor.buffer].size());
      return scene.buffers[descriptor.buffer].data() + uniform.offset;
    }
  FAIL("no such buffer");
  return nullptr;
}

struct Subject {
  ShaderSet shaders;
  Scene scene;

  explicit Subject(ShaderSet set, uint32_t size = 32) : shaders(std::move(set)) {
    Result<Scene> made = makeScene(shaders, randomState(shaders, 1), {1, size, size});
    if (!made)
      FAIL(made.error().text);
    scene = std::move(*made);
  }

  void set(const InlinableUniform &uniform) { std::memcpy(placeOf(scene, uniform), &uniform.value, 4); }
  void set(const std::vector<InlinableUniform> &uniforms) {
    for (const InlinableUniform &uniform : uniforms)
      set(uniform);
  }

  PipelineState state() const { return canonicalize(scene.state, shaders); }
  VariantRef joined(const std::string &gpu = "gfx900") const {
    return buildJoined(sharedDevice(gpu), shaders, state());
  }
  VariantRef inlined(const std::vector<InlinableUniform> &uniforms, const std::string &gpu = "gfx900") const {
    auto values = makeUniformValues(uniforms);
    REQUIRE(values.has_value());
    KnowledgeByStage knowledge;
    for (size_t stage = 0; stage < lgc::ShaderStageCount; ++stage)
      if (shaders.shaders[stage])
        knowledge[stage].inlinableUniforms = uniformsReachedBy(shaders.shaders[stage]->reflection, (*values)->values);
    return buildUnderKnowledge(sharedDevice(gpu), shaders, state(), knowledge);
  }
  SceneResult draw(const Variant &variant) const { return drawWith(variant, scene, shaders); }
};

// Checks that the program for these values does the same as the joined program, which finds the values in its buffers.
void checkSame(Subject &subject, const std::vector<InlinableUniform> &uniforms, HardwareStage stage) {
  subject.set(uniforms);
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CAPTURE(std::string(gpu));
    VariantRef joined = subject.joined(gpu), inlined = subject.inlined(uniforms, gpu);
    Comparison comparison = compare(subject.scene, subject.draw(*joined), subject.draw(*inlined));
    CHECK_MESSAGE(comparison.matches, comparison.text);
    CHECK(instructionsOf(*inlined, stage) < instructionsOf(*joined, stage));
    CHECK(vgprsOf(*inlined, stage) <= vgprsOf(*joined, stage));
  }
}

// All values in the scene's uniform buffers and push constants.
std::vector<InlinableUniform> allUniforms(const Scene &scene) {
  std::vector<InlinableUniform> uniforms;
  auto add = [&](InlinableUniform uniform, const std::vector<uint8_t> &bytes) {
    for (uniform.offset = 0; uniform.offset + 4 <= bytes.size(); uniform.offset += 4) {
      std::memcpy(&uniform.value, bytes.data() + uniform.offset, 4);
      uniforms.push_back(uniform);
    }
  };
  add({Place::PushConstants}, scene.pushConstants);
  for (const SceneDescriptor &descriptor : scene.descriptors)
    if (descriptor.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER && descriptor.element == 0)
      add({Place::UniformBuffer, descriptor.set, descriptor.binding}, scene.buffers[descriptor.buffer]);
  return uniforms;
}

const char *const PlainVertex = R"(
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 vColor;
void main() {
  gl_Position = position;
  vColor = color;
})";

const char *const MaterialFragment = R"(
layout(binding = 0) uniform Material {
  vec4 tint;   // 0
  int mode;    // 16
  int lights;  // 20
  float fog;   // 24
  float gain;  // 28
  vec4 colors[8]; // 32
} material;
layout(binding = 1) uniform sampler2D image;
layout(location = 0) in vec4 vColor;
layout(location = 0) out vec4 color;
void main() {
  vec4 c = vColor * material.tint;
  if (material.mode == 1)
    c *= texture(image, vColor.xy);
  else if (material.mode == 2)
    c = sqrt(abs(c)) + exp2(c) * vColor.yzwx;
  for (int i = 0; i < material.lights; ++i)
    c += material.colors[i] * max(dot(vColor, material.colors[i]), 0.0);
  if (material.fog > 0.0)
    c = mix(c, vec4(0.5), clamp(material.fog * vColor.z, 0.0, 1.0));
  color = c * material.gain;
})";

} // namespace

TEST_CASE("a fragment shader for known uniforms draws what the joined one draws with them in its buffer") {
  for (uint32_t mode : {0u, 1u, 2u}) {
    CAPTURE(mode);
    Subject subject(shadersOf(PlainVertex, MaterialFragment));
    checkSame(subject, {inBuffer(0, 16, mode), inBuffer(0, 20, 3), asFloat(inBuffer(0, 24, 0), 0.0f)},
              HardwareStage::Ps);
  }
}

TEST_CASE("with all that a loop reads known, nothing of the buffer is left") {
  Subject subject(shadersOf(PlainVertex, MaterialFragment));
  std::vector<InlinableUniform> uniforms = {inBuffer(0, 16, 0), inBuffer(0, 20, 2), asFloat(inBuffer(0, 24, 0), 0.25f),
                                            asFloat(inBuffer(0, 28, 0), 0.5f)};
  for (uint32_t i = 0; i < 4; ++i)
    uniforms.push_back(asFloat(inBuffer(0, i * 4, 0), 0.75f));
  for (uint32_t i = 0; i < 8; ++i)
    uniforms.push_back(asFloat(inBuffer(0, 32 + i * 4, 0), float(i) / 8));
  checkSame(subject, uniforms, HardwareStage::Ps);
  auto readsTable = [](const Variant &variant) {
    for (const ImageStage &stage : variant.image->stages)
      if (stage.stage == HardwareStage::Ps)
        return std::ranges::any_of(stage.interface->inputs, [](const Binding &input) {
          return input.value == ValueName{ValueKind::DescriptorSet, 0};
        });
    return false;
  };
  CHECK(readsTable(*subject.joined()));
  CHECK_FALSE(readsTable(*subject.inlined(uniforms)));
}

TEST_CASE("a vertex shader for known push constants draws the same") {
  Subject subject(shadersOf(R"(
layout(push_constant) uniform Push {
  int bones;   // 0
  float scale; // 4
  vec2 offset; // 8
  mat2 turn;   // 16
} push;
layout(binding = 0) uniform Bones { mat4 bone[4]; };
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 vColor;
void main() {
  vec4 p = position;
  for (int i = 0; i < push.bones; ++i)
    p += bone[i] * position * 0.125;
  p.xy = push.turn * p.xy * push.scale + push.offset;
  gl_Position = p;
  vColor = color;
})",
                            R"(
layout(location = 0) in vec4 vColor;
layout(location = 0) out vec4 color;
void main() { color = vColor; })"));
  checkSame(subject, {pushed(0, 0)}, HardwareStage::Vs);
  checkSame(subject,
            {pushed(0, 1), asFloat(pushed(8, 0), 0.0f), asFloat(pushed(12, 0), 0.125f), asFloat(pushed(16, 0), 1.0f),
             asFloat(pushed(28, 0), 1.0f)},
            HardwareStage::Vs);
}

TEST_CASE("what is not promised is read, beside what is") {
  Subject subject(computeOf(R"(
layout(binding = 0) uniform Numbers { uvec4 a; uint b; uint c; };
layout(binding = 1) writeonly buffer Results { uint result[64]; };
void main() {
  uint lane = gl_LocalInvocationID.x;
  result[lane] = a.x * 3u + a.y * lane + a.z + a.w * 7u + b * 11u + (c & lane);
})"));
  std::vector<InlinableUniform> uniforms = {inBuffer(0, 12, 5), inBuffer(0, 16, 9)};
  checkSame(subject, uniforms, HardwareStage::Cs);
  VariantRef inlined = subject.inlined(uniforms), joined = subject.joined();
  SceneResult before = subject.draw(*inlined);

  // Neighbours of the promised values change: so does the result.
  subject.set(inBuffer(0, 8, 1000));
  subject.set(inBuffer(0, 20, 0xff));
  SceneResult after = subject.draw(*inlined);
  CHECK(before.buffers != after.buffers);
  CHECK(after.buffers[1] == subject.draw(*joined).buffers[1]);

  // The promise is broken. The code does not read the value, so its result stays.
  subject.set(inBuffer(0, 12, 6));
  SceneResult broken = subject.draw(*inlined);
  CHECK(broken.buffers[1] == after.buffers[1]);
  CHECK(subject.draw(*joined).buffers[1] != after.buffers[1]);
}

TEST_CASE("storage buffers, other bindings, and bytes between members make no other code") {
  Subject subject(computeOf(R"(
layout(binding = 0) readonly buffer Numbers { uint number[16]; };
layout(binding = 1) writeonly buffer Results { uint result[64]; };
layout(binding = 2) uniform Block { uint first; layout(offset = 16) uint second; };
layout(binding = 3) uniform Array { uint element; } elements[2];
void main() {
  result[gl_LocalInvocationID.x] = number[1] * first + second + elements[1].element;
})"));
  const spirv::Reflection &reflection = *subject.shaders.reflection(lgc::ShaderStage::Compute);
  auto reached = [&](const InlinableUniform &uniform) {
    return uniformsReachedBy(reflection, std::vector{uniform}).size() == 1;
  };
  CHECK_FALSE(reached(inBuffer(0, 4, 1)));
  CHECK_FALSE(reached(inBuffer(1, 0, 1)));
  CHECK(reached(inBuffer(2, 0, 1)));
  CHECK_FALSE(reached(inBuffer(2, 4, 1)));
  CHECK(reached(inBuffer(2, 16, 1)));
  CHECK_FALSE(reached(inBuffer(2, 20, 1)));
  CHECK_FALSE(reached(inBuffer(4, 0, 1)));
  CHECK_FALSE(reached(pushed(0, 1)));
  VariantRef plain = subject.inlined({});
  CHECK(subject.inlined({inBuffer(0, 4, 1), inBuffer(2, 4, 1)})->image->parts[0].part == plain->image->parts[0].part);
  // The value is promised for element 0 of an array. The shader reads element 1.
  VariantRef other = subject.inlined({inBuffer(3, 0, 12345)});
  CHECK(subject.draw(*other).buffers == subject.draw(*plain).buffers);
}

TEST_CASE("every program of tests/shaders does the same with all of its uniforms known, or every other dword") {
  unsigned withUniforms = 0;
  for (OwnProgram &program : readOwnPrograms()) {
    if (program.shaders.shader(lgc::ShaderStage::Geometry))
      continue; // buildUnderKnowledge() takes no geometry shaders
    CAPTURE(program.name);
    Subject subject(std::move(program.shaders), 16);
    std::vector<InlinableUniform> all = allUniforms(subject.scene), some;
    if (all.empty())
      continue;
    ++withUniforms;
    for (size_t i = 0; i < all.size(); i += 2)
      some.push_back(all[i]);
    SceneResult joined = subject.draw(*subject.joined());
    for (const std::vector<InlinableUniform> &uniforms : {all, some}) {
      Comparison comparison = compare(subject.scene, joined, subject.draw(*subject.inlined(uniforms)));
      CHECK_MESSAGE(comparison.matches, comparison.text);
    }
  }
  CHECK(withUniforms >= 17);
}

TEST_CASE("uniforms that steer are found, those of the largest pieces of code first") {
  auto found = [](const ShaderSet &shaders, lgc::ShaderStage stage, unsigned limit = DefaultInlinableUniforms) {
    auto places = inlinableUniforms(*shaders.shader(stage), limit);
    if (!places)
      FAIL(places.error().text);
    return *places;
  };
  auto at = [](uint32_t offset) { return UniformPlace{Place::UniformBuffer, 0, 0, offset}; };
  ShaderSet material = shadersOf(PlainVertex, MaterialFragment);
  std::vector<UniformPlace> places = found(material, lgc::ShaderStage::Fragment);
  REQUIRE(places.size() == 3); // the gain, the tint and the colours are not among them
  CHECK(places[0] == at(20));  // the loop
  CHECK(std::ranges::find(places, at(16)) != places.end());
  CHECK(std::ranges::find(places, at(24)) != places.end());
  CHECK(found(material, lgc::ShaderStage::Fragment, 1) == std::vector{at(20)});
  CHECK(found(material, lgc::ShaderStage::Vertex).empty());
}

TEST_CASE("conditions of anything but uniforms steer nothing") {
  ShaderSet shaders = computeOf(R"(
layout(push_constant) uniform Push { uint a; uint b; uint c; uint d; uint e; };
layout(binding = 0) buffer Data { uint value[64]; };
layout(binding = 1) readonly buffer Table { uint table[64]; };
void main() {
  uint lane = gl_LocalInvocationID.x;
  uint x = value[lane];
  if (x > a)            // varies
    x = x * 5u + value[0];
  if (table[0] == 1u)   // a storage buffer
    x ^= value[1];
  if (b == 2u && x > 3u) // of two conditions, one is known
    x += value[2] * value[3];
  for (uint i = c; i < d; i += e)
    x += value[i] * i;
  value[lane] = x;
})");
  auto places = inlinableUniforms(*shaders.shader(lgc::ShaderStage::Compute));
  REQUIRE(places.has_value());
  std::vector<uint32_t> offsets;
  for (const UniformPlace &place : *places) {
    CHECK((place.place == Place::PushConstants));
    offsets.push_back(place.offset);
  }
  std::ranges::sort(offsets);
  CHECK(offsets == std::vector<uint32_t>{4, 8, 12, 16});
}
