// SPDX-License-Identifier: MIT
//
// Pairs of neighbours: states with the same exports have the same key, and states with different ones have different
// keys.
#include "parts/kinds/around/fragment_epilog.h"
#include "tests/parts/test_interfaces.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

FragmentEpilogKey makeKey(const ShaderInterface &main, const PipelineState &state) {
  Result<FragmentEpilogKey> key = makeFragmentEpilogKey(main, state, "gfx900");
  if (!key)
    FAIL(key.error().text);
  return *key;
}

PartKey keyOf(const ShaderInterface &main, const PipelineState &state) {
  return makeKey(main, state).partKey();
}

const ShaderInterface OneColor = fragmentInterface({floatColor(0)});

PipelineState with(VkFormat format, void (*change)(ColorTarget &)) {
  PipelineState state = colorState({format});
  change(state.colorTargets[0]);
  return state;
}

} // namespace

TEST_CASE("API formats with the same exports share an epilog") {
  PartKey rgba8 = keyOf(OneColor, colorState({VK_FORMAT_R8G8B8A8_UNORM}));
  CHECK(rgba8 == keyOf(OneColor, colorState({VK_FORMAT_B8G8R8A8_SRGB})));
  CHECK(rgba8 == keyOf(OneColor, colorState({VK_FORMAT_A2B10G10R10_UNORM_PACK32})));
  CHECK(rgba8 == keyOf(OneColor, colorState({VK_FORMAT_R16G16B16A16_SFLOAT})));
  CHECK(rgba8 != keyOf(OneColor, colorState({VK_FORMAT_R16G16B16A16_UNORM})));
  CHECK(rgba8 != keyOf(OneColor, colorState({VK_FORMAT_R8_UNORM}))); // only r is exported
}

TEST_CASE("blending is in the key only where it changes the export") {
  CHECK(keyOf(OneColor, colorState({VK_FORMAT_R8G8B8A8_UNORM})) ==
        keyOf(OneColor, with(VK_FORMAT_R8G8B8A8_UNORM, blendOver)));
  CHECK(keyOf(OneColor, colorState({VK_FORMAT_R16G16B16A16_UNORM})) !=
        keyOf(OneColor, with(VK_FORMAT_R16G16B16A16_UNORM, blendOver)));
  CHECK(keyOf(OneColor, with(VK_FORMAT_R32_SFLOAT, blendAdd)) == keyOf(OneColor, colorState({VK_FORMAT_R32_SFLOAT})));
  CHECK(keyOf(OneColor, with(VK_FORMAT_R32_SFLOAT, blendOver)) != keyOf(OneColor, colorState({VK_FORMAT_R32_SFLOAT})));
}

TEST_CASE("a blend equation that copies the source is no blending") {
  auto copy = [](ColorTarget &target) { target.blendEnable = true; };
  CHECK(keyOf(OneColor, with(VK_FORMAT_R16_UNORM, copy)) == keyOf(OneColor, colorState({VK_FORMAT_R16_UNORM})));
  auto subtract = [](ColorTarget &target) {
    target.blendEnable = true;
    target.colorBlendOp = VK_BLEND_OP_SUBTRACT;
  };
  CHECK(keyOf(OneColor, with(VK_FORMAT_R16_UNORM, subtract)) != keyOf(OneColor, colorState({VK_FORMAT_R16_UNORM})));
}

TEST_CASE("factors that a minimum or maximum ignores do not need alpha") {
  auto maximum = [](ColorTarget &target) {
    blendOver(target);
    target.colorBlendOp = VK_BLEND_OP_MAX;
  };
  CHECK((makeKey(OneColor, with(VK_FORMAT_R32_SFLOAT, maximum)).colors[0].format == ExportFormat::R32));
  CHECK((makeKey(OneColor, with(VK_FORMAT_R32_SFLOAT, blendOver)).colors[0].format == ExportFormat::Ar32));
}

