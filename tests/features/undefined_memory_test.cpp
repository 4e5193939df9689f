// SPDX-License-Identifier: MIT
//
// A shader may write undefined values to memory. The defined values beside them must come out right, and nothing traps.
#include "tests/features/computed_words.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// Lane i writes its word to memory, and reads its neighbour's word from the same memory.
void checkNeighbours(const std::string &declarations, const std::string &body) {
  CAPTURE(body);
  std::vector<uint32_t> before(64);
  for (uint32_t i = 0; i < 64; ++i)
    before[i] = i * 2654435761u;
  const std::vector<uint32_t> after =
      computedWords(computeOf("", declarations, "uint word = data[i], nothing; uint other = i ^ 1u; " + body), before);
  for (uint32_t i = 0; i < 64; ++i)
    CHECK(after[i] == before[i ^ 1]);
}

} // namespace

TEST_CASE("vectors of which some components are undefined are written to a buffer") {
  const std::string many = "layout(binding = 1) buffer Many { uvec4 many[]; };";
  const std::string read = "barrier(); memoryBarrierBuffer(); data[i] = many[other].y;";
  checkNeighbours(many, "uvec4 v; v.y = word; many[i] = v; " + read);
  checkNeighbours(many, "uvec4 v = uvec4(nothing, word, 7u, nothing); many[i] = v.xyzx; " + read);
  checkNeighbours(many, "uvec2 v; v.y = word; many[i] = uvec4(v, v.x, 3u); " + read);
}

TEST_CASE("undefined words are written to buffers, shared memory and images, and added atomically") {
  const std::string declarations = "layout(binding = 1) buffer Pairs { uvec2 pairs[64]; uint sum; };"
                                   "layout(binding = 2, rgba32ui) uniform uimage2D image; shared uvec4 all[64];";
  const std::string read = "barrier(); data[i] = all[other].z;";
  checkNeighbours(declarations, "uvec4 v; v.z = word; all[i] = v; uvec2 p; pairs[i] = p; " + read);
  checkNeighbours(declarations, "all[i].z = word; all[i].x = nothing; atomicAdd(sum, nothing); "
                                "atomicCompSwap(sum, nothing, word); " +
                                    read);
  checkNeighbours(declarations, "all[i].z = word; barrier(); atomicAdd(all[i].x, nothing); "
                                "atomicCompSwap(all[i].y, nothing, nothing); " +
                                    read);
  checkNeighbours(declarations, "all[i] = uvec4(nothing, 1u, word, nothing); uvec4 texel; texel.x = word; "
                                "imageStore(image, ivec2(i & 3u, 0), texel); " +
                                    read);
}
