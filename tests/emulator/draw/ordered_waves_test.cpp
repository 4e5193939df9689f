// SPDX-License-Identifier: MIT
//
// Ordered pixel waves: 12 primitives over each other, each of which fills a wave. The primitive mask is in s0, the
// collision wave id in s1.
#include "src/abi/registers/registers.h"
#include "tests/emulator/draw/draw_run.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::emulator::test;

namespace {

constexpr unsigned Primitives = 12; // more than there are numbers before they wrap around

const std::string SetPacker = R"(
    s_bfe_u32 s2, s1, 0x1001c
    s_lshl_b32 s2, 1, s2
    s_setreg_b32 hwreg(HW_REG_MODE, 24, 2), s2
)";
// Waits without asking whether there is an overlap. When numbers have wrapped around, the newest one is one too low.
const std::string Wait = R"(
    s_and_b32 s3, s1, 0x3ff
    s_bfe_u32 s4, s1, 0xa0010
    s_cmp_gt_u32 s4, s3
    s_addc_u32 s4, s4, 0
    s_not_b32 s3, s3
    s_add_u32 s4, s4, s3
  poll:
    s_add_u32 s5, src_pops_exiting_wave_id, s3
    s_cmp_gt_u32 s5, s4
    s_cbranch_scc1 entered
    s_sleep 3
    s_branch poll
  entered:
)";
const std::string WaitIfOverlapped = "s_cmp_gt_i32 s1, -1\n s_cbranch_scc1 entered\n" + Wait;
const std::string Leave = "s_sendmsg sendmsg(MSG_ORDERED_PS_DONE)\n";

DrawRun orderedRun(const std::string &program, unsigned primitives = Primitives) {
  using namespace field;
  DrawRun run;
  for (unsigned i = 0; i < primitives; ++i)
    for (const DrawVertex &vertex : fullScreen({1, 0, 0, 1}))
      run.vertices.push_back(vertex);
  run.ps = program + InterpolateAll + ExportAll;
  run.set(reg::SPI_SHADER_PGM_RSRC2_PS, SPI_SHADER_PGM_RSRC2_PS::LOAD_COLLISION_WAVEID(1));
  run.set(reg::PA_SC_SHADER_CONTROL, PA_SC_SHADER_CONTROL::LOAD_COLLISION_WAVEID(1));
  run.set(reg::DB_SHADER_CONTROL, DB_SHADER_CONTROL::Z_ORDER(1) | DB_SHADER_CONTROL::ALPHA_TO_MASK_DISABLE(1) |
                                      DB_SHADER_CONTROL::PRIMITIVE_ORDERED_PIXEL_SHADER(1));
  return run;
}

void checkError(DrawRun run, const std::string &text) {
  const std::string error = run.drawError();
  CAPTURE(error);
  CHECK(error.find(text) != std::string::npos);
}

} // namespace

TEST_CASE("waves wait for those that they overlap, and let others in") {
  DrawRun run = orderedRun(SetPacker + WaitIfOverlapped + Leave);
  run.draw();
  CHECK(run.pixel(3, 4) == Color{1, 0, 0, 1});
}

TEST_CASE("a wave that does nothing of all that is no defect") {
  orderedRun("").draw();
  orderedRun(Leave).draw();
}

TEST_CASE("a wave that has set its packer must leave before it ends") {
  checkError(orderedRun(SetPacker + WaitIfOverlapped), "the wave ends without ORDERED_PS_DONE");
}

TEST_CASE("a wave leaves once") {
  checkError(orderedRun(SetPacker + WaitIfOverlapped + Leave + "s_nop 0\n" + Leave),
             "has left its ordered section before");
}

TEST_CASE("a wave that does not wait is found out when it leaves") {
  checkError(orderedRun(SetPacker + Leave), "leaves its ordered section before one that it has to wait for");
}

TEST_CASE("a wave must set its packer before it waits") {
  checkError(orderedRun(WaitIfOverlapped + Leave), "POPS_EXITING_WAVE_ID of a packer that is not the wave's");
  checkError(orderedRun("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 24, 2), 2\n" + WaitIfOverlapped + Leave),
             "POPS_EXITING_WAVE_ID of a packer that is not the wave's");
}

TEST_CASE("a wave without an overlap that waits all the same waits forever") {
  checkError(orderedRun(SetPacker + Wait + Leave), "all waves wait for one that has left, or for themselves");
}

TEST_CASE("without order in the registers, waves overlap nobody") {
  DrawRun run = orderedRun(SetPacker + WaitIfOverlapped + Leave);
  run.set(reg::DB_SHADER_CONTROL,
          field::DB_SHADER_CONTROL::Z_ORDER(1) | field::DB_SHADER_CONTROL::ALPHA_TO_MASK_DISABLE(1));
  run.draw();
  DrawRun waiting = orderedRun(SetPacker + Wait + Leave, 1);
  waiting.set(reg::DB_SHADER_CONTROL,
              field::DB_SHADER_CONTROL::Z_ORDER(1) | field::DB_SHADER_CONTROL::ALPHA_TO_MASK_DISABLE(1));
  checkError(std::move(waiting), "all waves wait");
}

TEST_CASE("both registers must say that waves are told whom they overlap") {
  DrawRun run = orderedRun(SetPacker + WaitIfOverlapped + Leave);
  run.set(reg::PA_SC_SHADER_CONTROL, 0);
  checkError(std::move(run), "PA_SC_SHADER_CONTROL and SPI_SHADER_PGM_RSRC2_PS differ");
}

TEST_CASE("overlaps are not told apart by more samples than there are") {
  DrawRun run = orderedRun(SetPacker + WaitIfOverlapped + Leave);
  run.registers[reg::DB_SHADER_CONTROL] |= field::DB_SHADER_CONTROL::POPS_OVERLAP_NUM_SAMPLES(1);
  checkError(std::move(run), "2 samples, of which there are 1");
}
