// SPDX-License-Identifier: MIT
//
// Sound images pass, and each kind of damage is found. A test damages a part behind the join's back (its contract or
// hazard summary does not match its code), or the finished image.
#include "merge/check/check_image.h"
#include "src/abi/registers/registers.h"
#include "tests/merge/assembler.h"
#include "tests/merge/parts_by_hand.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;
using enum dovetail::ValueKind;

namespace {

struct Draw {
  Part prolog = vertexProlog();
  Part vertex = vertexMain();
  Part fragment = fragmentMain();
  Part epilog = fragmentEpilog();

  Image join() const {
    auto image =
        joinStages({stageOf(HardwareStage::Vs, {prolog, vertex}), stageOf(HardwareStage::Ps, {fragment, epilog})});
    REQUIRE_MESSAGE(image.has_value(), (image ? std::string() : image.error().text));
    return **image;
  }
};

// All defects in one text.
std::string defectsOf(const Image &image) {
  std::string text;
  for (const Defect &defect : findImageDefects(image))
    text += toString(defect) + "\n";
  return text;
}

void checkFound(const Image &image, const char *what) {
  std::string defects = defectsOf(image);
  CHECK_MESSAGE(defects.find(what) != std::string::npos, "expected '" << what << "' in: " << defects);
}

void setRegister(Image &image, uint32_t address, uint32_t value) {
  for (RegisterValue &entry : image.registers)
    if (entry.address == address)
      entry.value = value;
}

} // namespace

TEST_CASE("a sound image has no defects") {
  CHECK(defectsOf(Draw().join()) == "");
  CHECK(checkImage(Draw().join()));
}

TEST_CASE("the error of an unsound image lists the defects") {
  Draw draw;
  Image image = draw.join();
  setRegister(image, reg::SPI_PS_INPUT_ENA, 0);
  auto result = checkImage(image);
  REQUIRE(!result);
  CHECK((result.error().code == ErrorCode::CheckFailed));
  CHECK(result.error().text.find("gfx900") != std::string::npos);
}

TEST_CASE("a removed s_nop at a join") {
  auto joined = joinCompute({computePiece("v_readfirstlane_b32 s0, v0"),
                             computeMain("buffer_load_dword v1, v0, s[0:3], 0 idxen\n s_endpgm")});
  REQUIRE(joined);
  Image image = **joined;
  CHECK(defectsOf(image) == "");
  const ImagePart &part = image.parts[1];
  REQUIRE(part.waitStates == 5);
  uint32_t shorter = 0xbf800003; // one wait state less
  std::memcpy(&image.code[part.offset - 4], &shorter, 4);
  checkFound(image, "VMEM instruction reads an SGPR");
}

TEST_CASE("an SGPR that a scalar instruction overwrites is no VALU instruction's any more") {
  auto imageOf = [](const std::string &between) {
    auto joined = joinCompute({computeMain("v_readfirstlane_b32 s4, v0\n " + between +
                                           "\n buffer_load_dword v1, v0, s[4:7], 0 idxen\n s_endpgm")});
    REQUIRE(joined);
    return **joined;
  };
  CHECK(defectsOf(imageOf("s_mov_b32 s4, s0")) == "");
  CHECK(defectsOf(imageOf("s_load_dwordx4 s[4:7], s[0:1], 0x0\n s_waitcnt lgkmcnt(0)")) == "");
  checkFound(imageOf("s_mov_b32 s5, s0"), "VMEM instruction reads an SGPR");
}

TEST_CASE("swapped registers in a contract") {
  Draw draw;
  Image image = draw.join();
  Part epilog = fragmentEpilog();
  std::swap(epilog.contract.inputs[0].reg, epilog.contract.inputs[1].reg);
  replacePart(image, 3, epilog);
  checkFound(image, "mrt0.r is expected in v1, but mrt0.g is there");
}

