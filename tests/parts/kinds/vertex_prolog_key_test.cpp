// SPDX-License-Identifier: MIT
//
// Pairs of neighbours: states with the same code have the same key, and states with different code have different keys.
#include "parts/kinds/around/vertex_prolog.h"
#include "tests/parts/test_interfaces.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

PartKey keyOf(const ShaderInterface &main, const PipelineState &state) {
  Result<VertexPrologKey> key = makeVertexPrologKey(main, state, "gfx900");
  REQUIRE(key.has_value());
  return key->partKey();
}

std::string errorOf(const ShaderInterface &main, const PipelineState &state) {
  Result<VertexPrologKey> key = makeVertexPrologKey(main, state, "gfx900");
  REQUIRE_FALSE(key.has_value());
  CHECK((key.error().code == ErrorCode::StateMismatch));
  return key.error().text;
}

const ShaderInterface ReadsXy = vertexInterface({floatInput(0, 0x3)});

} // namespace

TEST_CASE("the stride of a binding is not in the key") {
  PipelineState state = vertexState({VK_FORMAT_R32G32_SFLOAT});
  PipelineState other = state;
  other.vertexBindings[0].stride = 128;
  CHECK(keyOf(ReadsXy, state) == keyOf(ReadsXy, other));
}

TEST_CASE("attributes that the shader does not read are not in the key") {
  PipelineState state = vertexState({VK_FORMAT_R32G32_SFLOAT});
  PipelineState other = vertexState({VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R8_UNORM});
  CHECK(keyOf(ReadsXy, state) == keyOf(ReadsXy, other));
}

TEST_CASE("components that the shader does not read are not in the key") {
  CHECK(keyOf(ReadsXy, vertexState({VK_FORMAT_R32G32_SFLOAT})) ==
        keyOf(ReadsXy, vertexState({VK_FORMAT_R32G32B32A32_SFLOAT})));
  CHECK(keyOf(ReadsXy, vertexState({VK_FORMAT_R32G32_SFLOAT})) !=
        keyOf(ReadsXy, vertexState({VK_FORMAT_R16G16_SFLOAT})));
}

TEST_CASE("the divisor of a binding that advances by vertex is not in the key") {
  PipelineState state = vertexState({VK_FORMAT_R32G32_SFLOAT});
  PipelineState other = state;
  other.vertexBindings[0].divisor = 7;
  CHECK(keyOf(ReadsXy, state) == keyOf(ReadsXy, other));
  other.vertexBindings[0].inputRate = VK_VERTEX_INPUT_RATE_INSTANCE;
  CHECK(keyOf(ReadsXy, state) != keyOf(ReadsXy, other));
}

TEST_CASE("divisors 0, 1, 2 and 3 are different code") {
  std::vector<PartKey> keys;
  for (uint32_t divisor : {0, 1, 2, 3}) {
    PipelineState state = vertexState({VK_FORMAT_R32G32_SFLOAT});
    state.vertexBindings[0] = {0, 8, VK_VERTEX_INPUT_RATE_INSTANCE, divisor};
    PartKey key = keyOf(ReadsXy, state);
    for (const PartKey &other : keys)
      CHECK(key != other);
    keys.push_back(key);
  }
}

TEST_CASE("offset and binding are in the key") {
  PipelineState state = vertexState({VK_FORMAT_R32G32_SFLOAT});
  PipelineState other = state;
  other.vertexAttributes[0].offset = 4;
  CHECK(keyOf(ReadsXy, state) != keyOf(ReadsXy, other));
  other = state;
  other.vertexAttributes[0].binding = other.vertexBindings[0].binding = 3;
  CHECK(keyOf(ReadsXy, state) != keyOf(ReadsXy, other));
}

