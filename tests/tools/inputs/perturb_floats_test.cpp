// SPDX-License-Identifier: MIT
#include "tests/spirv/listing.h"
#include "tools/common/inputs/spirv/perturb_floats.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

std::string perturbed(const std::vector<uint32_t> &words, uint32_t seed) {
  return validListing(perturbFloats(words, seed));
}

} // namespace

TEST_CASE("inputs, arithmetic, functions, texels and places in images are perturbed, by a seed") {
  const auto words =
      fragmentWords("layout(location = 0) in vec2 uv; layout(location = 0) out vec4 c;"
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
  const auto words = fragmentWords("layout(location = 0) flat in uvec2 p; layout(location = 0) out uvec4 c;"
                                   "layout(binding = 0) uniform usampler2D t;"
                                   "void main() { c = texelFetch(t, ivec2(p), 0) / p.x + uvec4(p, p % 3); }");
  CHECK(perturbFloats(words, 1) == words);
}