TEST_CASE("a part that does not make what it promises") {
  Draw draw;
  // The last instruction, which writes v3, is gone.
  setCode(draw.fragment, R"(
    s_mov_b32 m0, s2
    s_nop 0
    v_interp_p1_f32_e32 v2, v0, attr0.x
    v_interp_p2_f32_e32 v2, v1, attr0.x
    v_mov_b32_e32 v0, v2
    v_mov_b32_e32 v1, v2
    v_mov_b32_e32 v2, 0
  )");
  checkFound(draw.join(), "mrt0.a is expected in v3, which nothing has written");
}

TEST_CASE("a program without its end") {
  Draw draw;
  draw.epilog.code.resize(draw.epilog.code.size() - 4);
  checkFound(draw.join(), "outside the stage's code");
}

TEST_CASE("a prolog that overwrites what it promises to preserve") {
  Draw draw;
  setCode(draw.prolog, R"(
    s_getpc_b64 s[8:9]
    s_mov_b32 s8, s1
    s_load_dwordx4 s[12:15], s[8:9], 0x0
    v_add_u32_e32 v0, s2, v0
    s_waitcnt lgkmcnt(0)
    tbuffer_load_format_xy v[4:5], v0, s[12:15], 0 format:116 idxen
    s_waitcnt vmcnt(0)
  )");
  checkFound(draw.join(), "at its end v0 does not hold what was in v0 at its start");
}

TEST_CASE("a prolog may move a preserved register away and back") {
  Draw draw;
  setCode(draw.prolog, R"(
    s_getpc_b64 s[8:9]
    s_mov_b32 s8, s1
    s_load_dwordx4 s[12:15], s[8:9], 0x0
    v_mov_b32_e32 v5, v0
    v_add_u32_e32 v0, s2, v0
    s_waitcnt lgkmcnt(0)
    v_mov_b32_e32 v4, v0
    v_mov_b32_e32 v0, v5
    tbuffer_load_format_xy v[4:5], v4, s[12:15], 0 format:116 idxen
    s_waitcnt vmcnt(0)
  )");
  CHECK(defectsOf(draw.join()) == "");
}

TEST_CASE("user data that arrives changed") {
  Draw draw;
  draw.fragment.code = assemble("s_add_u32 s1, s1, 4");
  std::vector<uint8_t> rest = fragmentMain().code;
  draw.fragment.code.insert(draw.fragment.code.end(), rest.begin(), rest.end());
  checkFound(draw.join(), "at its end s1 does not hold what was in s1 at its start");
}

TEST_CASE("a relocation that is off by four") {
  Draw draw;
  draw.epilog.constants.assign(16, 1);
  draw.epilog.code = assemble(R"(
    s_getpc_b64 s[4:5]
    s_add_u32 s4, s4, 0x11111111
    s_addc_u32 s5, s5, 0x11111111
    s_load_dword s6, s[4:5], 0x0
  )");
  std::vector<uint8_t> rest = fragmentEpilog().code;
  draw.epilog.code.insert(draw.epilog.code.end(), rest.begin(), rest.end());
  draw.epilog.relocations = {{8, RelocationKind::Rel32Lo, RelocationTarget::Constants, 4},
                             {16, RelocationKind::Rel32Hi, RelocationTarget::Constants, 12}};
  draw.epilog.usage.sgprs = 10;
  Image image = draw.join();
  CHECK(defectsOf(image) == "");
  uint32_t field;
  std::memcpy(&field, &image.code[image.parts[3].offset + 8], 4);
  field += 4;
  std::memcpy(&image.code[image.parts[3].offset + 8], &field, 4);
  checkFound(image, "the relocated field");

  // A wrong distance in the part itself is found when it leads out of the constants.
  draw.epilog.relocations[0].addend = 24;
  checkFound(draw.join(), "outside the part's constants");
}

