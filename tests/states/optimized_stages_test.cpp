// SPDX-License-Identifier: MIT
//
// Optimised variants leave data out between the stages in front of the rasteriser. drawState() checks that they draw
// the same as joined variants.
#include "src/abi/registers/registers.h"
#include "tests/states/draw_state.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

const char *const CopyValue = "layout(location = 0) in vec4 value; layout(location = 0) out vec4 target;"
                              "void main() { target = value; }";

const char *const VertexOfThree = R"(
  layout(location = 0) out vec4 used;
  layout(location = 1) out vec4 unused;
  layout(location = 2) out vec4 constant;
  void main() {
    vec2 position = vec2(gl_VertexIndex == 1 ? 128.0 : 0.0, gl_VertexIndex == 2 ? 128.0 : 0.0);
    gl_Position = vec4(position / 128.0, 0.5, 1.0);
    used = vec4(position, 1.0, 2.0);
    unused = sqrt(used);
    constant = vec4(0.5, 2.0, 3.0, 4.0);
  })";

const Image &optimizedImage(const StatePicture &picture) {
  REQUIRE(picture.optimized);
  return *picture.optimized->image;
}

uint32_t valueOf(const Image &image, uint32_t address) {
  return image.findRegister(address)->value;
}

constexpr SlotMask slotOf(unsigned location) {
  return SlotMask(1) << (GenericSlot + location);
}

} // namespace

TEST_CASE("in front of a geometry shader only what it reads is stored; of what it emits, what is read") {
  const ShaderSet shaders = stateShaders({{lgc::ShaderStage::Vertex, VertexOfThree},
                                          {lgc::ShaderStage::Geometry, R"(
      layout(triangles) in;
      layout(triangle_strip, max_vertices = 3) out;
      layout(location = 0) in vec4 used[];
      layout(location = 1) in vec4 unused[];
      layout(location = 2) in vec4 constant[];
      layout(location = 0) out vec4 value;
      layout(location = 1) out vec4 nobodys;
      void main() {
        for (int i = 0; i < 3; ++i) {
          gl_Position = gl_in[i].gl_Position;
          value = vec4(used[i].xy * constant[i].x, constant[i].y, 1.0);
          nobodys = unused[i];
          EmitVertex();
        }
      })"},
                                          {lgc::ShaderStage::Fragment, CopyValue}});
  const StatePicture picture = drawState(stateScene(shaders), shaders);
  CHECK(picture.at(2, 3, 0) == doctest::Approx(1.25));
  CHECK(picture.at(2, 3, 2) == 2);
  const Image &joined = *picture.variant->image, &optimized = optimizedImage(picture);
  CHECK((joined.findInterface(HardwareStage::Es)->outputSlots & slotOf(1)) != 0);
  CHECK((joined.findInterface(HardwareStage::Es)->outputSlots & slotOf(2)) != 0);
  CHECK((optimized.findInterface(HardwareStage::Es)->outputSlots & ~SlotMask(1)) == slotOf(0));
  CHECK(optimized.geometry->esVertexStride < joined.geometry->esVertexStride);
  // Left out are four dwords that nobody reads, and value.zw, which is constant.
  CHECK(valueOf(joined, reg::VGT_GS_VERT_ITEMSIZE) == 12);
  CHECK(valueOf(optimized, reg::VGT_GS_VERT_ITEMSIZE) == 6);
  CHECK(optimized.findInterface(HardwareStage::Vs)->preRaster.parameters.size() == 1);
}

