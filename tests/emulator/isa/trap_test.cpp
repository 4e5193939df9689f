// SPDX-License-Identifier: MIT
//
// Programs that trap. Beside each is a program that is nearly the same and must not trap.
#include "tests/emulator/isa/run_assembly.h"
#include <doctest/doctest.h>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

// The trap of a wave that has s[0:1] = address of 64 bytes of memory, s2 = 0, s[4:7] = a buffer over it, v0 = 0 and
// v[1:2] = that address.
std::optional<TrapKind> trapOf(std::string_view text, Generation generation = Generation::Gfx9) {
  AssemblyRun run(generation);
  uint64_t address = run.gpu.memory().map("data", std::vector<uint8_t>(64));
  run.setup.sgprCount = 32;
  run.setup.vgprCount = 16;
  run.setup.sgprs = {uint32_t(address), uint32_t(address >> 32), 0u,  std::nullopt,
                     uint32_t(address), uint32_t(address >> 32), 64u, 0x00024facu};
  run.setup.vgprs = {allLanes(0u), allLanes(uint32_t(address)), allLanes(uint32_t(address >> 32))};
  run.run(text);
  INFO(run.trapText());
  CHECK((run.trap().has_value() || run.wave().status == WaveStatus::Ended));
  return run.trap();
}

#define CHECK_TRAP(text, kind)                                                                                         \
  do {                                                                                                                 \
    INFO(std::string(text));                                                                                           \
    CHECK((trapOf(text) == (kind)));                                                                                   \
  } while (false)
#define CHECK_NO_TRAP(text)                                                                                            \
  do {                                                                                                                 \
    INFO(std::string(text));                                                                                           \
    CHECK((trapOf(text) == std::nullopt));                                                                             \
  } while (false)

} // namespace

TEST_CASE("registers that nothing wrote") {
  CHECK_TRAP("s_mov_b32 s8, s3\ns_cmp_lg_u32 s2, s8\ns_cbranch_scc1 0", TrapKind::UninitialisedRegister);
  CHECK_NO_TRAP("s_mov_b32 s3, 0\ns_mov_b32 s8, s3");
  CHECK_TRAP("s_cmp_lg_u32 s2, s3\ns_cbranch_scc1 0", TrapKind::UninitialisedRegister);
  CHECK_TRAP("s_load_dword s8, s[2:3], 0x0", TrapKind::UninitialisedRegister);
  CHECK_TRAP("v_cmp_ne_u32_e32 vcc, v0, v4", TrapKind::UninitialisedRegister);
  CHECK_NO_TRAP("v_mov_b32_e32 v4, v0\nv_cmp_ne_u32_e32 vcc, v0, v4");
  // A move may read an unwritten register. The copy counts as unwritten, too.
  CHECK_NO_TRAP("v_mov_b32_e32 v3, v4\nv_mov_b32_e32 v5, s3\ns_mov_b64 s[8:9], s[10:11]");
  CHECK_TRAP("v_mov_b32_e32 v3, v4\nv_cmp_ne_u32_e32 vcc, v0, v3", TrapKind::UninitialisedRegister);
  CHECK_TRAP("v_mov_b32_e32 v5, s3\nv_cmp_ne_u32_e32 vcc, v0, v5", TrapKind::UninitialisedRegister);
  CHECK_TRAP("s_cselect_b32 s8, 0, 1\ns_cmp_lg_u32 s8, 1\ns_cbranch_scc1 0", TrapKind::UninitialisedRegister);
  CHECK_NO_TRAP("s_cmp_eq_u32 s2, 0\ns_cselect_b32 s8, 0, 1");
  CHECK_TRAP("s_cbranch_vccz 0", TrapKind::UninitialisedRegister);
  CHECK_NO_TRAP("v_cmp_eq_u32_e32 vcc, 0, v0\ns_cbranch_vccz 0");
  CHECK_TRAP("v_cndmask_b32_e32 v3, v0, v0, vcc", TrapKind::UninitialisedRegister);
  // No lane takes the unwritten source.
  CHECK_NO_TRAP("s_mov_b64 vcc, 0\nv_cndmask_b32_e32 v3, v0, v4, vcc\nv_cmp_ne_u32_e32 vcc, v0, v3");
  CHECK_NO_TRAP("s_mov_b64 s[8:9], exec\nv_cndmask_b32_e64 v3, v4, v0, s[8:9]");
  CHECK_TRAP("s_mov_b64 vcc, 1\nv_cndmask_b32_e32 v3, v0, v4, vcc", TrapKind::UninitialisedRegister);
  CHECK_TRAP("s_mov_b64 vcc, 1\nv_cndmask_b32_e32 v3, v4, v0, vcc", TrapKind::UninitialisedRegister);
  CHECK_TRAP("s_mov_b64 vcc, 0\nv_cndmask_b32_e32 v3, v4, v4, vcc", TrapKind::UninitialisedRegister);
  CHECK_NO_TRAP("s_mov_b64 exec, 2\ns_mov_b64 vcc, 1\nv_cndmask_b32_e32 v3, v0, v4, vcc");
  // No lane is on, so no lane reads.
  CHECK_NO_TRAP("s_mov_b64 exec, 0\nv_cmp_ne_u32_e32 vcc, v0, v4");
  CHECK_TRAP("s_mov_b64 exec, 1\nv_cmp_ne_u32_e32 vcc, v0, v4", TrapKind::UninitialisedRegister);
  CHECK_TRAP("s_mov_b64 exec, 0\nv_readfirstlane_b32 s8, v4\ns_cmp_lg_u32 s8, 1\ns_cbranch_scc1 0",
             TrapKind::UninitialisedRegister);
  CHECK_TRAP("s_mov_b64 exec, 0\nv_readlane_b32 s8, v4, 0\ns_cmp_lg_u32 s8, 1\ns_cbranch_scc1 0",
             TrapKind::UninitialisedRegister);
  CHECK_TRAP("s_brev_b32 s8, m0\ns_cmp_lg_u32 s8, 1\ns_cbranch_scc1 0", TrapKind::UninitialisedRegister);
  CHECK_NO_TRAP("s_mov_b32 m0, 0\ns_mov_b32 s8, m0");
}

