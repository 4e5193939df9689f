// SPDX-License-Identifier: MIT
//
// FLAT, GLOBAL and SCRATCH: addresses and counters. They load and store the same as MUBUF.
#include "tests/emulator/memory/memory_run.h"
#include <doctest/doctest.h>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

class FlatRun : public MemoryRun {
public:
  FlatRun() {
    std::vector<uint32_t> values(128);
    for (uint32_t i = 0; i != 128; ++i)
      values[i] = 0x1000 + i;
    address = map(values);
    // v[0:1]: the address of the lane's dword, v2: its offset, v3: data
    setup.vgprs = {eachLane([&](unsigned lane) { return uint32_t(address) + lane * 4; }),
                   allLanes(uint32_t(address >> 32)), eachLane([](unsigned lane) { return lane * 4; }),
                   eachLane([](unsigned lane) { return lane; })};
    setPair(2, address);
  }

  uint64_t address;
};

TEST_CASE("global addresses: 64 bits, or an SGPR pair and 32 bits, with a signed offset") {
  FlatRun run;
  run.run("global_load_dword v4, v[0:1], off offset:64\nglobal_load_dword v5, v2, s[2:3] offset:8\n"
          "s_add_u32 s2, s2, 16\nglobal_load_ubyte v6, v2, s[2:3] offset:-12\n"
          "global_load_dwordx4 v[8:11], v[0:1], off\ns_waitcnt vmcnt(0)");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.vgpr(4, 3) == 0x1000 + 3 + 16);
  CHECK(run.vgpr(5, 3) == 0x1000 + 3 + 2);
  CHECK(run.vgpr(6, 3) == 4);
  CHECK(run.vgpr(8, 40) == 0x1000 + 40);
  CHECK(run.vgpr(11, 40) == 0x1000 + 43);
}

TEST_CASE("global stores, D16 and lanes that are off") {
  FlatRun run;
  run.setup.exec = ~uint64_t(2);
  run.run("global_store_dword v[0:1], v3, off\nglobal_store_short v2, v3, s[2:3] offset:258\n"
          "global_load_short_d16_hi v3, v[0:1], off offset:128\ns_waitcnt vmcnt(0)");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.read<uint32_t>(run.address, 5) == 5);
  CHECK(run.read<uint32_t>(run.address, 1) == 0x1001);
  CHECK(run.read<uint32_t>(run.address, 64 + 5) == (5 << 16 | (0x1000 + 64 + 5)));
  CHECK(run.vgpr(3, 2) == (34 << 16 | 2));
  CHECK(run.vgpr(3, 1) == 1);
}

TEST_CASE("addresses that hit nothing trap") {
  FlatRun run;
  SUBCASE("global") {
    run.run("global_load_dword v4, v[0:1], off offset:512");
  }
  SUBCASE("flat") {
    run.run("flat_load_dword v4, v[0:1] offset:512");
  }
  SUBCASE("below") {
    run.run("global_load_dword v4, v[0:1], off offset:-4");
  }
  CHECK((run.trap() == TrapKind::MemoryOutOfBounds));
}

// A driver may put everything into the upper half of the 48-bit address space. Descriptors and code that computes
// addresses in 48 bits then lack the upper bits, which are copies of bit 47.
TEST_CASE("memory above bit 47") {
  constexpr uint64_t Window = 0xffff'8000'0000'0000;
  MemoryRun run;
  run.gpu = Gpu(Generation::Gfx9, Window);
  uint64_t address = run.map(std::vector<uint32_t>{100, 101, 102, 103});
  REQUIRE((address >> 32 == Window >> 32));
  uint64_t cut = address & 0xffff'ffff'ffff;
  run.setPair(0, address);
  run.setPair(2, cut);
  run.bindRaw(4, cut, 16);
  run.setup.vgprs = {allLanes(uint32_t(address)), allLanes(uint32_t(address >> 32)), allLanes(uint32_t(cut >> 32))};
  run.run("s_load_dword s8, s[0:1], 0x0\ns_load_dword s9, s[2:3], 0x4\ns_buffer_load_dword s10, s[4:7], 0x8\n"
          "v_mov_b32_e32 v3, v0\nv_mov_b32_e32 v4, v2\n"
          "global_load_dword v5, v[0:1], off\nglobal_load_dword v6, v[3:4], off offset:4\n"
          "buffer_load_dword v7, off, s[4:7], 0 offset:12\ns_waitcnt vmcnt(0) lgkmcnt(0)");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.sgpr(8) == 100);
  CHECK(run.sgpr(9) == 101);
  CHECK(run.sgpr(10) == 102);
  CHECK(run.vgpr(5, 0) == 100);
  CHECK(run.vgpr(6, 0) == 101);
  CHECK(run.vgpr(7, 0) == 103);
  // The same address below bit 47 is another one.
  run.setPair(0, cut & ~(uint64_t(1) << 47));
  run.run("s_load_dword s8, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)");
  CHECK((run.trap() == TrapKind::MemoryOutOfBounds));
}