TEST_CASE("exports") {
  Draw draw;
  SUBCASE("no done") {
    setCode(draw.epilog, "v_cvt_pkrtz_f16_f32 v0, v0, v1\n v_cvt_pkrtz_f16_f32 v1, v2, v3\n"
                         "exp mrt0 v0, v0, v1, v1 compr vm\n s_endpgm");
    checkFound(draw.join(), "can end without a done colour export");
  }
  SUBCASE("no done on one of two paths") {
    setCode(draw.epilog, "v_cvt_pkrtz_f16_f32 v0, v0, v1\n v_cvt_pkrtz_f16_f32 v1, v2, v3\n s_cbranch_execz 2\n"
                         "exp mrt0 v0, v0, v1, v1 done compr vm\n s_endpgm");
    checkFound(draw.join(), "can end without a done colour export");
  }
  SUBCASE("an early end with a null export is fine") {
    setCode(draw.epilog,
            "v_cvt_pkrtz_f16_f32 v0, v0, v1\n v_cvt_pkrtz_f16_f32 v1, v2, v3\n s_cbranch_execz 3\n"
            "exp mrt0 v0, v0, v1, v1 done compr vm\n s_endpgm\n exp null off, off, off, off done vm\n s_endpgm");
    CHECK(defectsOf(draw.join()) == "");
  }
  SUBCASE("two done") {
    setCode(draw.epilog, "v_cvt_pkrtz_f16_f32 v0, v0, v1\n v_cvt_pkrtz_f16_f32 v1, v2, v3\n"
                         "exp mrt0 v0, v0, v1, v1 done compr vm\n exp mrt0 v0, v0, v1, v1 done compr vm\n s_endpgm");
    checkFound(draw.join(), "an export after the last one");
  }
  SUBCASE("no valid mask") {
    setCode(draw.epilog, "v_cvt_pkrtz_f16_f32 v0, v0, v1\n v_cvt_pkrtz_f16_f32 v1, v2, v3\n"
                         "exp mrt0 v0, v0, v1, v1 done compr\n s_endpgm");
    checkFound(draw.join(), "no valid mask");
  }
  SUBCASE("a target without a format") {
    draw.epilog.fragmentExports->colFormat = 0x40;
    checkFound(draw.join(), "a colour target without a format");
  }
  SUBCASE("the other width than the format") {
    draw.epilog.fragmentExports->colFormat = 9;
    checkFound(draw.join(), "in the other width");
  }
  SUBCASE("a vertex shader without a done position") {
    setCode(draw.vertex, "v_mov_b32_e32 v6, 0\n v_mov_b32_e32 v7, 1.0\n exp pos0 v4, v5, v6, v7\n"
                         "exp param0 v4, v5, off, off\n s_endpgm");
    checkFound(draw.join(), "can end without a done position export");
  }
  SUBCASE("a parameter that was not announced") {
    setCode(draw.vertex, "v_mov_b32_e32 v6, 0\n v_mov_b32_e32 v7, 1.0\n exp pos0 v4, v5, v6, v7 done\n"
                         "exp param1 v4, v5, off, off\n s_endpgm");
    checkFound(draw.join(), "beyond VS_EXPORT_COUNT");
  }
}