TEST_CASE("control shaders write what the evaluation shader or they themselves read, and nothing else") {
  const ShaderSet shaders = stateShaders({{lgc::ShaderStage::Vertex, VertexOfThree},
                                          {lgc::ShaderStage::TessControl, R"(
      layout(vertices = 3) out;
      layout(location = 0) in vec4 used[];
      layout(location = 1) in vec4 unused[];
      layout(location = 2) in vec4 constant[];
      layout(location = 0) out vec4 value[];
      layout(location = 1) out vec4 nobodys[];
      layout(location = 2) out vec4 together[];
      layout(location = 3) out vec4 same[];
      layout(location = 4) patch out vec4 ofPatch;
      layout(location = 5) patch out vec4 nobodysOfPatch;
      void main() {
        gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
        together[gl_InvocationID] = used[gl_InvocationID];
        nobodys[gl_InvocationID] = sqrt(unused[gl_InvocationID]);
        same[gl_InvocationID] = constant[gl_InvocationID];
        barrier();
        value[gl_InvocationID] = used[gl_InvocationID] + together[(gl_InvocationID + 1) % 3];
        ofPatch = constant[0] + used[0];
        nobodysOfPatch = unused[0];
        gl_TessLevelOuter = float[](1.0, 1.0, 1.0, 1.0);
        gl_TessLevelInner = float[](1.0, 1.0);
      })"},
                                          {lgc::ShaderStage::TessEval, R"(
      layout(triangles, equal_spacing, cw) in;
      layout(location = 0) in vec4 value[];
      layout(location = 3) in vec4 same[];
      layout(location = 4) patch in vec4 ofPatch;
      layout(location = 0) out vec4 result;
      vec4 mixed(vec4 a, vec4 b, vec4 c) { return a * gl_TessCoord.x + b * gl_TessCoord.y + c * gl_TessCoord.z; }
      void main() {
        gl_Position = mixed(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_in[2].gl_Position);
        result = mixed(value[0], value[1], value[2]) * same[1].x + ofPatch;
      })"},
                                          {lgc::ShaderStage::Fragment, CopyValue}});
  Scene scene = stateScene(shaders);
  scene.state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  scene.state.patchControlPoints = 3;
  const StatePicture picture = drawState(scene, shaders);
  const Image &joined = *picture.variant->image, &optimized = optimizedImage(picture);
  const ShaderInterface &before = *joined.findInterface(HardwareStage::Hs);
  const ShaderInterface &after = *optimized.findInterface(HardwareStage::Hs);
  CHECK((before.outputSlots & ~SlotMask(1)) == (slotOf(0) | slotOf(1) | slotOf(2) | slotOf(3)));
  CHECK((after.outputSlots & ~SlotMask(1)) == slotOf(0));
  CHECK((before.patchOutputSlots >> PatchGenericSlot) == 0x30);
  CHECK((after.patchOutputSlots >> PatchGenericSlot) == 0x10);
  CHECK(after.tessellation.ldsPatchStride == before.tessellation.ldsPatchStride); // the shader reads it back
  CHECK(optimized.tessellation->offchipBytes / optimized.tessellation->patchesPerGroup <
        joined.tessellation->offchipBytes / joined.tessellation->patchesPerGroup);
}

TEST_CASE("the point size of tessellated points is exported, that of triangles is not") {
  auto evaluation = [](const std::string &mode) {
    return "layout(triangles, equal_spacing, cw" + mode + R"() in;
      void main() {
        gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y +
                      gl_in[2].gl_Position * gl_TessCoord.z;
        gl_PointSize = 1.0 + gl_TessCoord.x;
      })";
  };
  for (const bool points : {true, false}) {
    const ShaderSet shaders = stateShaders(
        {{lgc::ShaderStage::Vertex, WholeTarget},
         {lgc::ShaderStage::TessControl, R"(
      layout(vertices = 3) out;
      void main() {
        gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
        gl_TessLevelOuter = float[](1.0, 1.0, 1.0, 1.0);
        gl_TessLevelInner = float[](1.0, 1.0);
      })"},
         {lgc::ShaderStage::TessEval, evaluation(points ? ", point_mode" : "")},
         {lgc::ShaderStage::Fragment, "layout(location = 0) out vec4 target; void main() { target = vec4(1.0); }"}});
    Scene scene = stateScene(shaders);
    scene.state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    const StatePicture picture = drawState(scene, shaders);
    CHECK(picture.variant->image->findInterface(HardwareStage::Vs)->preRaster.writesPointSize);
    CHECK(optimizedImage(picture).findInterface(HardwareStage::Vs)->preRaster.writesPointSize == points);
  }
}
