// SPDX-License-Identifier: MIT
#include "src/spirv/reflect/reflection.h"
#include "tools/inputs/glsl.h"
#include <doctest/doctest.h>
#include <map>

using namespace dovetail;

namespace {

using Place = std::pair<uint32_t, uint32_t>; // set and binding

// Where the resources of a fragment shader are.
std::map<std::string, Place> placesOf(const std::string &text) {
  const auto modules = translateGlsl({{lgc::ShaderStage::Fragment, "test", text, SourceLanguage::Hlsl}});
  REQUIRE_MESSAGE(modules, modules.error().text);
  const Result<spirv::Reflection> reflection = spirv::reflect(modules->front(), "main", lgc::ShaderStage::Fragment);
  REQUIRE_MESSAGE(reflection, reflection.error().text);
  std::map<std::string, Place> places;
  for (const spirv::DescriptorBinding &binding : reflection->descriptors)
    places[binding.name] = {binding.set, binding.binding};
  return places;
}

} // namespace

TEST_CASE("HLSL's registers of all kinds have bindings of their own, in the set of their space") {
  const auto places = placesOf(R"(
cbuffer Constants : register(b13) { float4 tint; };
Texture2D first : register(t0);
Texture2D last : register(t127);
Texture2D other : register(t3, space2);
SamplerState filter : register(s15);
RWTexture2D<float4> written : register(u7);
float4 main(float4 position : SV_Position) : SV_Target {
  written[uint2(position.xy)] = tint;
  return first.Sample(filter, position.xy) + last.Sample(filter, position.xy) + other.Sample(filter, position.xy);
}
)");
  CHECK(places == std::map<std::string, Place>{{"Constants", {0, 13}},
                                               {"first", {0, 128}},
                                               {"last", {0, 255}},
                                               {"other", {2, 131}},
                                               {"filter", {0, 271}},
                                               {"written", {0, 391}}});
}
