// SPDX-License-Identifier: MIT
//
// Chaotic pictures, and the pictures that are compared instead.
#include "tests/spirv/listing.h"
#include "tests/tools/run_tool.h"
#include "tools/common/inputs/spirv/soften_constants.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

// GLSL's best known hash, again and again, so that the last bit of the first sine changes everything.
const std::string Hash = "#version 450\n"
                         "layout(location = 0) in vec2 p;\n"
                         "layout(location = 0) out vec4 c;\n"
                         "void main() {\n"
                         "  float h = dot(p, vec2(12.9898, 78.233));\n"
                         "  for (int i = 0; i < 4; ++i)\n"
                         "    h = fract(sin(h + p.x) * 43758.5453);\n"
                         "  c = vec4(h);\n"
                         "  c.g = max(c.g, 0.5) + float(p.x > 43758.5453);\n"
                         "}\n";

// A triangle that covers everything.
const std::string FullScreen = "#version 450\n"
                               "layout(location = 0) out vec2 p;\n"
                               "void main() {\n"
                               "  p = vec2(gl_VertexIndex % 3 == 1 ? 3 : -1, gl_VertexIndex % 3 == 2 ? 3 : -1);\n"
                               "  gl_Position = vec4(p, 0.5, 1);\n"
                               "}\n";

} // namespace

TEST_CASE("large factors become small ones, in vectors, too, and only as factors") {
  const std::vector<uint32_t> words = fragmentWords(Hash);
  const std::string before = validListing(words), after = validListing(softenConstants(words));
  // The factor and 78.233 each get another constant, and the latter another vector. 12.9898 is small already.
  CHECK(countOf(after, "= OpConstant %") == countOf(before, "= OpConstant %") + 2);
  CHECK(countOf(after, "OpConstantComposite") == countOf(before, "OpConstantComposite") + 1);
  CHECK(countOf(after, " 4.88956") == 1); // 78.233 / 16
  // The comparison keeps the old factor.
  const size_t compared = after.find("OpFOrdGreaterThan");
  REQUIRE(compared != std::string::npos);
  CHECK(after.substr(compared, 60).find(before.substr(before.find("OpFOrdGreaterThan"), 60)) == 0);
}

TEST_CASE("a shader without large factors stays as it is") {
  const std::vector<uint32_t> words = fragmentWords(
      "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = gl_FragCoord * 0.5 + 100.0; }\n");
  CHECK(softenConstants(words) == words);
}

TEST_CASE("a picture that is chaos matches if its softened twin does") {
  Shaders shaders;
  const std::string pair = shaders.write("chaos.vert", FullScreen) + " " + shaders.write("chaos.frag", Hash);
  const Run run = runTool("draw " + pair + " --size 16x16 --compare");
  CAPTURE(run.output);
  CHECK(run.status == 0);
  CHECK(run.output.find("NOT within") != std::string::npos);
  CHECK(run.output.find("softened twin, emulator and lavapipe:") != std::string::npos);
  const Run corpus = runTool("corpus " + shaders / "" + " --draw --limit 3 --default-state --jobs 1");
  CAPTURE(corpus.output);
  CHECK(corpus.output.find("match as a softened twin: ") != std::string::npos);
  CHECK(corpus.output.find(" 0 differ,") != std::string::npos);
}

TEST_CASE("a picture that is chaos without a large factor differs") {
  Shaders shaders;
  const std::string vertex = shaders.write("calm.vert", FullScreen);
  const std::string fragment = shaders.write("calm.frag", "#version 450\n"
                                                          "layout(location = 0) in vec2 p;\n"
                                                          "layout(location = 0) out vec4 c;\n"
                                                          "void main() {\n"
                                                          "  float y = p.x * 1.7 + p.y * 0.3;\n"
                                                          "  for (int i = 0; i < 16; ++i)\n"
                                                          "    y = fract(sin(y * 7.0 + 1.0) * 15.0);\n"
                                                          "  c = vec4(y);\n"
                                                          "}\n");
  const Run run = runTool("draw " + vertex + " " + fragment + " --size 16x16 --compare");
  CAPTURE(run.output);
  CHECK(run.status == 1);
  CHECK(run.output.find("softened twin") == std::string::npos);
}
