// SPDX-License-Identifier: MIT
#include "src/spirv/reflect/reflection.h"
#include "tools/common/inputs/glsl.h"
#include <doctest/doctest.h>
#include <map>
#include <spirv-tools/libspirv.hpp>

using namespace dovetail;

namespace {

std::vector<uint32_t> moduleOf(const std::string &text) {
  const auto modules = translateGlsl({{lgc::ShaderStage::Fragment, "test", text, SourceLanguage::Hlsl}});
  REQUIRE_MESSAGE(modules, modules.error().text);
  return modules->front();
}

using Place = std::pair<uint32_t, uint32_t>; // set and binding

// The places of a fragment shader's resources.
std::map<std::string, Place> placesOf(const std::string &text) {
  const Result<spirv::Reflection> reflection = spirv::reflect(moduleOf(text), "main", lgc::ShaderStage::Fragment);
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

TEST_CASE("HLSL's buffers that are only read have the bindings of t, and those that are written those of u") {
  const auto places = placesOf(R"(
StructuredBuffer<float4> read : register(t5);
ByteAddressBuffer bytes : register(t1);
RWStructuredBuffer<float4> written : register(u3);
RWByteAddressBuffer rawWritten : register(u0);
float4 main(float4 position : SV_Position) : SV_Target {
  written[0] = position;
  rawWritten.Store(0, 1);
  return read[bytes.Load(0)];
}
)");
  CHECK(places == std::map<std::string, Place>{
                      {"read", {0, 133}}, {"bytes", {0, 129}}, {"written", {0, 387}}, {"rawWritten", {0, 384}}});
}

TEST_CASE("HLSL's discard demotes to a helper invocation, also beside structured buffers") {
  const std::vector<uint32_t> module = moduleOf(R"(
StructuredBuffer<float4> read : register(t0);
float4 main(float4 position : SV_Position) : SV_Target {
  if (position.x < 8)
    discard;
  return read[0] + ddx(position.y);
}
)");
  std::string assembly;
  REQUIRE(spvtools::SpirvTools(SPV_ENV_UNIVERSAL_1_6).Disassemble(module, &assembly));
  CAPTURE(assembly);
  CHECK(assembly.find("OpDemoteToHelperInvocation") != std::string::npos);
  CHECK(assembly.find("OpKill") == std::string::npos);
  CHECK(assembly.find("BufferBlock") == std::string::npos);
}

TEST_CASE("HLSL without an entry point of the name main is refused") {
  const auto modules = translateGlsl({{lgc::ShaderStage::Fragment, "light.frag.hlsl",
                                       "float4 PSMain() : SV_Target { return 1; }\n", SourceLanguage::Hlsl}});
  REQUIRE(!modules);
  CHECK((modules.error().code == ErrorCode::InvalidInput));
  CHECK(modules.error().text == "light.frag.hlsl: there is no entry point \"main\"");
}