TEST_CASE("registers that nothing has written") {
  Draw draw;
  SUBCASE("a VGPR") {
    setCode(draw.vertex,
            "v_mov_b32_e32 v7, 1.0\n exp pos0 v4, v5, v9, v7 done\n exp param0 v4, v5, off, off\n s_endpgm");
    checkFound(draw.join(), "exp reads v9, which nothing has written");
  }
  SUBCASE("an SGPR") {
    setCode(draw.vertex, "v_add_f32_e32 v7, s20, v4\n exp pos0 v4, v5, v7, v7 done\n"
                         "exp param0 v4, v5, off, off\n s_endpgm");
    draw.vertex.usage.sgprs = 24;
    checkFound(draw.join(), "reads s20, which nothing has written");
  }
  SUBCASE("the copy of an SGPR") {
    setCode(draw.vertex, "v_mov_b32_e32 v7, s20\n exp pos0 v4, v5, v7, v7 done\n"
                         "exp param0 v4, v5, off, off\n s_endpgm");
    draw.vertex.usage.sgprs = 24;
    checkFound(draw.join(), "exp reads v7, which nothing has written");
  }
  SUBCASE("a copy that nobody uses is let pass") {
    setCode(draw.vertex, "v_mov_b32_e32 v7, s20\n exp pos0 v4, v5, v4, v4 done\n"
                         "exp param0 v4, v5, off, off\n s_endpgm");
    draw.vertex.usage.sgprs = 24;
    CHECK(defectsOf(draw.join()) == "");
  }
  SUBCASE("VCC") {
    setCode(draw.vertex, "v_cndmask_b32_e32 v6, v4, v5, vcc\n exp pos0 v4, v5, v6, v6 done\n"
                         "exp param0 v4, v5, off, off\n s_endpgm");
    checkFound(draw.join(), "reads vcc_lo, which nothing has written");
  }
  SUBCASE("a descriptor that is not complete") {
    setCode(draw.vertex,
            "s_mov_b32 s20, 0\n s_mov_b32 s21, 0\n s_mov_b32 s22, 0\n buffer_load_dword v6, off, s[20:23], 0\n"
            "s_waitcnt vmcnt(0)\n exp pos0 v4, v5, v6, v6 done\n exp param0 v4, v5, off, off\n s_endpgm");
    draw.vertex.usage.sgprs = 26;
    checkFound(draw.join(), "reads s23, which nothing has written");
  }
  SUBCASE("the half of a 64-bit value that does not matter is let pass") {
    setCode(draw.vertex,
            "v_lshlrev_b64 v[8:9], 1, v[5:6]\n exp pos0 v4, v5, v8, v8 done\n exp param0 v4, v5, off, off\n s_endpgm");
    draw.vertex.usage.vgprs = 10;
    CHECK(defectsOf(draw.join()) == "");
  }
  SUBCASE("an SGPR that is spilled with others is let pass") {
    setCode(draw.vertex, "v_writelane_b32 v7, s20, 0\n exp pos0 v4, v5, v4, v4 done\n"
                         "exp param0 v4, v5, off, off\n s_endpgm");
    draw.vertex.usage.sgprs = 24;
    CHECK(defectsOf(draw.join()) == "");
  }
  SUBCASE("a VGPR that is spilled with others is let pass, but none that is stored elsewhere") {
    const std::string end = "exp pos0 v4, v5, v4, v4 done\n exp param0 v4, v5, off, off\n s_endpgm";
    draw.vertex.usage.sgprs = 24;
    const std::string descriptor = "s_mov_b64 s[20:21], 0\n s_mov_b64 s[22:23], 0\n";
    setCode(draw.vertex, descriptor + "buffer_store_dword v7, off, s[20:23], 0 offset:8\n" + end);
    CHECK(defectsOf(draw.join()) == "");
    setCode(draw.vertex, descriptor + "buffer_store_dword v7, v4, s[20:23], 0 offen\n" + end);
    checkFound(draw.join(), "buffer_store_dword reads v7, which nothing has written");
  }
  SUBCASE("written on one path only is let pass") {
    setCode(draw.vertex, "v_mov_b32_e32 v7, 1.0\n s_cbranch_execz 1\n v_mov_b32_e32 v6, 0\n"
                         "exp pos0 v4, v5, v6, v7 done\n exp param0 v4, v5, off, off\n s_endpgm");
    CHECK(defectsOf(draw.join()) == "");
  }
  SUBCASE("an instance id that the hardware does not load") {
    Image image = draw.join();
    draw.prolog.contract.inputs.push_back({valueOf(InstanceId), vgpr(3)});
    replacePart(image, 0, draw.prolog);
    checkFound(image, "instance_id is expected in v3");
  }
}

