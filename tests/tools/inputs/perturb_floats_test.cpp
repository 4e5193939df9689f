// SPDX-License-Identifier: MIT
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/spirv/perturb_floats.h"
#include <doctest/doctest.h>
#include <spirv-tools/libspirv.hpp>

using namespace dovetail;

namespace {

std::vector<uint32_t> translate(const std::string &text) {
  auto modules = translateGlsl({{lgc::ShaderStage::Fragment, "test", "#version 450\n" + text}});
  if (!modules)
    FAIL(modules.error().text);
  return modules->front();
}

// The disassembly of a perturbed shader, which is valid.
std::string perturbed(const std::vector<uint32_t> &words, uint32_t seed) {
  const std::vector<uint32_t> changed = perturbFloats(words, seed);
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  std::string message, listing;
  tools.SetMessageConsumer(
      [&](spv_message_level_t, const char *, const spv_position_t &, const char *what) { message += what; });
  CHECK_MESSAGE(tools.Validate(changed), message);
  CHECK(tools.Disassemble(changed, &listing, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER));
  return listing;
}

size_t countOf(const std::string &listing, const std::string &what) {
  size_t count = 0;
  for (size_t at = listing.find(what); at != std::string::npos; at = listing.find(what, at + 1))
    ++count;
  return count;
}

} // namespace

TEST_CASE("inputs, arithmetic, functions, texels and places in images are perturbed, by a seed") {
  const auto words =
      translate("layout(location = 0) in vec2 uv; layout(location = 0) out vec4 c;"
                "layout(binding = 0) uniform sampler2D t; layout(binding = 1) uniform U { float f; double d; };"
                "void main() { c = texture(t, uv) + vec4(sin(uv.x + f), float(d * d), 0, 1); }");
  const std::string listing = perturbed(words, 1);
  // The place, the texel, uv, the sum of vectors; uv.x, the sum of scalars, the sine, the product of doubles and what
  // is made of it. The sixth product is the shader's.
  CHECK(countOf(listing, "OpVectorTimesScalar") == 4);
  CHECK(countOf(listing, "OpFMul") == 6);
  CHECK(listing != perturbed(words, 2));
}

TEST_CASE("integers are not perturbed") {
  const auto words = translate("layout(location = 0) flat in uvec2 p; layout(location = 0) out uvec4 c;"
                               "layout(binding = 0) uniform usampler2D t;"
                               "void main() { c = texelFetch(t, ivec2(p), 0) / p.x + uvec4(p, p % 3); }");
  CHECK(perturbFloats(words, 1) == words);
}
