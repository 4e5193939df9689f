// SPDX-License-Identifier: MIT
#include "src/base/field_words.h"
#include "tests/tools/temporary_folder.h"
#include "tools/common/inputs/state_file.h"
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>

using namespace dovetail;

namespace {

// The text of the Error for a state; "" if the state is good.
std::string errorOf(const char *text) {
  Result<PipelineState> state = parseState(text, "s.json", {});
  return state ? "" : state.error().text;
}

PipelineState good(const char *text, const PipelineState &base = {}) {
  Result<PipelineState> state = parseState(text, "s.json", base);
  if (!state)
    FAIL(state.error().text);
  return *state;
}

} // namespace

TEST_CASE("an empty state file changes nothing") {
  PipelineState base;
  base.rasterizationSamples = 4;
  base.colorTargets[1].format = VK_FORMAT_R8_UINT;
  PipelineState state = good("{}", base);
  CHECK(state.rasterizationSamples == 4);
  CHECK(state.colorTargets[1].format == VK_FORMAT_R8_UINT);
}

TEST_CASE("vertex input is read with Vulkan's names") {
  PipelineState state = good(R"({
    "vertexBindings": [{"binding": 3, "stride": 20, "inputRate": "VK_VERTEX_INPUT_RATE_INSTANCE", "divisor": 2}],
    "vertexAttributes": [{"location": 5, "binding": 3, "format": "VK_FORMAT_A2B10G10R10_SNORM_PACK32", "offset": 8}]})");
  REQUIRE(state.vertexBindings.size() == 1);
  CHECK(state.vertexBindings[0].binding == 3);
  CHECK(state.vertexBindings[0].stride == 20);
  CHECK(state.vertexBindings[0].inputRate == VK_VERTEX_INPUT_RATE_INSTANCE);
  CHECK(state.vertexBindings[0].divisor == 2);
  REQUIRE(state.vertexAttributes.size() == 1);
  CHECK(state.vertexAttributes[0].location == 5);
  CHECK(state.vertexAttributes[0].format == VK_FORMAT_A2B10G10R10_SNORM_PACK32);
  CHECK(state.vertexAttributes[0].offset == 8);
}

TEST_CASE("colour targets may have holes, and masks are numbers or bit names") {
  PipelineState state = good(R"({"colorTargets": [null, {"format": "VK_FORMAT_R8G8B8A8_UNORM", "writeMask": 5},
    {"format": "VK_FORMAT_R16_SFLOAT", "blendEnable": true, "srcColorBlendFactor": "VK_BLEND_FACTOR_SRC_ALPHA",
     "writeMask": ["VK_COLOR_COMPONENT_R_BIT", "VK_COLOR_COMPONENT_A_BIT"]}]})");
  CHECK(state.colorTargets[0].format == VK_FORMAT_UNDEFINED);
  CHECK(state.colorTargets[1].writeMask == 5);
  CHECK(state.colorTargets[2].writeMask == 9);
  CHECK(state.colorTargets[2].blendEnable);
  CHECK(state.colorTargets[2].srcColorBlendFactor == VK_BLEND_FACTOR_SRC_ALPHA);
}

TEST_CASE("a list in the file replaces the whole list") {
  PipelineState base;
  base.colorTargets[2].format = VK_FORMAT_R8_UNORM;
  PipelineState state = good(R"({"colorTargets": [{"format": "VK_FORMAT_R32_UINT"}]})", base);
  CHECK(state.colorTargets[0].format == VK_FORMAT_R32_UINT);
  CHECK(state.colorTargets[2].format == VK_FORMAT_UNDEFINED);
}