TEST_CASE("masks may be built up from nothing, as far as only what was written matters") {
  // A loop's mask in its first round: only the lanes that are on are set.
  CHECK_NO_TRAP("s_mov_b64 exec, 15\n"
                "s_or_b64 s[8:9], s[8:9], exec\n"
                "v_cndmask_b32_e64 v3, v0, v0, s[8:9]\n"
                "s_and_b64 vcc, exec, s[8:9]\n"
                "s_cbranch_vccnz 0\n"
                "s_andn2_b64 exec, exec, s[8:9]");
  CHECK_TRAP("s_or_b64 s[8:9], s[8:9], 15\nv_cndmask_b32_e64 v3, v0, v0, s[8:9]", TrapKind::UninitialisedRegister);
  CHECK_TRAP("s_or_b64 s[8:9], s[8:9], 15\ns_mov_b64 exec, s[8:9]", TrapKind::UninitialisedRegister);
  CHECK_TRAP("s_and_b32 s8, s8, 15\ns_cmp_lg_u32 s8, 1\ns_cbranch_scc1 0", TrapKind::UninitialisedRegister);
  CHECK_NO_TRAP("s_and_b32 s8, s8, 0\ns_cmp_lg_u32 s8, 1\ns_cbranch_scc1 0");
  // SCC is known if some bit is known to be set.
  CHECK_NO_TRAP("s_or_b32 s8, s8, 1\ns_cbranch_scc1 0");
  CHECK_TRAP("s_and_b32 s8, s8, 1\ns_cbranch_scc1 0", TrapKind::UninitialisedRegister);
}

TEST_CASE("registers beyond what the wave has") {
  CHECK_TRAP("s_mov_b32 s32, 0", TrapKind::RegisterNotAllocated);
  CHECK_NO_TRAP("s_mov_b32 s31, 0");
  CHECK_TRAP("v_mov_b32_e32 v16, 0", TrapKind::RegisterNotAllocated);
  CHECK_NO_TRAP("v_mov_b32_e32 v15, 0");
  CHECK_TRAP("s_mov_b64 s[8:9], ttmp[0:1]", TrapKind::RegisterNotAllocated);
}

TEST_CASE("scalar loads must be waited for, and lgkmcnt(1) says nothing about them") {
  CHECK_TRAP("s_load_dword s8, s[0:1], 0x0\ns_mov_b32 s9, s8", TrapKind::UseBeforeWaitcnt);
  CHECK_NO_TRAP("s_load_dword s8, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s9, s8");
  CHECK_TRAP("s_load_dword s8, s[0:1], 0x0\ns_load_dword s10, s[0:1], 0x4\ns_waitcnt lgkmcnt(1)\ns_mov_b32 s9, s8",
             TrapKind::UseBeforeWaitcnt);
  CHECK_TRAP("s_load_dword s8, s[0:1], 0x0\ns_waitcnt vmcnt(0)\ns_mov_b32 s9, s8", TrapKind::UseBeforeWaitcnt);
  CHECK_TRAP("s_load_dword s8, s[0:1], 0x0\ns_mov_b32 s8, 0", TrapKind::UseBeforeWaitcnt);
  CHECK_NO_TRAP("s_load_dword s8, s[0:1], 0x0\ns_mov_b32 s9, 0");
  CHECK_TRAP("s_load_dwordx2 s[8:9], s[0:1], 0x0\nv_mov_b32_e32 v3, s9", TrapKind::UseBeforeWaitcnt);
}

