// SPDX-License-Identifier: MIT
//
// The project's own tessellation and geometry programs. Every shader is translated, and each stage's inputs must be the
// outputs of the stage before.
#include "src/lgc/ops/op.h"
#include "tests/spirv/glsl.h"
#include "tools/common/command/write_file.h"
#include "tools/common/inputs/glsl.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <map>

using namespace dovetail;
using namespace dovetail::test;

namespace {

using Program = std::map<lgc::ShaderStage, std::vector<uint32_t>>;

// The programs by stem: those with other stages than vertex, fragment and compute, and those with transform feedback.
const std::map<std::string, Program> &programs() {
  static const std::map<std::string, Program> all = [] {
    std::map<std::string, Program> result;
    for (const auto &entry : std::filesystem::directory_iterator(DOVETAIL_OWN_SHADERS)) {
      std::string stem = entry.path().stem();
      if (!stem.starts_with("tess_") && !stem.starts_with("geom_") && !stem.starts_with("xfb_"))
        continue;
      lgc::ShaderStage stage = *stageOfFileName(entry.path().string());
      auto text = readWholeFile(entry.path());
      REQUIRE(text);
      auto modules = translateGlsl({{stage, entry.path().filename(), *text}});
      if (!modules)
        FAIL(modules.error().text);
      result[stem][stage] = std::move(modules->front());
    }
    return result;
  }();
  return all;
}

spirv::Reflection reflectionOf(const std::string &stem, lgc::ShaderStage stage) {
  auto reflection = spirv::reflect(programs().at(stem).at(stage), "main", stage);
  if (!reflection)
    FAIL(stem << ": " << reflection.error().text);
  return *reflection;
}

} // namespace

TEST_CASE("all own programs with tessellation, geometry and transform feedback are translated") {
  unsigned tessellation = 0, geometry = 0, both = 0;
  for (const auto &[stem, program] : programs()) {
    CAPTURE(stem);
    bool hasTessellation = program.contains(lgc::ShaderStage::TessControl);
    bool hasGeometry = program.contains(lgc::ShaderStage::Geometry);
    CHECK(hasTessellation == program.contains(lgc::ShaderStage::TessEval));
    CHECK(program.contains(lgc::ShaderStage::Vertex));
    tessellation += hasTessellation, geometry += hasGeometry, both += hasTessellation && hasGeometry;
    for (const auto &[stage, words] : program) {
      Translated translated(words, optionsOf(stage));
      CHECK(translated.error() == "");
      if (stage == lgc::ShaderStage::Geometry)
        CHECK_FALSE(translated.all<lgc::EmitVertexOp>().empty());
      else if (stage == lgc::ShaderStage::TessControl)
        CHECK_FALSE(translated.all<lgc::WriteBuiltInOutputOp>().empty());
      const lgc::ShaderStage last = hasGeometry       ? lgc::ShaderStage::Geometry
                                    : hasTessellation ? lgc::ShaderStage::TessEval
                                                      : lgc::ShaderStage::Vertex;
      bool captures = stem.starts_with("xfb_") && stage == last;
      CHECK(translated.all<lgc::CaptureOutputOp>().empty() != captures);
    }
  }
  CHECK(tessellation >= 40);
  CHECK(geometry >= 30);
  CHECK(both >= 4);
}

TEST_CASE("each stage of an own program reads what the stage before writes") {
  for (const auto &[stem, program] : programs()) {
    std::vector<spirv::InterfaceLocation> written;
    for (const auto &[stage, words] : program) { // in the order of the stages
      spirv::Reflection reflection = reflectionOf(stem, stage);
      for (const spirv::InterfaceLocation &input : reflection.inputs) {
        if (stage == lgc::ShaderStage::Vertex)
          break;
        CAPTURE(stem);
        CAPTURE(input.name);
        uint32_t components = 0;
        for (const spirv::InterfaceLocation &output : written)
          if (output.location == input.location && output.isPatch == input.isPatch && output.stream == 0 &&
              output.numericClass == input.numericClass && output.elementBits == input.elementBits)
            components |= output.componentMask;
        CHECK((input.componentMask & ~components) == 0);
      }
      written = reflection.outputs;
    }
  }
}

TEST_CASE("own programs have every kind of patch, spacing, order and primitive") {
  std::map<TessPrimitive, unsigned> primitives;
  std::map<TessSpacing, unsigned> spacings;
  std::map<TessVertexOrder, unsigned> orders;
  std::map<GeometryInput, unsigned> inputs;
  std::map<GeometryOutput, unsigned> outputs;
  unsigned pointModes = 0;
  for (const auto &[stem, program] : programs()) {
    if (program.contains(lgc::ShaderStage::TessEval)) {
      lgc::TessellationMode mode = reflectionOf(stem, lgc::ShaderStage::TessEval).tessellation;
      ++primitives[mode.primitive], ++spacings[mode.spacing], ++orders[mode.vertexOrder];
      pointModes += mode.pointMode;
    }
    if (program.contains(lgc::ShaderStage::Geometry)) {
      lgc::GeometryShaderMode mode = reflectionOf(stem, lgc::ShaderStage::Geometry).geometry;
      ++inputs[mode.input], ++outputs[mode.output];
      CHECK(mode.maxVertices > 0);
    }
  }
  for (TessPrimitive primitive : {TessPrimitive::Triangles, TessPrimitive::Quads, TessPrimitive::Isolines})
    CHECK(primitives[primitive] >= 4);
  for (TessSpacing spacing : {TessSpacing::Equal, TessSpacing::FractionalOdd, TessSpacing::FractionalEven})
    CHECK(spacings[spacing] >= 3);
  for (TessVertexOrder order : {TessVertexOrder::CounterClockwise, TessVertexOrder::Clockwise})
    CHECK(orders[order] >= 3);
  CHECK(inputs.size() == 5);
  CHECK(outputs.size() == 3);
  CHECK(pointModes >= 4);
}
