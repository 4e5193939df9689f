// SPDX-License-Identifier: MIT
//
// DS: reads and writes of every size, two at a time, across waves, and values passed between lanes.
#include "tests/emulator/memory/memory_run.h"
#include "tools/proof/emulator/access/lane_exchange.h"
#include <doctest/doctest.h>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

class LdsRun : public MemoryRun {
public:
  explicit LdsRun(size_t bytes, Generation generation = Generation::Gfx9) : MemoryRun(generation) {
    group.lds.resize(bytes);
    for (size_t i = 0; i != bytes; ++i)
      group.lds[i] = uint8_t(i);
  }
  uint32_t dword(unsigned address) {
    uint32_t value;
    std::memcpy(&value, group.lds.data() + address, 4);
    return value;
  }
};

auto laneTimes(unsigned factor) {
  return eachLane([=](unsigned lane) { return lane * factor; });
}

TEST_CASE("DS reads of every size") {
  LdsRun run(256);
  run.group.lds[3] = 0x93;
  run.setup.exec = 0xff;
  run.setup.vgprs = {laneTimes(16), allLanes(0xaaaabbbbu), allLanes(0xaaaabbbbu), allLanes(0xaaaabbbbu)};
  run.run("ds_read_u16_d16 v1, v0\nds_read_u8_d16_hi v2, v0 offset:3\nds_read_i8_d16 v3, v0 offset:3\n"
          "ds_read_u8 v4, v0 offset:3\nds_read_i8 v5, v0 offset:3\nds_read_u16 v6, v0 offset:2\n"
          "ds_read_i16 v7, v0 offset:2\nds_read_b32 v8, v0\nds_read_b64 v[9:10], v0 offset:8\n"
          "ds_read_b96 v[11:13], v0\nds_read_b128 v[14:17], v0\ns_waitcnt lgkmcnt(0)");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.vgpr(1, 1) == 0xaaaa1110);
  CHECK(run.vgpr(2, 0) == 0x0093bbbb);
  CHECK(run.vgpr(3, 0) == 0xaaaaff93);
  CHECK(run.vgpr(4, 0) == 0x93);
  CHECK(run.vgpr(5, 0) == 0xffffff93);
  CHECK(run.vgpr(6, 0) == 0x9302);
  CHECK(run.vgpr(7, 0) == 0xffff9302);
  CHECK(run.vgpr(8, 2) == 0x23222120);
  CHECK(run.vgpr(10, 2) == 0x2f2e2d2c);
  CHECK(run.vgpr(13, 1) == 0x1b1a1918);
  CHECK(run.vgpr(17, 7) == 0x7f7e7d7c);
}

TEST_CASE("a negative address with an offset wraps around") {
  LdsRun run(256);
  run.setup.exec = 0b11;
  run.setup.vgprs = {laneTimes(uint32_t(-4)), allLanes(0u)};
  run.run("ds_read_b32 v1, v0 offset:16\ns_waitcnt lgkmcnt(0)");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.vgpr(1, 0) == 0x13121110);
  CHECK(run.vgpr(1, 1) == 0x0f0e0d0c);
}

TEST_CASE("DS writes of every size, of lanes that are on") {
  LdsRun run(64 * 16);
  std::fill(run.group.lds.begin(), run.group.lds.end(), 0xee);
  run.setup.exec = 0b101;
  run.setup.vgprs = {laneTimes(16), allLanes(0x44332211u), allLanes(0x88776655u), allLanes(0xccbbaa99u), allLanes(1u)};
  SUBCASE("small") {
    run.run("ds_write_b8 v0, v1\nds_write_b16 v0, v1 offset:2\nds_write_b8_d16_hi v0, v1 offset:4\n"
            "ds_write_b16_d16_hi v0, v1 offset:6");
    CHECK(run.dword(32) == 0x2211ee11);
    CHECK(run.dword(36) == 0x4433ee33);
    CHECK(run.dword(16) == 0xeeeeeeee);
  }
  SUBCASE("wide") {
    run.run("ds_write_b96 v0, v[1:3]\nds_write_b32 v0, v4 offset:12");
    CHECK(run.dword(32) == 0x44332211);
    CHECK(run.dword(40) == 0xccbbaa99);
    CHECK(run.dword(44) == 1);
    CHECK(run.dword(16) == 0xeeeeeeee);
  }
  SUBCASE("wider") {
    run.run("ds_write_b128 v0, v[1:4]");
    CHECK(run.dword(32) == 0x44332211);
    CHECK(run.dword(44) == 1);
  }
  INFO(run.trapText());
  CHECK(!run.trap());
}