TEST_CASE("an attribute of which only missing components are read depends on nothing but its type") {
  ShaderInterface readsW = vertexInterface({floatInput(0, 0x8)});
  CHECK(keyOf(readsW, vertexState({VK_FORMAT_R8_UNORM})) == keyOf(readsW, vertexState({VK_FORMAT_R32G32_SFLOAT}, 16)));
  // The missing fourth component is 1.0 in one format and 1 in the other.
  CHECK(keyOf(readsW, vertexState({VK_FORMAT_R8_UNORM})) !=
        keyOf(vertexInterface({intInput(0, 0x8)}), vertexState({VK_FORMAT_R8_UINT})));
}

TEST_CASE("formats with the same bytes share their prolog") {
  ShaderInterface readsAll = vertexInterface({floatInput(0, 0xf)});
  CHECK(keyOf(readsAll, vertexState({VK_FORMAT_R8G8B8A8_UNORM})) ==
        keyOf(readsAll, vertexState({VK_FORMAT_A8B8G8R8_UNORM_PACK32})));
  CHECK(keyOf(readsAll, vertexState({VK_FORMAT_R8G8B8A8_UNORM})) !=
        keyOf(readsAll, vertexState({VK_FORMAT_B8G8R8A8_UNORM})));
}

TEST_CASE("shaders with nearly as many user SGPRs share their prologs") {
  PipelineState state = vertexState({VK_FORMAT_R32G32_SFLOAT});
  auto withSgprs = [&](unsigned count) { return keyOf(vertexInterface({floatInput(0, 0x3)}, count), state); };
  CHECK(withSgprs(4) == withSgprs(7));
  CHECK(withSgprs(7) != withSgprs(8)); // one more for the scratch offset
}

TEST_CASE("GPUs do not share prologs") {
  PipelineState state = vertexState({VK_FORMAT_R32G32_SFLOAT});
  CHECK(makeVertexPrologKey(ReadsXy, state, "gfx900")->partKey() !=
        makeVertexPrologKey(ReadsXy, state, "gfx906")->partKey());
}

TEST_CASE("the prolog's contract: what it reads, makes and preserves") {
  ShaderInterface main = vertexInterface({floatInput(1, 0x5), floatInput(0, 0x3)}, 6);
  PipelineState state = vertexState({VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32_SFLOAT});
  state.vertexBindings[1].inputRate = VK_VERTEX_INPUT_RATE_INSTANCE;
  Contract contract = makeVertexPrologKey(main, state, "gfx900")->contract();
  auto sgpr = [](uint16_t index) { return Register{RegisterBank::Sgpr, index}; };
  auto vgpr = [](uint16_t index) { return Register{RegisterBank::Vgpr, index}; };
  CHECK(contract.inputs == std::vector<Binding>{{{ValueKind::VertexBufferTable}, sgpr(1)},
                                                {{ValueKind::BaseVertex}, sgpr(2)},
                                                {{ValueKind::BaseInstance}, sgpr(3)},
                                                {{ValueKind::VertexId}, vgpr(0)},
                                                {{ValueKind::InstanceId}, vgpr(3)}});
  CHECK(contract.outputs == std::vector<Binding>{{{ValueKind::Attribute, 0, 0}, vgpr(4)},
                                                 {{ValueKind::Attribute, 0, 1}, vgpr(5)},
                                                 {{ValueKind::Attribute, 1, 0}, vgpr(6)},
                                                 {{ValueKind::Attribute, 1, 2}, vgpr(7)}});
  CHECK(contract.preservedSgprs == 8);
  CHECK(contract.preservedVgprs == 4);
  CHECK_FALSE(contract.endsProgram);
}

TEST_CASE("a prolog without instance attributes does not need the instance") {
  Contract contract = makeVertexPrologKey(ReadsXy, vertexState({VK_FORMAT_R32G32_SFLOAT}), "gfx900")->contract();
  CHECK(contract.inputs.size() == 3);
}