TEST_CASE("only components that are stored or read are exported") {
  PipelineState state = colorState({VK_FORMAT_R32G32B32A32_SFLOAT});
  state.colorTargets[0].writeMask = 0x5;
  CHECK(makeKey(OneColor, state).colors[0].componentMask() == 0x5);
  blendOver(state.colorTargets[0]);
  CHECK(makeKey(OneColor, state).colors[0].componentMask() == 0xd); // the blend factors read alpha
  state.colorTargets[0].writeMask = 0;
  CHECK(makeKey(OneColor, state).colors.empty());
}

TEST_CASE("components that the shader does not write are not exported") {
  ShaderInterface rgb = fragmentInterface({floatColor(0, 0x7)});
  FragmentEpilogKey key = makeKey(rgb, colorState({VK_FORMAT_R32G32B32A32_SFLOAT}));
  CHECK(key.colors[0].componentMask() == 0x7);
  CHECK(key.exports().cbShaderMask == 0xf);
}

TEST_CASE("targets with holes: exports are compact, the shader mask is not") {
  ShaderInterface main = fragmentInterface({floatColor(0), floatColor(1), floatColor(3)});
  PipelineState state =
      colorState({VK_FORMAT_R32_SFLOAT, VK_FORMAT_UNDEFINED, VK_FORMAT_R8_UNORM, VK_FORMAT_R16G16B16A16_UNORM});
  FragmentEpilogKey key = makeKey(main, state);
  REQUIRE(key.colors.size() == 2);
  CHECK(key.colors[0].target == 0);
  CHECK(key.colors[1].target == 3);
  CHECK(key.exports().colFormat == 0x51);
  CHECK(key.exports().cbShaderMask == 0xf001);
  // Color 3 is behind the components of colour 1, which the epilog does not export.
  CHECK(key.colors[1].components[0] == 8);
}

TEST_CASE("broadcast sends colour 0 to every target in the target's own format") {
  PipelineState state = colorState({VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R16_UNORM});
  CHECK(makeKey(OneColor, state).colors.size() == 1);
  state.broadcastColor0 = true;
  FragmentEpilogKey key = makeKey(OneColor, state);
  REQUIRE(key.colors.size() == 3);
  CHECK(key.exports().colFormat == 0x524);
  CHECK(key.exports().cbShaderMask == 0xf3f);
  CHECK(key.colors[1].components[1] == 1);
}

TEST_CASE("dual source: the second source goes to target 1 in target 0's format") {
  ShaderInterface main = fragmentInterface({floatColor(0), floatColor(0, 0xf, 1)});
  PipelineState state = colorState({VK_FORMAT_R16G16B16A16_UNORM, VK_FORMAT_R32_SFLOAT});
  CHECK(makeKey(main, state).colors.size() == 1);
  blendOver(state.colorTargets[0]);
  state.colorTargets[0].dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR;
  FragmentEpilogKey key = makeKey(main, state);
  REQUIRE(key.colors.size() == 2);
  CHECK(key.exports().colFormat == 0x99);
  CHECK(key.exports().cbShaderMask == 0xff);
  CHECK(key.colors[1].components[0] == 4);

  Result<FragmentEpilogKey> lacksSecond = makeFragmentEpilogKey(OneColor, state, "gfx900");
  REQUIRE_FALSE(lacksSecond.has_value());
  CHECK((lacksSecond.error().code == ErrorCode::StateMismatch));
}

// The hardware waits for both sources if blending takes the second, whatever the mask hides.
TEST_CASE("dual source: a second source that only hidden components take is exported if there is one") {
  ShaderInterface main = fragmentInterface({floatColor(0), floatColor(0, 0xf, 1)});
  PipelineState state = colorState({VK_FORMAT_R8G8B8A8_UNORM});
  blendOver(state.colorTargets[0]);
  state.colorTargets[0].writeMask = 0x7;
  state.colorTargets[0].dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
  CHECK(makeKey(main, state).exports().colFormat == 0x44);
  CHECK(makeKey(OneColor, state).exports().colFormat == 0x4);
}

