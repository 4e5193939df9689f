// SPDX-License-Identifier: MIT
//
// Epilogs as they are compiled: the right exports in the right order, and no more registers than needed.
#include "parts/cache/part_maker.h"
#include "parts/kinds/around/fragment_epilog.h"
#include "tests/parts/part_text.h"
#include "tests/parts/test_interfaces.h"
#include <algorithm>

using namespace dovetail;

namespace {

PartMaker &maker() {
  static std::unique_ptr<PartMaker> instance = PartMaker::create("gfx900").value();
  return *instance;
}

PartRef epilogOf(const ShaderInterface &main, const PipelineState &state) {
  Result<MadePart> made = maker().getAround(PartKind::FragmentEpilog, main, state);
  if (!made)
    FAIL(made.error().text);
  return made->part;
}

// The exports in the order in which they are run on the live path.
std::vector<std::string> exportsOf(const Part &part) {
  std::vector<std::string> exports;
  for (const std::string &line : linesOf(part))
    if (line.find("exp ") != std::string::npos)
      exports.push_back(line.substr(line.find("exp ")));
  return exports;
}

const ShaderInterface OneColor = fragmentInterface({floatColor(0)});

} // namespace

TEST_CASE("every colour format compiles to one export that ends the pixel") {
  for (const FormatInfo &format : allFormats()) {
    if (format.colorClass == ColorClass::None)
      continue;
    CAPTURE(formatName(format.format));
    ShaderInterface main = fragmentInterface({format.isInteger() ? intColor(0) : floatColor(0)});
    for (bool blend : {false, true}) {
      PipelineState state = colorState({format.format});
      if (blend)
        blendOver(state.colorTargets[0]);
      PartRef part = epilogOf(main, state);
      CAPTURE(textOf(*part));
      std::vector<std::string> exports = exportsOf(*part);
      REQUIRE(exports.size() == 1);
      CHECK(exports[0].find("exp mrt0") == 0);
      CHECK(exports[0].find("done") != std::string::npos);
      CHECK(exports[0].find("vm") != std::string::npos);
      CHECK(linesOf(*part).back().find("s_endpgm") != std::string::npos);
      ExportFormat exportFormat = ExportFormat(part->fragmentExports->colFormat & 0xf);
      CHECK((exports[0].find("compr") != std::string::npos) == isCompressed(exportFormat));
      CHECK(part->usage.vgprs <= 4);
      CHECK(part->usage.psInputEna == 0);
    }
  }
}

// Shows state: colorTargets (FragmentEpilog).
TEST_CASE("the conversion and the enabled components of each export format") {
  struct Row {
    VkFormat format;
    bool blend;
    const char *conversion;
    const char *exported;
  };
  const Row rows[] = {
      {VK_FORMAT_R8G8B8A8_UNORM, false, "v_cvt_pkrtz_f16_f32", "exp mrt0 v0, v0, v1, v1 done compr vm"},
      {VK_FORMAT_R16G16B16A16_UNORM, false, "v_cvt_pknorm_u16_f32", "exp mrt0 v0, v0, v1, v1 done compr vm"},
      {VK_FORMAT_R16G16B16A16_SNORM, false, "v_cvt_pknorm_i16_f32", "exp mrt0 v0, v0, v1, v1 done compr vm"},
      {VK_FORMAT_R16G16B16A16_UINT, false, "v_cvt_pk_u16_u32", "exp mrt0 v0, v0, v1, v1 done compr vm"},
      {VK_FORMAT_R16G16B16A16_SINT, false, "v_cvt_pk_i16_i32", "exp mrt0 v0, v0, v1, v1 done compr vm"},
      {VK_FORMAT_R32_SFLOAT, false, "exp mrt0", "exp mrt0 v0, off, off, off done vm"},
      {VK_FORMAT_R32G32_SFLOAT, false, "exp mrt0", "exp mrt0 v0, v1, off, off done vm"},
      {VK_FORMAT_R32_SFLOAT, true, "exp mrt0", "exp mrt0 v0, off, off, v3 done vm"},
      {VK_FORMAT_R32G32B32A32_SFLOAT, false, "exp mrt0", "exp mrt0 v0, v1, v2, v3 done vm"},
  };
  for (const Row &row : rows) {
    CAPTURE(formatName(row.format));
    PipelineState state = colorState({row.format});
    if (row.blend)
      blendOver(state.colorTargets[0]);
    bool isInteger = findFormat(row.format)->isInteger();
    PartRef part = epilogOf(fragmentInterface({isInteger ? intColor(0) : floatColor(0)}), state);
    CAPTURE(textOf(*part));
    CHECK(countLines(*part, row.conversion) >= 1);
    std::vector<std::string> exports = exportsOf(*part);
    REQUIRE(exports.size() == 1);
    // LLVM chooses the register of a packed pair.
    if (isCompressed(ExportFormat(part->fragmentExports->colFormat & 0xf)))
      CHECK(countLines(*part, "done compr vm") == 1);
    else
      CHECK(exports[0] == row.exported);
  }
}