TEST_CASE("vector loads return in order") {
  CHECK_TRAP("global_load_dword v3, v[1:2], off\nv_mov_b32_e32 v4, v3", TrapKind::UseBeforeWaitcnt);
  CHECK_NO_TRAP("global_load_dword v3, v[1:2], off\ns_waitcnt vmcnt(0)\nv_mov_b32_e32 v4, v3");
  CHECK_NO_TRAP("global_load_dword v3, v[1:2], off\n"
                "global_load_dword v5, v[1:2], off\n"
                "s_waitcnt vmcnt(1)\n"
                "v_mov_b32_e32 v4, v3");
  CHECK_TRAP("global_load_dword v3, v[1:2], off\n"
             "global_load_dword v5, v[1:2], off\n"
             "s_waitcnt vmcnt(1)\n"
             "v_mov_b32_e32 v4, v5",
             TrapKind::UseBeforeWaitcnt);
  CHECK_TRAP("global_load_dword v3, v[1:2], off\nv_mov_b32_e32 v3, 0", TrapKind::UseBeforeWaitcnt);
  CHECK_NO_TRAP("global_load_dword v3, v[1:2], off\nglobal_load_dword v3, v[1:2], off");
  CHECK_TRAP("global_load_dword v3, v[1:2], off\nbuffer_store_dword v3, off, s[4:7], 0", TrapKind::UseBeforeWaitcnt);
}

TEST_CASE("a load writes only the lanes that are on when it is issued") {
  // Other lanes may read their own v5.
  std::string load = "v_mov_b32_e32 v5, 7\ns_mov_b64 exec, 15\nglobal_load_dword v5, v[1:2], off\n";
  CHECK_NO_TRAP(load + "s_mov_b64 exec, 48\nv_mov_b32_e32 v6, v5");
  CHECK_TRAP(load + "s_mov_b64 exec, 24\nv_mov_b32_e32 v6, v5", TrapKind::UseBeforeWaitcnt);
  CHECK_TRAP(load + "s_mov_b64 exec, 24\nv_mov_b32_e32 v5, 1", TrapKind::UseBeforeWaitcnt);
  CHECK_NO_TRAP(load + "s_mov_b64 exec, 24\ns_waitcnt vmcnt(0)\nv_mov_b32_e32 v6, v5");
  // The second load adds its lanes to those of the first.
  std::string loads = load + "s_mov_b64 exec, 48\nglobal_load_dword v5, v[1:2], off\n";
  CHECK_TRAP(loads + "s_mov_b64 exec, 16\nv_mov_b32_e32 v6, v5", TrapKind::UseBeforeWaitcnt);
  CHECK_TRAP(loads + "s_mov_b64 exec, 1\nv_mov_b32_e32 v6, v5", TrapKind::UseBeforeWaitcnt);
  CHECK_NO_TRAP(loads + "s_mov_b64 exec, 64\nv_mov_b32_e32 v6, v5");
}

TEST_CASE("the two ways of a branch may load and move to the same register") {
  std::string load = "s_mov_b64 exec, 15\nglobal_load_dword v5, v[1:2], off\n";
  CHECK_NO_TRAP(load + "s_mov_b64 exec, 48\nv_mov_b32_e32 v5, 1");
  CHECK_TRAP(load + "s_mov_b64 exec, 24\nv_mov_b32_e32 v5, 1", TrapKind::UseBeforeWaitcnt);
  // v_writelane writes the lane that it names, whether that lane is on or not.
  CHECK_TRAP(load + "s_mov_b64 exec, 48\nv_writelane_b32 v5, s2, 3", TrapKind::UseBeforeWaitcnt);
}

TEST_CASE("vmcnt has six bits") {
  // 17 loads are in flight; vmcnt(16) is for the oldest of them.
  std::string loads = "global_load_dword v3, v[1:2], off\n";
  for (unsigned i = 0; i < 16; ++i)
    loads += "global_load_dword v4, v[1:2], off\n";
  CHECK_NO_TRAP(loads + "s_waitcnt vmcnt(16)\nv_mov_b32_e32 v5, v3");
  CHECK_TRAP(loads + "s_waitcnt vmcnt(17)\nv_mov_b32_e32 v5, v3", TrapKind::UseBeforeWaitcnt);
}