TEST_CASE("a colour of another numeric class than its target is an Error that names both") {
  Result<FragmentEpilogKey> key = makeFragmentEpilogKey(OneColor, colorState({VK_FORMAT_R8G8_UINT}), "gfx900");
  REQUIRE_FALSE(key.has_value());
  CHECK((key.error().code == ErrorCode::StateMismatch));
  CHECK(key.error().text.find("location 0") != std::string::npos);
  CHECK(key.error().text.find("VK_FORMAT_R8G8_UINT") != std::string::npos);
  CHECK_FALSE(makeFragmentEpilogKey(fragmentInterface({intColor(0)}), colorState({VK_FORMAT_R8_UNORM}), "gfx900"));
  // A target that is not written does not matter.
  PipelineState state = colorState({VK_FORMAT_R8G8_UINT});
  state.colorTargets[0].writeMask = 0;
  CHECK(makeFragmentEpilogKey(OneColor, state, "gfx900").has_value());
}

TEST_CASE("a target that cannot be one is an Error") {
  Result<FragmentEpilogKey> key = makeFragmentEpilogKey(OneColor, colorState({VK_FORMAT_R8_USCALED}), "gfx900");
  REQUIRE_FALSE(key.has_value());
  CHECK((key.error().code == ErrorCode::Unsupported));
  CHECK(key.error().text.find("VK_FORMAT_R8_USCALED") != std::string::npos);
}

TEST_CASE("the alpha test is in the key only if there is an alpha to test") {
  PipelineState state = colorState({VK_FORMAT_R8G8B8A8_UNORM});
  PipelineState tested = state;
  tested.alphaTestFunc = VK_COMPARE_OP_LESS;
  CHECK(keyOf(OneColor, state) != keyOf(OneColor, tested));
  CHECK(makeKey(OneColor, tested).exports().kills);
  ShaderInterface noColor = fragmentInterface({}, true);
  CHECK(keyOf(noColor, state) == keyOf(noColor, tested));
}

TEST_CASE("clamping is in the key only where a value is exported that it can change") {
  PipelineState state = colorState({VK_FORMAT_R16G16B16A16_UNORM});
  PipelineState clamped = state;
  clamped.clampColor = true;
  CHECK(keyOf(OneColor, state) == keyOf(OneColor, clamped)); // the conversion clamps anyhow
  state.colorTargets[0].format = clamped.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  CHECK(keyOf(OneColor, state) != keyOf(OneColor, clamped));
  ShaderInterface integers = fragmentInterface({intColor(0)});
  state.colorTargets[0].format = clamped.colorTargets[0].format = VK_FORMAT_R32G32B32A32_UINT;
  CHECK(keyOf(integers, state) == keyOf(integers, clamped));
}

TEST_CASE("alpha to one is in the key only where an alpha is exported") {
  PipelineState state = colorState({VK_FORMAT_R8G8_UNORM});
  PipelineState one = state;
  one.alphaToOneEnable = true;
  CHECK(keyOf(OneColor, state) == keyOf(OneColor, one));
  state.colorTargets[0].format = one.colorTargets[0].format = VK_FORMAT_R8G8B8A8_UNORM;
  CHECK(keyOf(OneColor, state) != keyOf(OneColor, one));
}

TEST_CASE("alpha to coverage needs the alpha of target 0") {
  PipelineState state = colorState({VK_FORMAT_R32_SFLOAT});
  state.alphaToCoverageEnable = true;
  CHECK((makeKey(OneColor, state).colors[0].format == ExportFormat::Ar32));
  CHECK(makeKey(OneColor, state).exports().alphaToCoverage);
  // Without a target, only alpha is exported.
  state.colorTargets[0].format = VK_FORMAT_UNDEFINED;
  FragmentEpilogKey key = makeKey(OneColor, state);
  REQUIRE(key.colors.size() == 1);
  CHECK((key.colors[0].format == ExportFormat::Ar32));
  CHECK(key.colors[0].componentMask() == 0x8);
  // Without an alpha there is no value to make coverage of.
  CHECK_FALSE(makeKey(fragmentInterface({floatColor(0, 0x7)}), state).alphaToCoverage);
}