TEST_CASE("control flow") {
  Draw draw;
  SUBCASE("a branch out of the stage") {
    draw.vertex.code = assemble("s_cbranch_execz 1000\n s_endpgm");
    checkFound(draw.join(), "outside the stage's code");
  }
  SUBCASE("a branch into an instruction") {
    draw.vertex.code = assemble("s_cbranch_execz 1\n s_mov_b32 s8, 0xbf810000\n s_endpgm");
    checkFound(draw.join(), "inside another one");
  }
  SUBCASE("a branch into another part") {
    draw.vertex.code = assemble("s_cbranch_execz -2\n s_endpgm");
    checkFound(draw.join(), "leaves its part");
  }
  SUBCASE("bytes that are no instruction") {
    draw.vertex.code.assign(8, 0xff);
    checkFound(draw.join(), "is not an instruction");
  }
  // Behind a far branch: s_nop 0, s_endpgm.
  auto setFarBranch = [&](const char *before, int64_t distance) {
    draw.vertex.code = assemble(before);
    for (uint32_t dword : farBranch(distance))
      for (unsigned i = 0; i < 4; ++i)
        draw.vertex.code.push_back(uint8_t(dword >> 8 * i));
    const std::vector<uint8_t> end = assemble("s_nop 0\n s_endpgm");
    draw.vertex.code.insert(draw.vertex.code.end(), end.begin(), end.end());
  };
  SUBCASE("a far branch") {
    setFarBranch("s_nop 0", 24);
    CHECK(defectsOf(draw.join()).find("not known") == std::string::npos);
    CHECK(defectsOf(draw.join()).find("outside") == std::string::npos);
    // Code that the branch skips is not reached, so it need not be an instruction.
    draw.vertex.code[draw.vertex.code.size() - 5] = 0xff;
    CHECK(defectsOf(draw.join()).find("is not an instruction") == std::string::npos);
  }
  SUBCASE("a far branch out of the stage") {
    setFarBranch("s_nop 0", 0x10000);
    checkFound(draw.join(), "outside the stage's code");
  }
  SUBCASE("a far branch that is entered behind its start") {
    setFarBranch("s_cbranch_scc0 3", 24); // to s_addc_u32
    checkFound(draw.join(), "s_setpc_b64 goes to an address that is not known");
  }
  SUBCASE("a jump through a register") {
    draw.vertex.code = assemble("s_setpc_b64 s[0:1]");
    checkFound(draw.join(), "not known");
  }
}

TEST_CASE("a vector instruction in front of the lanes that it is for") {
  auto defectsWith = [](const std::string &atMeeting) {
    auto joined = joinCompute({computeMain("v_cmp_lt_f32 vcc, 0, v0\n s_and_saveexec_b64 s[4:5], vcc\n"
                                           "s_cbranch_execz 1\n v_mov_b32 v1, v0\n" +
                                           atMeeting + "\n s_endpgm")});
    REQUIRE(joined);
    return defectsOf(**joined);
  };
  auto isFound = [&](const std::string &atMeeting) {
    return defectsWith(atMeeting).find("v_mov_b32 runs in front of the restore of EXEC") != std::string::npos;
  };
  CHECK(isFound("v_mov_b32 v0, 0\n s_or_b64 exec, exec, s[4:5]"));
  CHECK_FALSE(isFound("s_or_b64 exec, exec, s[4:5]\n v_mov_b32 v0, 0"));
  CHECK_FALSE(isFound("s_mov_b64 s[6:7], s[4:5]\n s_or_b64 exec, exec, s[6:7]"));
}

TEST_CASE("a branch by EXECZ that leaves no lanes out is no place where ways meet") {
  auto defectsWith = [](const std::string &before) {
    auto joined = joinCompute({computeMain("v_cmp_lt_f32 vcc, 0, v0\n s_and_saveexec_b64 s[4:5], vcc\n "
                                           "s_cbranch_scc0 1\n s_nop 0\n " +
                                           before +
                                           "\n s_cbranch_execz 0\n v_mov_b32 v1, 0\n"
                                           "s_or_b64 exec, exec, s[4:5]\n s_endpgm")});
    REQUIRE(joined);
    return defectsOf(**joined);
  };
  CHECK(defectsWith("s_nop 0").find("in front of the restore") == std::string::npos);
  CHECK(defectsWith("s_or_b64 exec, exec, s[6:7]").find("in front of the restore") == std::string::npos);
  CHECK(defectsWith("s_and_b64 exec, exec, s[6:7]").find("in front of the restore") != std::string::npos);
  // Code of the whole wave gives EXEC back as it was.
  const std::string wholeWave = "s_or_saveexec_b64 s[8:9], -1\n v_mov_b32 v2, 0\n ";
  CHECK(defectsWith(wholeWave + "s_mov_b64 exec, s[8:9]").find("in front of the restore") == std::string::npos);
  for (const char *end : {"s_mov_b64 exec, s[6:7]", "s_mov_b32 s9, 0\n s_mov_b64 exec, s[8:9]"})
    CHECK(defectsWith(wholeWave + end).find("in front of the restore") != std::string::npos);
  // Another branch has left before.
  CHECK(defectsWith("s_and_b64 exec, exec, s[6:7]\n s_cbranch_execz 3\n s_nop 0").find("in front of the restore") ==
        std::string::npos);
}

