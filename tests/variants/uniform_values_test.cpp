// SPDX-License-Identifier: MIT
#include "tests/variants/background/background_device.h"
#include "variants/optimize/optimized_variant.h"
#include "variants/state/state.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

InlinableUniform at(uint32_t offset, uint32_t value,
                    InlinableUniform::Place place = InlinableUniform::Place::UniformBuffer) {
  return {place, 1, 2, offset, value};
}

} // namespace

TEST_CASE("values of uniforms are sorted, and the same values have the same hash") {
  auto one = makeUniformValues({at(8, 1), at(4, 2)}), other = makeUniformValues({at(4, 2), at(8, 1), at(4, 2)});
  REQUIRE(one.has_value());
  REQUIRE(other.has_value());
  CHECK((*one)->values == std::vector{at(4, 2), at(8, 1)});
  CHECK((*one)->values == (*other)->values);
  CHECK((*one)->hash == (*other)->hash);
  auto third = makeUniformValues({at(4, 2), at(8, 3)});
  REQUIRE(third.has_value());
  CHECK((*one)->hash != (*third)->hash);
}

TEST_CASE("set and binding of push constants do not matter") {
  constexpr auto push = InlinableUniform::Place::PushConstants;
  auto one = makeUniformValues({at(8, 1, push)}), other = makeUniformValues({{push, 0, 0, 8, 1}});
  REQUIRE(one.has_value());
  REQUIRE(other.has_value());
  CHECK((*one)->hash == (*other)->hash);
}

TEST_CASE("an offset that is no multiple of 4, and two values for one place, are invalid") {
  auto odd = makeUniformValues({at(6, 1)});
  REQUIRE_FALSE(odd.has_value());
  CHECK((odd.error().code == ErrorCode::InvalidInput));
  CHECK(odd.error().text.find("set 1 binding 2, byte 6") != std::string::npos);
  auto twice = makeUniformValues({at(8, 1), at(4, 9), at(8, 2)});
  REQUIRE_FALSE(twice.has_value());
  CHECK(twice.error().text.find("byte 8: both 0x1 and 0x2") != std::string::npos);
}

TEST_CASE("a state object has the hash of its fields") {
  PipelineState fields;
  fields.patchControlPoints = 7;
  StateRef one = makeState(fields), other = makeState(fields);
  CHECK(one->hash == other->hash);
  CHECK(one->fields.patchControlPoints == 7);
  fields.patchControlPoints = 8;
  CHECK(makeState(fields)->hash != one->hash);
}

TEST_CASE("values that no shader has make no other optimised variant") {
  ShaderRef vertex = compileGlsl(lgc::ShaderStage::Vertex, "void main() { gl_Position = vec4(1); }");
  ShaderRef fragment = compileGlsl(lgc::ShaderStage::Fragment, "layout(push_constant) uniform P { float x; };\n"
                                                               "layout(location = 0) out vec4 color;\n"
                                                               "void main() { color = vec4(x); }");
  auto set = makeShaderSet(std::vector{vertex, fragment});
  REQUIRE(set.has_value());
  auto key = [&](std::vector<InlinableUniform> values) {
    auto uniforms = makeUniformValues(std::move(values));
    REQUIRE(uniforms.has_value());
    return makeOptimizedKey(*set, PipelineState(), uniforms->get());
  };
  constexpr auto push = InlinableUniform::Place::PushConstants;
  CHECK((key({at(0, 1, push), at(64, 7, push), at(0, 7)}) == key({at(0, 1, push)})));
  CHECK((key({at(0, 2, push)}) != key({at(0, 1, push)})));
  CHECK((key({at(64, 7, push)}) == makeOptimizedKey(*set, PipelineState(), nullptr)));
}