TEST_CASE("coverage comes from the alpha before alpha to one") {
  PipelineState state = colorState({VK_FORMAT_R8G8B8A8_UNORM});
  state.alphaToCoverageEnable = state.alphaToOneEnable = true;
  state.rasterizationSamples = 4;
  FragmentEpilogKey key = makeKey(OneColor, state);
  CHECK_FALSE(key.alphaToCoverage);
  CHECK(key.coverageSamples == 4);
  CHECK(key.coverageSource == 3);
  CHECK(key.colors[0].components[3] == OneSource);
  CHECK(key.exports().sampleMask);
  CHECK((key.zFormat == ExportFormat::Uint16Abgr));
}

TEST_CASE("the format of the depth export") {
  using enum ExportFormat;
  struct Row {
    bool depth, stencil, mask;
    ExportFormat format;
  };
  const Row rows[] = {{false, false, false, Zero},      {true, false, false, R32},
                      {true, true, false, Gr32},        {true, false, true, Abgr32},
                      {true, true, true, Abgr32},       {false, true, false, Uint16Abgr},
                      {false, false, true, Uint16Abgr}, {false, true, true, Uint16Abgr}};
  for (const Row &row : rows) {
    FragmentEpilogKey key = makeKey(fragmentInterface({}, row.depth, row.stencil, row.mask), PipelineState());
    CHECK((key.zFormat == row.format));
    FragmentExports exports = key.exports();
    CHECK(exports.depth == row.depth);
    CHECK(exports.stencil == row.stencil);
    CHECK(exports.sampleMask == row.mask);
    // Without colour and depth, the state must still name a colour format.
    CHECK(exports.colFormat == (row.format == Zero ? 1 : 0));
    CHECK(exports.cbShaderMask == 0);
  }
}

TEST_CASE("outputs that the framebuffer has no place for are not exported") {
  ShaderInterface main = fragmentInterface({}, true, true);
  PipelineState state;
  state.depthStencilFormat = VK_FORMAT_D32_SFLOAT;
  CHECK((makeKey(main, state).zFormat == ExportFormat::R32));
  state.depthStencilFormat = VK_FORMAT_S8_UINT;
  CHECK((makeKey(main, state).zFormat == ExportFormat::Uint16Abgr));
  state.depthStencilFormat = VK_FORMAT_UNDEFINED;
  CHECK((makeKey(main, state).zFormat == ExportFormat::Zero));
}

TEST_CASE("the epilog's inputs are exactly the main part's outputs") {
  ShaderInterface main = fragmentInterface({floatColor(0, 0x3), floatColor(2)}, true);
  Contract contract = makeKey(main, colorState({VK_FORMAT_R8_UNORM})).contract();
  CHECK(contract.inputs == main.outputs);
  CHECK(contract.outputs.empty());
  CHECK(contract.endsProgram);
}

TEST_CASE("the description says what the epilog does") {
  PipelineState state = colorState({VK_FORMAT_R8G8B8A8_UNORM});
  state.alphaTestFunc = VK_COMPARE_OP_GREATER;
  CHECK(makeKey(fragmentInterface({floatColor(0)}, true), state).describe() ==
        "mrt0 FP16_ABGR v0 v1 v2 v3, mrtz 32_R depth v4, alpha test greater");
  CHECK(makeKey(fragmentInterface({}), PipelineState()).describe() == "null export");
  CHECK(makeKey(fragmentInterface({intColor(0)}), colorState({VK_FORMAT_A2B10G10R10_UINT_PACK32})).describe() ==
        "mrt0 UINT16_ABGR v0 v1 v2 v3 clamped to uint10");
}