TEST_CASE("an attribute that the state lacks is an Error") {
  std::string text = errorOf(vertexInterface({floatInput(3, 0x1)}), vertexState({VK_FORMAT_R8_UNORM}));
  CHECK(text.find("location 3") != std::string::npos);
}

TEST_CASE("a binding that the state lacks is an Error") {
  PipelineState state = vertexState({VK_FORMAT_R8_UNORM});
  state.vertexBindings.clear();
  std::string text = errorOf(vertexInterface({floatInput(0, 0x1)}), state);
  CHECK(text.find("binding 0") != std::string::npos);
  CHECK(text.find("VK_FORMAT_R8_UNORM") != std::string::npos);
}

TEST_CASE("the format alone is in the key, and not as what the shader reads it") {
  for (VkFormat format : {VK_FORMAT_R32_UINT, VK_FORMAT_R32_SINT, VK_FORMAT_R8_UNORM})
    CHECK(keyOf(vertexInterface({floatInput(0, 0xf)}), vertexState({format})) ==
          keyOf(vertexInterface({intInput(0, 0xf)}), vertexState({format})));
}

TEST_CASE("64-bit inputs want 64-bit formats") {
  errorOf(vertexInterface({{0, 0x3, NumericClass::Float, 64}}), vertexState({VK_FORMAT_R32G32_SFLOAT}));
  errorOf(vertexInterface({floatInput(0, 0x3)}), vertexState({VK_FORMAT_R64_SFLOAT}));
  CHECK(makeVertexPrologKey(vertexInterface({{0, 0xf, NumericClass::Float, 64}}),
                            vertexState({VK_FORMAT_R64G64_SFLOAT}), "gfx900")
            .has_value());
}

TEST_CASE("a format that cannot be fetched is an Error") {
  Result<VertexPrologKey> key =
      makeVertexPrologKey(vertexInterface({floatInput(0, 1)}), vertexState({VK_FORMAT_BC1_RGB_UNORM_BLOCK}), "gfx900");
  REQUIRE_FALSE(key.has_value());
  CHECK((key.error().code == ErrorCode::Unsupported));
}

TEST_CASE("the description says what the prolog does") {
  PipelineState state = vertexState({VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_B8G8R8A8_UNORM});
  state.vertexBindings[1] = {1, 4, VK_VERTEX_INPUT_RATE_INSTANCE, 3};
  state.vertexAttributes[0].offset = 12;
  ShaderInterface main = vertexInterface({floatInput(0, 0x7), floatInput(1, 0x7)});
  CHECK(makeVertexPrologKey(main, state, "gfx900")->describe() ==
        "attr0.xyz 32_32_32 float +12 binding 0, attr1.xyz 8_8_8_8 unorm +0 as 0.z 0.y 0.x binding 1 per 3 instances");
}

TEST_CASE("GFX8 puts the sign of two bits right, where it is read") {
  auto describe = [](VkFormat format, uint8_t mask, const char *gpu, bool isInteger = false) {
    ShaderInterface main = vertexInterface({isInteger ? intInput(0, mask) : floatInput(0, mask)});
    return makeVertexPrologKey(main, vertexState({format}), gpu)->describe();
  };
  constexpr const char *Signed = "signed 0.w";
  for (VkFormat format : {VK_FORMAT_A2B10G10R10_SNORM_PACK32, VK_FORMAT_A2R10G10B10_SSCALED_PACK32}) {
    CHECK(describe(format, 0xf, "gfx803").find(Signed) != std::string::npos);
    CHECK(describe(format, 0xf, "gfx900").find(Signed) == std::string::npos);
    CHECK(describe(format, 0x7, "gfx803").find(Signed) == std::string::npos);
  }
  CHECK(describe(VK_FORMAT_A2B10G10R10_SINT_PACK32, 0xf, "gfx803", true).find(Signed) != std::string::npos);
  for (VkFormat format : {VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R8G8B8A8_SNORM})
    CHECK(describe(format, 0xf, "gfx803").find(Signed) == std::string::npos);
}