TEST_CASE("integer clamps") {
  PartRef uint8 = epilogOf(fragmentInterface({intColor(0)}), colorState({VK_FORMAT_R8G8B8A8_UINT}));
  CAPTURE(textOf(*uint8));
  CHECK(countLines(*uint8, "v_pk_min_u16") == 2);
  CHECK(countLines(*uint8, "s_mov_b32 s0, 0xff00ff") == 1); // for both halves
  PartRef sint8 = epilogOf(fragmentInterface({intColor(0)}), colorState({VK_FORMAT_R8G8B8A8_SINT}));
  CAPTURE(textOf(*sint8));
  CHECK(countLines(*sint8, "v_pk_min_i16") == 2);
  CHECK(countLines(*sint8, "v_pk_max_i16") == 2);
  CHECK(countLines(*sint8, "0x7f") == 1);
  CHECK(countLines(*sint8, "0xff80") == 1);
  PartRef uint10 = epilogOf(fragmentInterface({intColor(0)}), colorState({VK_FORMAT_A2B10G10R10_UINT_PACK32}));
  CAPTURE(textOf(*uint10));
  CHECK(countLines(*uint10, "0x3ff03ff") == 1); // g, r
  CHECK(countLines(*uint10, "0x303ff") == 1);   // a, b
  PartRef sint10 = epilogOf(fragmentInterface({intColor(0)}), colorState({VK_FORMAT_A2B10G10R10_SINT_PACK32}));
  CAPTURE(textOf(*sint10));
  CHECK(countLines(*sint10, "0x1ff01ff") == 1);
  CHECK(countLines(*sint10, "0x101ff") == 1);
  CHECK(countLines(*sint10, "0xfe00fe00") == 1);
  CHECK(countLines(*sint10, "0xfffefe00") == 1);
  PartRef uint16 = epilogOf(fragmentInterface({intColor(0)}), colorState({VK_FORMAT_R16G16B16A16_UINT}));
  CHECK(countLines(*uint16, "_min_") == 0);
}

TEST_CASE("one component of a compressed pair is enough") {
  PartRef part = epilogOf(OneColor, colorState({VK_FORMAT_R8_UNORM}));
  CHECK(countLines(*part, "v_cvt_pkrtz_f16_f32") == 1);
  std::vector<std::string> exports = exportsOf(*part);
  REQUIRE(exports.size() == 1);
  CHECK(exports[0].find("off, off") != std::string::npos);
}

TEST_CASE("depth goes first, then colours, and only the last export ends the pixel") {
  ShaderInterface main = fragmentInterface({floatColor(0), floatColor(2)}, true, true, true);
  PipelineState state = colorState({VK_FORMAT_R32_SFLOAT, VK_FORMAT_UNDEFINED, VK_FORMAT_R32G32B32A32_SFLOAT});
  std::vector<std::string> exports = exportsOf(*epilogOf(main, state));
  CHECK(exports == std::vector<std::string>{"exp mrtz v8, v9, v10, off", "exp mrt0 v0, off, off, off",
                                            "exp mrt1 v4, v5, v6, v7 done vm"});
}

TEST_CASE("stencil and sample mask without depth take 16 bits each") {
  PartRef part = epilogOf(fragmentInterface({}, false, true, true), PipelineState());
  CHECK(countLines(*part, "v_lshlrev_b32_e32 v0, 16, v0") == 1);
  CHECK(exportsOf(*part) == std::vector<std::string>{"exp mrtz v0, v0, v1, v1 done compr vm"});
  CHECK(part->fragmentExports->zFormat == 7);
}

TEST_CASE("no output at all: a null export ends the pixel") {
  PartRef part = epilogOf(fragmentInterface({}), PipelineState());
  CHECK(exportsOf(*part) == std::vector<std::string>{"exp null off, off, off, off done vm"});
  CHECK(part->fragmentExports->colFormat == 1);
  // Also for a shader that writes a colour without a target.
  CHECK(countLines(*epilogOf(OneColor, PipelineState()), "exp null") == 1);
}

