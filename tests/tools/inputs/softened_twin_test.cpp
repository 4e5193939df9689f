// SPDX-License-Identifier: MIT
//
// Chaotic pictures, and the pictures that are compared instead.
#include "tests/tools/run_tool.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/spirv/soften_constants.h"
#include <doctest/doctest.h>
#include <spirv-tools/libspirv.hpp>

using namespace dovetail;

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

std::vector<uint32_t> translate(const std::string &text) {
  auto modules = translateGlsl({{lgc::ShaderStage::Fragment, "test", text}});
  if (!modules)
    FAIL(modules.error().text);
  return modules->front();
}

std::string disassemble(const std::vector<uint32_t> &words) {
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  std::string message, listing;
  tools.SetMessageConsumer(
      [&](spv_message_level_t, const char *, const spv_position_t &, const char *what) { message += what; });
  CHECK_MESSAGE(tools.Validate(words), message);
  CHECK(tools.Disassemble(words, &listing, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER));
  return listing;
}

size_t count(const std::string &text, const std::string &what) {
  size_t times = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++times;
  return times;
}

} // namespace

TEST_CASE("large factors become small ones, in vectors, too, and only as factors") {
  const std::vector<uint32_t> words = translate(Hash);
  const std::string before = disassemble(words), after = disassemble(softenConstants(words));
  // The factor and 78.233 each get another constant, and the latter another vector. 12.9898 is small already.
  CHECK(count(after, "= OpConstant %") == count(before, "= OpConstant %") + 2);
  CHECK(count(after, "OpConstantComposite") == count(before, "OpConstantComposite") + 1);
  CHECK(count(after, " 4.88956") == 1); // 78.233 / 16
  // The comparison keeps the old factor.
  const size_t compared = after.find("OpFOrdGreaterThan");
  REQUIRE(compared != std::string::npos);
  CHECK(after.substr(compared, 60).find(before.substr(before.find("OpFOrdGreaterThan"), 60)) == 0);
}

TEST_CASE("a shader without large factors stays as it is") {
  const std::vector<uint32_t> words =
      translate("#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = gl_FragCoord * 0.5 + 100.0; }\n");
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