TEST_CASE("forms of instructions that no part is to have") {
  auto defectsWith = [](const char *assembly) {
    auto joined = joinCompute({computeMain(assembly)});
    REQUIRE(joined);
    return defectsOf(**joined);
  };
  auto isFound = [&](const char *assembly, const char *what) {
    return defectsWith(assembly).find(what) != std::string::npos;
  };
  CHECK(isFound("v_mov_b32_sdwa v1, v0 dst_sel:BYTE_0 dst_unused:UNUSED_PAD src0_sel:WORD_1\n s_endpgm", "SDWA"));
  CHECK_FALSE(isFound("v_mov_b32 v1, v0\n s_endpgm", "SDWA"));
  // 16 VGPRs are allocated.
  const char *last = "takes its amount from v15, the last VGPR";
  CHECK(isFound("v_mov_b32 v1, 0\n v_mov_b32 v2, 0\n v_mov_b32 v15, 0\n v_lshlrev_b64 v[1:2], v15, v[1:2]\n s_endpgm",
                last));
  CHECK_FALSE(isFound(
      "v_mov_b32 v14, 0\n v_mov_b32 v15, 0\n v_mov_b32 v1, 0\n v_lshlrev_b64 v[14:15], v1, v[14:15]\n s_endpgm", last));
}

TEST_CASE("resources") {
  Draw draw;
  SUBCASE("more VGPRs than allocated") {
    Image image = draw.join();
    setRegister(image, reg::SPI_SHADER_PGM_RSRC1_VS, 0x2c0000);
    checkFound(image, "8 VGPRs are used, 4 are allocated");
  }
  SUBCASE("no barycentrics") {
    Image image = draw.join();
    setRegister(image, reg::SPI_PS_INPUT_ENA, 0);
    checkFound(image, "no pair of barycentrics");
  }
  SUBCASE("an attribute that is not set up") {
    Image image = draw.join();
    setRegister(image, reg::SPI_PS_IN_CONTROL, 0);
    checkFound(image, "attribute 0 of 0");
  }
  SUBCASE("an attribute with halves instead of whole floats") {
    Image image = draw.join();
    setRegister(image, reg::SPI_PS_INPUT_CNTL_0, 3u << 24 | 1u << 19);
    checkFound(image, "v_interp_p1_f32 reads attribute 0, whose SPI_PS_INPUT_CNTL 0x3080000 is for other floats");
  }
  SUBCASE("the wrong float mode") {
    Image image = draw.join();
    setRegister(image, reg::SPI_SHADER_PGM_RSRC1_PS, 0x2f0000);
    checkFound(image, "float mode");
  }
  SUBCASE("scratch that is not enabled") {
    Image image = draw.join();
    draw.epilog.usage.scratchBytes = 16;
    replacePart(image, 3, draw.epilog);
    checkFound(image, "16 bytes of scratch");
  }
}

TEST_CASE("placement") {
  Draw draw;
  Image image = draw.join();
  SUBCASE("a byte that is not the part's") {
    image.code[image.parts[1].offset] ^= 0x10;
    checkFound(image, "is not the part's");
  }
  SUBCASE("something else than s_nop between parts") {
    auto joined = joinCompute({computePiece("v_readfirstlane_b32 s0, v0"),
                               computeMain("buffer_load_dword v1, v0, s[0:3], 0 idxen\n s_endpgm")});
    image = **joined;
    uint32_t endpgm = 0xbf810000;
    std::memcpy(&image.code[image.parts[1].offset - 4], &endpgm, 4);
    checkFound(image, "is not s_nop");
  }
  SUBCASE("no room for prefetch") {
    image.code.resize(image.textSize + 64);
    checkFound(image, "instruction prefetch");
  }
  SUBCASE("a stage that is not aligned") {
    image.stages[1].entry += 4;
    checkFound(image, "not a multiple of 256");
  }
}