TEST_CASE("two at a time: offsets count elements, or 64 of them") {
  LdsRun run(4096);
  run.setup.exec = 3;
  run.setup.vgprs = {laneTimes(8), allLanes(1u), allLanes(2u), allLanes(3u), allLanes(4u)};
  run.run("ds_write2_b32 v0, v1, v2 offset0:4 offset1:7\n"
          "ds_write2st64_b32 v0, v3, v4 offset0:1 offset1:2\n"
          "ds_write2_b64 v0, v[1:2], v[3:4] offset0:100 offset1:103\n"
          "ds_read2_b32 v[5:6], v0 offset0:7 offset1:4\n"
          "ds_read2st64_b32 v[7:8], v0 offset0:1 offset1:2\n"
          "ds_read2st64_b64 v[9:12], v0 offset1:1\ns_waitcnt lgkmcnt(0)");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.dword(8 + 16) == 1);
  CHECK(run.dword(8 + 28) == 2);
  CHECK(run.dword(8 + 256) == 3);
  CHECK(run.dword(8 + 512) == 4);
  CHECK(run.dword(800) == 1);
  CHECK(run.dword(804) == 2);
  CHECK(run.dword(8 + 824 + 4) == 4);
  CHECK(run.vgpr(5, 1) == 2);
  CHECK(run.vgpr(6, 1) == 1);
  CHECK(run.vgpr(7, 1) == 3);
  CHECK(run.vgpr(8, 1) == 4);
  CHECK(run.vgpr(9, 1) == 0x0b0a0908);
  CHECK(run.vgpr(10, 1) == 0x0f0e0d0c);
  CHECK(run.vgpr(11, 1) == 4); // 8 + 512
}

TEST_CASE("DS results must be waited for, in order") {
  LdsRun run(64);
  run.setup.vgprs = {allLanes(0u)};
  SUBCASE("too early") {
    run.run("ds_read_b32 v1, v0\nv_mov_b32_e32 v2, v1");
    CHECK((run.trap() == TrapKind::UseBeforeWaitcnt));
  }
  SUBCASE("in order") {
    run.run("ds_read_b32 v1, v0\nds_read_b32 v2, v0 offset:4\ns_waitcnt lgkmcnt(1)\nv_mov_b32_e32 v3, v1");
    CHECK(!run.trap());
    CHECK(run.vgpr(3, 0) == 0x03020100);
  }
  SUBCASE("writes count") {
    run.run("ds_read_b32 v1, v0\nds_write_b32 v0, v0 offset:4\ns_waitcnt lgkmcnt(1)\nv_mov_b32_e32 v3, v1");
    CHECK(!run.trap());
  }
}

TEST_CASE("DS accesses outside of the allocation trap") {
  LdsRun run(64);
  run.setup.vgprs = {allLanes(60u)};
  SUBCASE("the last dword is there") {
    run.run("ds_read_b32 v1, v0");
    CHECK(!run.trap());
    return;
  }
  SUBCASE("read") {
    run.run("ds_read_b64 v[1:2], v0");
  }
  SUBCASE("write") {
    run.run("ds_write_b32 v0, v0 offset:4");
  }
  SUBCASE("no LDS at all") {
    run.group.lds.clear();
    run.run("ds_read_b32 v1, v0");
  }
  CHECK((run.trap() == TrapKind::MemoryOutOfBounds));
}

TEST_CASE("GFX8 needs a limit in M0, GFX9 does not") {
  LdsRun without(64, Generation::Gfx8);
  without.setup.vgprs = {allLanes(0u)};
  without.run("ds_read_b32 v1, v0");
  CHECK((without.trap() == TrapKind::UninitialisedRegister));
  LdsRun with(64, Generation::Gfx8);
  with.setup.vgprs = {allLanes(0u)};
  with.run("s_mov_b32 m0, -1\ns_nop 0\nds_read_b32 v1, v0");
  INFO(with.trapText());
  CHECK(!with.trap());
  LdsRun limited(64, Generation::Gfx8);
  limited.setup.vgprs = {allLanes(8u)};
  limited.run("s_mov_b32 m0, 8\ns_nop 0\nds_read_b32 v1, v0");
  CHECK((limited.trap() == TrapKind::MemoryOutOfBounds));
}

TEST_CASE("waves of a group share LDS behind a barrier") {
  LdsRun run(3 * 256);
  std::vector<WaveSetup> setups(3);
  for (unsigned i = 0; i != 3; ++i) {
    // v0: the address that the lane writes, v1: the value, v2: the address that it reads, in the next wave's part,
    // backwards
    setups[i].vgprs = {eachLane([=](unsigned lane) { return i * 256 + lane * 4; }),
                       eachLane([=](unsigned lane) { return i * 1000 + lane; }),
                       eachLane([=](unsigned lane) { return (i + 1) % 3 * 256 + (63 - lane) * 4; })};
  }
  run.runGroup("ds_write_b32 v0, v1\ns_waitcnt lgkmcnt(0)\ns_barrier\nds_read_b32 v3, v2\ns_waitcnt lgkmcnt(0)",
               setups);
  INFO(run.trapText());
  REQUIRE(!run.trap());
  for (unsigned i = 0; i != 3; ++i)
    for (unsigned lane = 0; lane != 64; ++lane)
      CHECK(run.waves()[i].peekVgpr(3)[lane] == (i + 1) % 3 * 1000 + 63 - lane);
}

