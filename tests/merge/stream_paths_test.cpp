// SPDX-License-Identifier: MIT
//
// Exports of copy shaders: only waves of stream 0 have exports. The register values are bare numbers of the hardware:
// SO_EN is bit 12 of SPI_SHADER_PGM_RSRC2_VS, USER_SGPR its bits 5:1; with two user SGPRs, StreamoutConfig is s2.
#include "merge/check/checks.h"
#include "src/abi/registers/registers.h"
#include "src/abi/target_info.h"
#include "tests/merge/parts_by_hand.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

constexpr uint32_t TwoUserSgprs = 2 << 1, StreamoutEnable = 1 << 12;

// The defects that the checks of exports find in a copy shader with this code, if these streams are captured.
std::string defectsOf(std::string_view code, uint32_t capturedStreams,
                      uint32_t rsrc2 = TwoUserSgprs | StreamoutEnable) {
  const Part part = makePart(PartKind::GeometryCopy, code);
  Image image;
  image.gpuName = target().gpuName;
  image.code.assign(part.code.begin(), part.code.end());
  image.registers = {{reg::SPI_SHADER_PGM_RSRC1_VS, 0},
                     {reg::SPI_SHADER_PGM_RSRC2_VS, rsrc2},
                     {reg::SPI_SHADER_POS_FORMAT, 4},
                     {reg::VGT_STRMOUT_CONFIG, capturedStreams}};
  ImageStage geometry{}, copy{};
  geometry.stage = HardwareStage::Gs;
  copy.stage = HardwareStage::Vs;
  copy.size = uint32_t(part.code.size());
  image.stages = {geometry, copy};
  check::Defects defects;
  check::checkExports(check::walkControlFlow(image, image.stages[1], defects), defects);
  std::string text;
  for (const Defect &defect : defects.take())
    text += toString(defect) + "\n";
  return text;
}

bool mentions(const std::string &text, std::string_view what) {
  return text.find(what) != std::string::npos;
}

// Stream 0 exports, the others end.
constexpr const char *Right = "s_bfe_u32 s4, s2, 0x20018\n s_cmp_eq_u32 s4, 0\n s_cbranch_scc0 2\n"
                              "exp pos0 v0, v0, v0, v0 done\n s_endpgm";

} // namespace

TEST_CASE("waves of stream 0 export, others do not") {
  CHECK(defectsOf(Right, 15) == "");
  // The same in a compiler's layout: a mask keeps the condition.
  CHECK(defectsOf("s_lshr_b32 s4, s2, 24\n s_and_b32 s4, s4, 3\n s_cmp_lg_u32 s4, 0\n s_cselect_b64 s[6:7], -1, 0\n"
                  "s_and_b64 vcc, exec, s[6:7]\n s_cbranch_vccnz 2\n exp pos0 v0, v0, v0, v0 done\n s_endpgm",
                  15) == "");
  CHECK(defectsOf("s_bfe_u32 s4, s2, 0x20018\n s_cmp_lt_i32 s4, 1\n s_mov_b64 s[6:7], -1\n s_cbranch_scc0 1\n"
                  "s_mov_b64 s[6:7], 0\n s_andn2_b64 vcc, exec, s[6:7]\n s_cbranch_vccz 2\n"
                  "exp pos0 v0, v0, v0, v0 done\n s_endpgm",
                  15) == "");
}

TEST_CASE("a branch on EXEC is one that is always taken where all lanes are on again") {
  // The end of the region of stream 1 as a compiler makes it: lanes are off for a while.
  const std::string region = "s_bfe_u32 s4, s2, 0x20018\n s_cmp_eq_u32 s4, 0\n s_cbranch_scc1 5\n"
                             "v_cmp_gt_u32_e32 vcc, 9, v0\n s_and_saveexec_b64 s[6:7], vcc\n s_nop 0\n";
  const std::string end = "s_cbranch_execnz 2\n exp pos0 v0, v0, v0, v0 done\n s_endpgm";
  CHECK(defectsOf(region + "s_or_b64 exec, exec, s[6:7]\n" + end, 3) == "");
  CHECK(mentions(defectsOf(region + "s_or_b64 exec, exec, s[8:9]\n" + end, 3), "a wave of stream 1 exports"));
  CHECK(mentions(defectsOf(region + "s_nop 0\n" + end, 3), "a wave of stream 1 exports"));
}

TEST_CASE("a stream that exports although it must not") {
  // Stream 2 takes the path of stream 0, too, because the code tests only bit 0 of the number.
  const char *code = "s_bfe_u32 s4, s2, 0x10018\n s_cmp_eq_u32 s4, 0\n s_cbranch_scc0 2\n"
                     "exp pos0 v0, v0, v0, v0 done\n s_endpgm";
  const std::string found = defectsOf(code, 15);
  CHECK(mentions(found, "a wave of stream 2 exports"));
  CHECK_FALSE(mentions(found, "stream 1"));
  CHECK_FALSE(mentions(found, "stream 3"));
  // A stream that is not captured has no waves.
  CHECK(defectsOf(code, 0b1011) == "");
}

TEST_CASE("stream 0 without its export") {
  CHECK(mentions(defectsOf("s_bfe_u32 s4, s2, 0x20018\n s_cmp_eq_u32 s4, 0\n s_cbranch_scc1 2\n"
                           "exp pos0 v0, v0, v0, v0 done\n s_endpgm",
                           1),
                 "can end without a done position export"));
  // A condition that does not depend on the stream is no excuse.
  CHECK(mentions(defectsOf("s_bfe_u32 s4, s2, 0x20010\n s_cmp_eq_u32 s4, 0\n s_cbranch_scc0 2\n"
                           "exp pos0 v0, v0, v0, v0 done\n s_endpgm",
                           1),
                 "can end without a done position export"));
  CHECK(mentions(defectsOf("s_bfe_u32 s4, s2, 0x20018\n v_readfirstlane_b32 s4, v0\n s_cmp_eq_u32 s4, 0\n"
                           "s_cbranch_scc0 2\n exp pos0 v0, v0, v0, v0 done\n s_endpgm",
                           1),
                 "can end without a done position export"));
  // Without transform feedback, s2 is another value, and every path must export.
  CHECK(mentions(defectsOf(Right, 0, TwoUserSgprs), "can end without a done position export"));
}
