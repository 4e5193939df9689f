// SPDX-License-Identifier: MIT
//
// The state of pipeline files.
#include "tools/common/pipe-file/pipe_state.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::pipe_file;

namespace {

using Read = Result<void> (*)(SectionReader &, PipelineState &);

Result<PipelineState> stateOf(Read read, const std::string &text, PipelineState state = {}) {
  std::vector<Section> sections = DOVETAIL_TRY(parseSections("a.pipe", "[A]\n" + text));
  const std::string file = "a.pipe";
  SectionReader reader(file, sections[0]);
  DOVETAIL_CHECK(read(reader, state));
  return state;
}

std::string errorOf(Read read, const std::string &text) {
  Result<PipelineState> state = stateOf(read, text);
  return state ? "no error" : state.error().text;
}

} // namespace

TEST_CASE("vertex input of a file replaces what was there") {
  PipelineState before;
  before.vertexBindings = {{9, 1, VK_VERTEX_INPUT_RATE_VERTEX, 1}};
  const PipelineState state = stateOf(readVertexInput,
                                      "binding[0].binding = 3\nbinding[0].stride = 20\n"
                                      "binding[0].inputRate = VK_VERTEX_INPUT_RATE_INSTANCE\n"
                                      "divisor[0].binding = 3\ndivisor[0].divisor = 5\n"
                                      "attribute[0].location = 1\nattribute[0].binding = 3\n"
                                      "attribute[0].format = VK_FORMAT_R32G32_SFLOAT\nattribute[0].offset = 12\n",
                                      before)
                                  .value();
  CHECK(state.vertexBindings == std::vector<VertexBinding>{{3, 20, VK_VERTEX_INPUT_RATE_INSTANCE, 5}});
  CHECK(state.vertexAttributes == std::vector<VertexAttribute>{{1, 3, VK_FORMAT_R32G32_SFLOAT, 12}});
}

TEST_CASE("vertex input that no pipeline has is refused") {
  CHECK(errorOf(readVertexInput, "attribute[0].location = 1\n") ==
        "a.pipe:2: attribute[0]: there is no vertex binding 0");
  CHECK(errorOf(readVertexInput, "attribute[0].location = 99\n").find("not below 32") != std::string::npos);
  CHECK(errorOf(readVertexInput, "binding[0].inputRate = SOMETIMES\n") ==
        "a.pipe:2: binding[0].inputRate: unknown name \"SOMETIMES\"");
}

TEST_CASE("fields of the graphics state are those of a pipeline state") {
  const PipelineState state =
      stateOf(readGraphicsState,
              "topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST\npatchControlPoints = 4\nswitchWinding = 1\n"
              "depthClipEnable = 0\nnumSamples = 4\nperSampleShading = 1\nalphaToCoverageEnable = 1\n"
              "provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT\n"
              "colorBuffer[1].format = VK_FORMAT_R8G8B8A8_UNORM\ncolorBuffer[1].channelWriteMask = 7\n"
              "colorBuffer[1].blendEnable = 1\ncolorBuffer[1].blendSrcAlphaToColor = 1\n")
          .value();
  CHECK(state.topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
  CHECK(state.patchControlPoints == 4);
  CHECK(state.tessellationDomainLowerLeft);
  CHECK(state.depthClampEnable);
  CHECK(state.rasterizationSamples == 4);
  CHECK(state.sampleShadingEnable);
  CHECK(state.alphaToCoverageEnable);
  CHECK(state.flatProvokingVertexLast);
  CHECK(state.colorTargets[0].format == VK_FORMAT_UNDEFINED);
  CHECK(state.colorTargets[1].writeMask == 7);
  CHECK(state.colorTargets[1].blendEnable);
  CHECK(state.colorTargets[1].srcColorBlendFactor == VK_BLEND_FACTOR_SRC_ALPHA);
}

TEST_CASE("two sources blend at colour 0") {
  const PipelineState state =
      stateOf(readGraphicsState, "dualSourceBlendEnable = 1\ncolorBuffer[0].format = VK_FORMAT_R8G8B8A8_UNORM\n")
          .value();
  CHECK(state.colorTargets[0].blendEnable);
  CHECK(state.colorTargets[0].dstColorBlendFactor == VK_BLEND_FACTOR_SRC1_COLOR);
}

TEST_CASE("what a file does not name stays") {
  PipelineState before;
  before.patchControlPoints = 7;
  before.colorTargets[2].format = VK_FORMAT_R8_UNORM;
  CHECK((stateOf(readGraphicsState, "patchControlPoints = 0\nnumSamples = 0\n", before).value() == before));
}

TEST_CASE("numbers and names that do not exist are refused") {
  CHECK(errorOf(readGraphicsState, "numSamples = 3\n") == "a.pipe:2: numSamples: expected 1, 2, 4, 8 or 16");
  CHECK(errorOf(readGraphicsState, "colorBuffer[8].format = VK_FORMAT_R8_UNORM\n").find("there are 8 colour buffers") !=
        std::string::npos);
  CHECK(errorOf(readGraphicsState, "topology = VK_TRIANGLES\n").find("unknown name") != std::string::npos);
}