TEST_CASE("swizzle patterns") {
  // quads: lane 4q + i reads 4q + (3, 0, 2, 1)[i]
  unsigned quads = 0x8000 | 3 | 0 << 2 | 2 << 4 | 1 << 6;
  CHECK(swizzleSource(quads, 4) == 7);
  CHECK(swizzleSource(quads, 5) == 4);
  CHECK(swizzleSource(quads, 63) == 61);
  // and 0x1f, or 0, xor 16: halves of 32 change places
  CHECK(swizzleSource(0x1f | 16 << 10, 3) == 19);
  CHECK(swizzleSource(0x1f | 16 << 10, 51) == 35);
  // broadcast of lane 5 of each 8: and 0x18, or 5
  CHECK(swizzleSource(0x18 | 5 << 5, 14) == 13);
  CHECK(swizzleSource(0x18 | 5 << 5, 63) == 61);
  // rotation by 3 within 32 lanes, and by 3 the other way within groups of 8 (mask 0x18)
  CHECK(swizzleSource(0xc000 | 3 << 5, 31) == 2);
  CHECK(swizzleSource(0xc000 | 3 << 5 | 1 << 10 | 0x18, 9) == 14);
  // reversal of five bits: 00011 reads 11000
  CHECK(swizzleSource(0xe000, 3) == 24);
  CHECK(swizzleSource(0xe000, 35) == 56);
}

TEST_CASE("a swizzle gives 0 from lanes that are off") {
  LdsRun run(0);
  run.setup.exec = 0b0101;
  run.setup.vgprs = {laneTimes(10), allLanes(7u)};
  run.run("ds_swizzle_b32 v1, v0 offset:swizzle(QUAD_PERM,2,0,1,0)\ns_waitcnt lgkmcnt(0)");
  REQUIRE(!run.trap());
  CHECK(run.vgpr(1, 0) == 20);
  CHECK(run.vgpr(1, 1) == 7);
  CHECK(run.vgpr(1, 2) == 0);
}

TEST_CASE("permute pushes, bpermute pulls") {
  LdsRun run(0);
  run.setup.exec = 0xffff;
  // Byte addresses: lane + 1, and one beyond the wave, which wraps around.
  run.setup.vgprs = {eachLane([](unsigned lane) { return (lane + 1) * 4 + 256; }), laneTimes(10), allLanes(7u),
                     allLanes(7u)};
  run.run("ds_permute_b32 v2, v0, v1\nds_bpermute_b32 v3, v0, v1 offset:4\ns_waitcnt lgkmcnt(0)");
  REQUIRE(!run.trap());
  CHECK(run.vgpr(2, 5) == 40);
  CHECK(run.vgpr(2, 0) == 0); // no lane sends to lane 0
  CHECK(run.vgpr(3, 5) == 70);
  CHECK(run.vgpr(3, 15) == 0); // lane 17 is off
  CHECK(run.vgpr(2, 16) == 7);
}

TEST_CASE("append and consume count lanes") {
  LdsRun run(16);
  run.setup.exec = 0xf0f;
  run.run("s_mov_b32 m0, 4\ns_nop 0\nds_append v0 offset:4\nds_consume v1 offset:4\nds_consume v2 offset:4\n"
          "s_waitcnt lgkmcnt(0)");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.vgpr(0, 0) == 0x0b0a0908);
  CHECK(run.vgpr(1, 3) == 0x0b0a0908 + 8);
  CHECK(run.vgpr(2, 11) == 0x0b0a0908);
  CHECK(run.dword(8) == 0x0b0a0900);
}

TEST_CASE("addtid needs no address register") {
  LdsRun run(1024);
  run.setup.vgprs = {laneTimes(3)};
  run.run("s_movk_i32 m0, 0x80\ns_nop 0\nds_write_addtid_b32 v0 offset:16\nds_read_addtid_b32 v1 offset:12\n"
          "s_waitcnt lgkmcnt(0)");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.dword(0x80 + 16 + 20) == 15);
  CHECK(run.vgpr(1, 6) == 15);
}

TEST_CASE("global data share is not modelled") {
  LdsRun run(64);
  run.setup.vgprs = {allLanes(0u)};
  run.run("ds_read_b32 v1, v0 gds");
  CHECK((run.trap() == TrapKind::Unsupported));
}

} // namespace
