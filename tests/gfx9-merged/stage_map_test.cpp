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

StageMap mapped(uint32_t stageMask) {
  Result<StageMap> map = mapStages(stageMask);
  REQUIRE(map.has_value());
  return *map;
}

} // namespace

TEST_CASE("a vertex and a fragment shader have a program each") {
  CHECK(mapped(mask(VS, FS)) == StageMap{{HardwareStage::Vs, {VS}}, {HardwareStage::Ps, {FS}}});
}

TEST_CASE("a vertex shader alone and a fragment shader alone have one program") {
  CHECK(mapped(mask(VS)) == StageMap{{HardwareStage::Vs, {VS}}});
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
  CHECK((mapStages(0).error().code == ErrorCode::InvalidInput));
  CHECK((mapStages(mask(CS, FS)).error().code == ErrorCode::InvalidInput));
  CHECK(mapStages(mask(VS, TCS)).error().text.find("tessellation evaluation") != std::string::npos);
  CHECK(mapStages(mask(GS)).error().text.find("vertex") != std::string::npos);
}

TEST_CASE("planning refuses merged programs by name and lets plain ones through") {
  Result<StageMap> tessellated = planStages(mask(VS, TCS, TES, FS));
  REQUIRE_FALSE(tessellated.has_value());
  CHECK((tessellated.error().code == ErrorCode::Unsupported));
  CHECK(tessellated.error().text.find("vertex and tessellation control shaders run merged in the hs program") !=
        std::string::npos);
  CHECK_FALSE(planStages(mask(VS, GS)).has_value());
  CHECK(planStages(mask(VS, FS)).has_value());
  CHECK(planStages(mask(CS)).has_value());
}