TEST_CASE("every comparison of the alpha test") {
  // LLVM tests whether to kill, so its code has the opposite of an ordered comparison.
  struct Row {
    VkCompareOp op;
    const char *keep;
    const char *kill;
  };
  const Row rows[] = {
      {VK_COMPARE_OP_LESS, "v_cmp_lt_f32", "v_cmp_nlt_f32"},
      {VK_COMPARE_OP_EQUAL, "v_cmp_eq_f32", "v_cmp_neq_f32"},
      {VK_COMPARE_OP_LESS_OR_EQUAL, "v_cmp_le_f32", "v_cmp_nle_f32"},
      {VK_COMPARE_OP_GREATER, "v_cmp_gt_f32", "v_cmp_ngt_f32"},
      {VK_COMPARE_OP_NOT_EQUAL, "v_cmp_lg_f32", "v_cmp_nlg_f32"},
      {VK_COMPARE_OP_GREATER_OR_EQUAL, "v_cmp_ge_f32", "v_cmp_nge_f32"},
  };
  for (const Row &row : rows) {
    CAPTURE(int(row.op));
    PipelineState state = colorState({VK_FORMAT_R8G8B8A8_UNORM});
    state.alphaTestFunc = row.op;
    PartRef part = epilogOf(OneColor, state);
    CAPTURE(textOf(*part));
    // LLVM may exchange the operands of the comparison.
    CHECK(countLines(*part, "v_cmp_") == 1);
    CHECK(countLines(*part, "s1") >= 1);
    CHECK(countLines(*part, "v3") >= 1);
    CHECK(part->fragmentExports->kills);
    // A wave that has no pixel left ends early, with an export.
    CHECK(countLines(*part, "exp null") == 1);
    CHECK(countLines(*part, "exp mrt0") == 1);
  }
}

TEST_CASE("an alpha test that never passes kills every pixel, one that always passes is none") {
  PipelineState state = colorState({VK_FORMAT_R8G8B8A8_UNORM});
  state.alphaTestFunc = VK_COMPARE_OP_NEVER;
  PartRef never = epilogOf(OneColor, state);
  CHECK(countLines(*never, "exp null") >= 1);
  CHECK(never->fragmentExports->kills);
  state.alphaTestFunc = VK_COMPARE_OP_ALWAYS;
  CHECK(countLines(*epilogOf(OneColor, state), "exp null") == 0);
}

TEST_CASE("alpha to one and the clamp") {
  PipelineState state = colorState({VK_FORMAT_R32G32B32A32_SFLOAT});
  state.alphaToOneEnable = true;
  state.clampColor = true;
  PartRef part = epilogOf(OneColor, state);
  CHECK(countLines(*part, "v_mov_b32_e32 v3, 1.0") == 1);
  // v_med3 of 0 and 1 is the clamp modifier of a maximum.
  CHECK(countLines(*part, "clamp") + countLines(*part, "v_med3_f32") == 3);
}

TEST_CASE("coverage from an alpha that is exported as one") {
  PipelineState state = colorState({VK_FORMAT_R8G8B8A8_UNORM});
  state.alphaToCoverageEnable = state.alphaToOneEnable = true;
  state.rasterizationSamples = 4;
  PartRef part = epilogOf(OneColor, state);
  CHECK(countLines(*part, "exp mrtz") == 1);
  CHECK(countLines(*part, "v_cvt_u32_f32") == 1);
}

TEST_CASE("eight targets") {
  std::vector<ColorOutput> colors;
  for (uint8_t location = 0; location != 8; ++location)
    colors.push_back(floatColor(location));
  PipelineState state;
  for (ColorTarget &target : state.colorTargets)
    target.format = VK_FORMAT_R32G32B32A32_SFLOAT;
  PartRef part = epilogOf(fragmentInterface(colors), state);
  std::vector<std::string> exports = exportsOf(*part);
  REQUIRE(exports.size() == 8);
  CHECK(exports[7] == "exp mrt7 v28, v29, v30, v31 done vm");
  CHECK(part->fragmentExports->colFormat == 0x99999999);
  CHECK(part->usage.vgprs == 32);
}

TEST_CASE("unused outputs among the first sixteen keep their registers") {
  // LLVM closes up unused pixel inputs unless it is told not to.
  ShaderInterface main = fragmentInterface({floatColor(0), floatColor(1), floatColor(2)});
  PipelineState state = colorState({VK_FORMAT_UNDEFINED, VK_FORMAT_UNDEFINED, VK_FORMAT_R32G32B32A32_SFLOAT});
  PartRef part = epilogOf(main, state);
  CHECK(exportsOf(*part) == std::vector<std::string>{"exp mrt0 v8, v9, v10, v11 done vm"});
}

TEST_CASE("an epilog is made once and then found") {
  std::unique_ptr<PartMaker> maker = PartMaker::create("gfx900").value();
  PipelineState state = colorState({VK_FORMAT_R16G16_SFLOAT});
  Result<MadePart> first = maker->getAround(PartKind::FragmentEpilog, OneColor, state);
  state.colorTargets[0].format = VK_FORMAT_R8G8_UNORM;
  Result<MadePart> second = maker->getAround(PartKind::FragmentEpilog, OneColor, state);
  CHECK(first->made);
  CHECK_FALSE(second->made);
  CHECK(first->part == second->part);
}