TEST_CASE("every mistake names its place") {
  struct Case {
    const char *text;
    const char *expected;
  };
  const Case cases[] = {
      {"", "s.json: not JSON"},
      {"{\"topology\": ", "s.json: not JSON"},
      {"[]", "s.json: /: expected an object"},
      {R"({"toplogy": 1})", "s.json: /toplogy: unknown key"},
      {R"({"topology": 3})", "/topology: expected the name of a Vulkan enumerator, found 3"},
      {R"({"topology": "VK_PRIMITIVE_TOPOLOGY_SQUARES"})", "/topology: unknown name \"VK_PRIMITIVE_TOPOLOGY_SQUARES\""},
      {R"({"alphaToOneEnable": 1})", "/alphaToOneEnable: expected true or false, found 1"},
      {R"({"rasterizationSamples": 3})", "/rasterizationSamples: found 3; it is to be 1, 2, 4, 8 or 16"},
      {R"({"patchControlPoints": -1})", "/patchControlPoints: expected an unsigned 32-bit number, found -1"},
      {R"({"patchControlPoints": 4294967296})", "/patchControlPoints: expected an unsigned 32-bit number"},
      {R"({"colorTargets": {}})", "/colorTargets: expected an array"},
      {R"({"colorTargets": [null,null,null,null,null,null,null,null,null]})", "has 9 elements, at most 8"},
      {R"({"colorTargets": [null, {"format": "VK_FORMAT_R8G8B8A8_UNRM"}]})", "/colorTargets/1/format: unknown name"},
      {R"({"colorTargets": [{"blendFactor": 1}]})", "/colorTargets/0/blendFactor: unknown key"},
      {R"({"colorTargets": [{"writeMask": 16}]})", "/colorTargets/0/writeMask: found 16; it is to be at most 15"},
      {R"({"colorTargets": [{"writeMask": ["R"]}]})", "/colorTargets/0/writeMask/0: unknown name \"R\""},
      {R"({"vertexAttributes": [{"location": 0, "binding": 1, "format": "VK_FORMAT_R8_UNORM"}]})",
       "/vertexAttributes/0/binding: there is no vertex binding 1"},
      {R"({"vertexAttributes": [{"location": 32, "binding": 0}]})", "/vertexAttributes/0/location"},
      {R"({"vertexBindings": [{"binding": 1}, {"binding": 1}]})",
       "/vertexBindings/1/binding: this binding is described twice"},
  };
  for (const Case &example : cases) {
    CAPTURE(example.text);
    std::string error = errorOf(example.text);
    CHECK_MESSAGE(error.find(example.expected) != std::string::npos, error);
  }
}

TEST_CASE("a file can change each truth value of a state") {
  const PipelineState defaults;
  forEachField(defaults, [&]<typename Field>(std::string_view name, const Field &value) {
    if constexpr (std::is_same_v<Field, bool>) {
      CAPTURE(name);
      const PipelineState state = good(fmt::format(R"({{"{}": {}}})", name, !value).c_str());
      CHECK(changedFields(state) == std::vector{name});
      CHECK(good(printState(state).c_str()) == state);
    }
  });
}

TEST_CASE("a printed state reads back as the same state") {
  PipelineState state;
  state.vertexBindings = {{0, 16, VK_VERTEX_INPUT_RATE_VERTEX, 1}, {1, 4, VK_VERTEX_INPUT_RATE_INSTANCE, 0}};
  state.vertexAttributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}, {7, 1, VK_FORMAT_R8G8B8A8_UINT, 0}};
  state.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
  state.colorTargets[1] = {VK_FORMAT_B10G11R11_UFLOAT_PACK32, 0x7, true};
  state.alphaTestFunc = VK_COMPARE_OP_GREATER;
  state.alphaToCoverageEnable = true;
  std::string text = printState(state);
  CHECK(printState(good(text.c_str())) == text);
  CHECK(text.find("VK_COMPARE_OP_GREATER") != std::string::npos);
}

TEST_CASE("a state file that is not there is an Io error that names it") {
  TemporaryFolder folder;
  const std::string file = folder / "none.json";
  Result<PipelineState> state = readStateFile(file, {});
  REQUIRE_FALSE(state.has_value());
  CHECK((state.error().code == ErrorCode::Io));
  CHECK(state.error().text.find(file) != std::string::npos);
}

TEST_CASE("every example of docs/state-file.md is a state file") {
  std::ifstream stream(DOVETAIL_STATE_FILE_DOCUMENT);
  const std::string document{std::istreambuf_iterator<char>(stream), {}};
  size_t examples = 0;
  for (size_t begin = 0; (begin = document.find("```json\n", begin)) != std::string::npos; ++examples) {
    begin = document.find('\n', begin) + 1;
    const size_t end = document.find("```", begin);
    CHECK(errorOf(document.substr(begin, end - begin).c_str()) == "");
    begin = end + 3;
  }
  CHECK(examples == 2);
}
