// SPDX-License-Identifier: MIT
#include "gfx9-merged/stage_map.h"
#include <doctest/doctest.h>

using namespace dovetail;
using lgc::ShaderStage;

namespace {

template <typename... Stages> uint32_t mask(Stages... stages) {
  return (lgc::stageBit(stages) | ...);
}

constexpr ShaderStage VS = ShaderStage::Vertex, TCS = ShaderStage::TessControl, TES = ShaderStage::TessEval,
                      GS = ShaderStage::Geometry, FS = ShaderStage::Fragment, CS = ShaderStage::Compute;

StageMap mapped(uint32_t stageMask, bool hasMergedStages = true) {
  Result<StageMap> map = mapStages(stageMask, hasMergedStages);
  REQUIRE(map.has_value());
  return *map;
}

} // namespace

TEST_CASE("a vertex and a fragment shader have a program each") {
  CHECK(mapped(mask(VS, FS)) == StageMap{{HardwareStage::Vs, {VS}}, {HardwareStage::Ps, {FS}}});
}

TEST_CASE("a pixel program stands for a missing fragment shader; a fragment shader alone has one program") {
  CHECK(mapped(mask(VS)) == StageMap{{HardwareStage::Vs, {VS}}, {HardwareStage::Ps, {}}});
  CHECK(mapped(mask(FS)) == StageMap{{HardwareStage::Ps, {FS}}});
}

TEST_CASE("tessellation merges the vertex shader into the HS program") {
  CHECK(mapped(mask(VS, TCS, TES, FS)) ==
        StageMap{{HardwareStage::Hs, {VS, TCS}}, {HardwareStage::Vs, {TES}}, {HardwareStage::Ps, {FS}}});
}

TEST_CASE("a geometry shader takes the shader before it into the GS program and needs a copy shader") {
  CHECK(mapped(mask(VS, GS, FS)) ==
        StageMap{{HardwareStage::Gs, {VS, GS}}, {HardwareStage::Vs, {}}, {HardwareStage::Ps, {FS}}});
  CHECK(mapped(mask(VS, TCS, TES, GS, FS)) == StageMap{{HardwareStage::Hs, {VS, TCS}},
                                                       {HardwareStage::Gs, {TES, GS}},
                                                       {HardwareStage::Vs, {}},
                                                       {HardwareStage::Ps, {FS}}});
}

TEST_CASE("stages that no pipeline has together are refused") {
  CHECK((mapStages(0, true).error().code == ErrorCode::InvalidInput));
  CHECK((mapStages(mask(CS, FS), false).error().code == ErrorCode::InvalidInput));
  CHECK(mapStages(mask(VS, TCS), true).error().text.find("tessellation evaluation") != std::string::npos);
  CHECK(mapStages(mask(GS), false).error().text.find("vertex") != std::string::npos);
}

TEST_CASE("what is drawn has a vertex shader, and all that its stages need") {
  CHECK(checkStages(mask(VS)).has_value());
  CHECK(checkStages(mask(VS, TCS, TES, GS, FS)).has_value());
  CHECK(checkStages(mask(CS)).has_value());
  CHECK(checkStages(mask(FS)).error().text == "a pipeline with these stages (fragment) also needs: vertex");
  CHECK(checkStages(mask(VS, CS)).error().text == "no pipeline has these stages together: vertex, compute");
  CHECK(checkStages(mask(VS, TES)).error().text ==
        "a pipeline with these stages (vertex, tessellation evaluation) also needs: tessellation control");
}

TEST_CASE("without merged stages each shader has a program of its own, in the order in which they run") {
  CHECK(mapped(mask(VS, TCS, TES, FS), false) == StageMap{{HardwareStage::Ls, {VS}},
                                                          {HardwareStage::Hs, {TCS}},
                                                          {HardwareStage::Vs, {TES}},
                                                          {HardwareStage::Ps, {FS}}});
  CHECK(
      mapped(mask(VS, GS), false) ==
      StageMap{{HardwareStage::Es, {VS}}, {HardwareStage::Gs, {GS}}, {HardwareStage::Vs, {}}, {HardwareStage::Ps, {}}});
  CHECK(mapped(mask(VS, TCS, TES, GS, FS), false) == StageMap{{HardwareStage::Ls, {VS}},
                                                              {HardwareStage::Hs, {TCS}},
                                                              {HardwareStage::Es, {TES}},
                                                              {HardwareStage::Gs, {GS}},
                                                              {HardwareStage::Vs, {}},
                                                              {HardwareStage::Ps, {FS}}});
}

TEST_CASE("pipelines of a vertex and a fragment shader and of a compute shader are the same on all GPUs") {
  CHECK(mapped(mask(VS, FS), false) == mapped(mask(VS, FS), true));
  CHECK(mapped(mask(CS), false) == mapped(mask(CS), true));
}