TEST_CASE("a load is over where the counter could not count what came behind it") {
  auto loads = [](unsigned count) {
    std::string text = "buffer_load_dword v3, off, s[4:7], 0\n";
    for (unsigned i = 0; i < count; ++i)
      text += "buffer_load_dword v4, off, s[4:7], 0\n";
    return text + "v_mov_b32_e32 v5, v3";
  };
  CHECK((trapOf(loads(14), Generation::Gfx8) == TrapKind::UseBeforeWaitcnt));
  CHECK((trapOf(loads(15), Generation::Gfx8) == std::nullopt));
  CHECK((trapOf(loads(62)) == TrapKind::UseBeforeWaitcnt));
  CHECK((trapOf(loads(63)) == std::nullopt));
}

TEST_CASE("LDS results are waited for with lgkmcnt, in order unless SMEM is among them") {
  std::string_view setUp = "s_mov_b32 m0, -1\nv_mov_b32_e32 v3, 0\nds_write_b32 v3, v0\n";
  auto with = [&](std::string_view text) { return std::string(setUp) + std::string(text); };
  AssemblyRun run;
  auto trap = [](const std::string &text) {
    AssemblyRun run;
    uint64_t address = run.gpu.memory().map("data", std::vector<uint8_t>(64));
    run.group.lds.resize(1024);
    run.setup.sgprs = {uint32_t(address), uint32_t(address >> 32)};
    run.setup.vgprs = {allLanes(0u)};
    run.run(text);
    return run.trap();
  };
  CHECK((trap(with("ds_read_b32 v4, v3\nv_mov_b32_e32 v5, v4")) == TrapKind::UseBeforeWaitcnt));
  CHECK((trap(with("ds_read_b32 v4, v3\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v5, v4")) == std::nullopt));
  CHECK((trap(with("ds_read_b32 v4, v3\nds_read_b32 v6, v3\ns_waitcnt lgkmcnt(1)\nv_mov_b32_e32 v5, v4")) ==
         std::nullopt));
  CHECK((trap(with("ds_read_b32 v4, v3\ns_load_dword s4, s[0:1], 0x0\ns_waitcnt lgkmcnt(1)\nv_mov_b32_e32 v5, v4")) ==
         TrapKind::UseBeforeWaitcnt));
}

TEST_CASE("memory outside of what is mapped") {
  CHECK_TRAP("global_load_dword v3, v[1:2], off offset:64", TrapKind::MemoryOutOfBounds);
  CHECK_NO_TRAP("global_load_dword v3, v[1:2], off offset:60");
  CHECK_TRAP("global_store_dword v[1:2], v0, off offset:-4", TrapKind::MemoryOutOfBounds);
  // No lane is on, so no lane is outside.
  CHECK_NO_TRAP("s_mov_b64 exec, 0\nglobal_load_dword v3, v[1:2], off offset:64");
}

TEST_CASE("hardware registers that are not modelled") {
  CHECK_TRAP("s_getreg_b32 s8, hwreg(HW_REG_HW_ID)", TrapKind::Unsupported);
  CHECK_NO_TRAP("s_getreg_b32 s8, hwreg(HW_REG_MODE)");
}

TEST_CASE("EXEC at the end of a part") {
  auto trap = [](std::string_view text, PartEnd::Exec exec) {
    AssemblyRun run;
    run.setup.exec = 0xff;
    run.partEnds = {{.address = 8, .exec = exec}};
    run.run(text);
    return run.trap();
  };
  // Each of these parts is 8 bytes long: two instructions.
  using Exec = PartEnd::Exec;
  constexpr std::string_view Narrow = "s_mov_b64 exec, 1\ns_nop 0\ns_nop 0",
                             Wide = "s_mov_b64 exec, -1\ns_nop 0\ns_nop 0",
                             Restored = "s_mov_b64 exec, 1\ns_movk_i32 exec_lo, 0xff\ns_nop 0";
  CHECK((trap(Narrow, Exec::SameAsAtLaunch) == TrapKind::WrongExec));
  CHECK((trap(Narrow, Exec::SubsetOfLaunch) == std::nullopt));
  CHECK((trap(Wide, Exec::SubsetOfLaunch) == TrapKind::WrongExec));
  CHECK((trap(Restored, Exec::SameAsAtLaunch) == std::nullopt));
}