TEST_CASE("flat operations on memory belong to both counters, their data to vmcnt") {
  FlatRun run;
  run.group.lds.resize(256);
  SUBCASE("lgkmcnt is not enough") {
    run.run("flat_load_dword v4, v[0:1]\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v5, v4");
    CHECK((run.trap() == TrapKind::UseBeforeWaitcnt));
  }
  SUBCASE("vmcnt is, in order") {
    run.run("flat_load_dword v4, v[0:1] offset:4\nflat_store_dword v[0:1], v3\nflat_load_dword v6, v[0:1]\n"
            "s_waitcnt vmcnt(2)\nv_mov_b32_e32 v5, v4");
    INFO(run.trapText());
    CHECK(!run.trap());
    CHECK(run.vgpr(5, 2) == 0x1003);
    CHECK(run.read<uint32_t>(run.address, 2) == 2);
  }
  SUBCASE("but not of those behind") {
    run.run("flat_load_dword v4, v[0:1]\nflat_load_dword v6, v[0:1]\ns_waitcnt vmcnt(1)\nv_mov_b32_e32 v5, v6");
    CHECK((run.trap() == TrapKind::UseBeforeWaitcnt));
  }
  SUBCASE("lgkmcnt above 0 says nothing of what is behind one") {
    run.run("ds_read_b32 v4, v2\nflat_load_dword v6, v[0:1]\ns_waitcnt lgkmcnt(1)\nv_mov_b32_e32 v5, v4");
    CHECK((run.trap() == TrapKind::UseBeforeWaitcnt));
  }
  SUBCASE("LDS operations keep their order around one") {
    run.run("ds_read_b32 v4, v2\nflat_load_dword v6, v[0:1]\nds_read_b32 v7, v2\ns_waitcnt lgkmcnt(1)\n"
            "v_mov_b32_e32 v5, v4");
    INFO(run.trapText());
    CHECK(!run.trap());
  }
  SUBCASE("global ones only to vmcnt") {
    run.run("global_load_dword v4, v[0:1], off\nglobal_load_dword v5, v[0:1], off\ns_waitcnt vmcnt(1)\n"
            "v_mov_b32_e32 v6, v4");
    CHECK(!run.trap());
  }
}

// FLAT_SCRATCH is the wave's place; dwords of its lanes lie side by side.
TEST_CASE("scratch addresses: a VGPR or an SGPR") {
  FlatRun run;
  uint64_t scratch = run.map(std::vector<uint32_t>(64 * 8, 0));
  run.setPair(6, scratch);
  run.setSgpr(8, 4);
  run.setup.vgprs[2] = eachLane([](unsigned lane) { return lane % 2 * 4; });
  run.run("s_mov_b64 flat_scratch, s[6:7]\nscratch_store_dword v2, v3, off offset:8\n"
          "scratch_store_byte off, v3, s8 offset:-3\nscratch_load_dwordx2 v[4:5], v2, off offset:4\n"
          "s_waitcnt vmcnt(0)");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.read<uint32_t>(scratch, (2 + 1) * 64 + 11) == 11);
  CHECK(run.read<uint32_t>(scratch, 2 * 64 + 12) == 12);
  CHECK(run.read<uint32_t>(scratch, 12) == 12 << 8);
  CHECK(run.vgpr(4, 11) == 0);
  CHECK(run.vgpr(5, 11) == 11);
}

TEST_CASE("scratch accesses across dwords trap") {
  FlatRun run;
  run.setPair(6, run.map(std::vector<uint32_t>(64 * 8, 0)));
  run.run("s_mov_b64 flat_scratch, s[6:7]\nscratch_store_dword v2, v3, off offset:2");
  CHECK((run.trap() == TrapKind::MisalignedAccess));
}

} // namespace
