// SPDX-License-Identifier: MIT
//
// MUBUF: sizes of loads and stores, addresses, the range check, swizzling, counters.
#include "tests/emulator/memory/memory_run.h"
#include <doctest/doctest.h>
#include <numeric>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

std::vector<uint32_t> counting(size_t count) {
  std::vector<uint32_t> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

constexpr const char *Wait = "\ns_waitcnt vmcnt(0)";

TEST_CASE("a V# has its fields where the manual says") {
  BufferDescriptor descriptor;
  descriptor.base = 0x123456789abc;
  descriptor.stride = 0x1020;
  descriptor.swizzleEnable = true;
  descriptor.numRecords = 77;
  descriptor.numFormat = 7;
  descriptor.dataFormat = 14;
  descriptor.indexStride = 3;
  // word 3: DST_SEL x y z w = 4, 5, 6, 7; NUM_FORMAT << 12; DATA_FORMAT << 15; INDEX_STRIDE << 21
  CHECK(encode(descriptor) ==
        std::array<uint32_t, 4>{0x56789abc, 0x90201234, 77, 0xfac | 7 << 12 | 14 << 15 | 3 << 21});
  BufferDescriptor again = decodeBufferDescriptor(encode(descriptor));
  CHECK(again.base == descriptor.base);
  CHECK(again.stride == descriptor.stride);
  CHECK(again.swizzleEnable);
  CHECK(!again.cacheSwizzle);
  CHECK(again.dataFormat == 14);
  CHECK(again.numFormat == 7);
}

TEST_CASE("with ADD_TID_ENABLE the data format holds the stride's upper bits") {
  BufferDescriptor descriptor;
  descriptor.addTidEnable = true;
  descriptor.stride = 5 << 14 | 12;
  CHECK(encode(descriptor)[1] == 12u << 16);
  CHECK(encode(descriptor)[3] == (0xfacu | 5 << 15 | 1 << 23));
  CHECK(decodeBufferDescriptor(encode(descriptor)).stride == (5 << 14 | 12));
}

TEST_CASE("with ADD_TID_ENABLE typed accesses leave the data format to what it says") {
  BufferDescriptor descriptor;
  descriptor.addTidEnable = true;
  descriptor.stride = 12;
  descriptor.dataFormat = 4;
  const BufferDescriptor typed = decodeBufferDescriptor(encode(descriptor), BufferReader::Typed);
  CHECK(typed.stride == 12);
  CHECK(typed.dataFormat == 4);
  CHECK(decodeBufferDescriptor(encode(descriptor)).stride == (4 << 14 | 12));
}

TEST_CASE("ADD_TID_ENABLE adds the lane to the index of a typed store") {
  for (Generation generation : {Generation::Gfx8, Generation::Gfx9}) {
    CAPTURE(int(generation));
    MemoryRun run(generation);
    const uint64_t data = run.map(std::vector<uint32_t>(3 * 70));
    BufferDescriptor descriptor;
    descriptor.base = data;
    descriptor.stride = 12;
    descriptor.numRecords = 3 * 70 * 4;
    descriptor.dataFormat = 4;
    descriptor.addTidEnable = true;
    run.bind(4, descriptor);
    run.setSgpr(8, 4); // bytes
    run.run("v_mbcnt_lo_u32_b32 v1, -1, 0\n"
            "v_mov_b32 v0, 5\n"
            "tbuffer_store_format_x v1, v0, s[4:7], s8 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UINT] idxen\n");
    for (uint32_t lane = 0; lane < 32; ++lane)
      CHECK(run.read<uint32_t>(data, (5 + lane) * 3 + 1) == lane);
  }
}

TEST_CASE("loads extend as their names say") {
  MemoryRun run;
  uint64_t address = run.map<uint8_t>({0x80, 0x91, 0xa2, 0xb3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  run.bindRaw(4, address, 16);
  run.run(std::string("buffer_load_ubyte v0, off, s[4:7], 0\n"
                      "buffer_load_sbyte v1, off, s[4:7], 0 offset:1\n"
                      "buffer_load_ushort v2, off, s[4:7], 0 offset:2\n"
                      "buffer_load_sshort v3, off, s[4:7], 0\n"
                      "buffer_load_dword v4, off, s[4:7], 0\n"
                      "buffer_load_dwordx2 v[5:6], off, s[4:7], 0 offset:8\n"
                      "buffer_load_dwordx3 v[7:9], off, s[4:7], 0 offset:4\n"
                      "buffer_load_dwordx4 v[10:13], off, s[4:7], 0") +
          Wait);
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.vgpr(0, 0) == 0x80);
  CHECK(run.vgpr(1, 0) == 0xffffff91);
  CHECK(run.vgpr(2, 0) == 0xb3a2);
  CHECK(run.vgpr(3, 63) == 0xffff9180);
  CHECK(run.vgpr(4, 0) == 0xb3a29180);
  CHECK(run.vgpr(5, 0) == 0x0b0a0908);
  CHECK(run.vgpr(6, 0) == 0x0f0e0d0c);
  CHECK(run.vgpr(9, 0) == 0x0f0e0d0c);
  CHECK(run.vgpr(10, 0) == 0xb3a29180);
  CHECK(run.vgpr(13, 5) == 0x0f0e0d0c);
}

TEST_CASE("D16 loads keep the other half") {
  MemoryRun run;
  run.bindRaw(4, run.map<uint16_t>({0x91a2, 0x3344}), 4);
  for (unsigned i = 0; i != 6; ++i)
    run.setup.vgprs.push_back(allLanes(0x11112222u));
  run.run(std::string("buffer_load_short_d16 v0, off, s[4:7], 0\n"
                      "buffer_load_short_d16_hi v1, off, s[4:7], 0 offset:2\n"
                      "buffer_load_ubyte_d16 v2, off, s[4:7], 0\n"
                      "buffer_load_sbyte_d16 v3, off, s[4:7], 0\n"
                      "buffer_load_ubyte_d16_hi v4, off, s[4:7], 0\n"
                      "buffer_load_sbyte_d16_hi v5, off, s[4:7], 0 offset:1") +
          Wait);
  REQUIRE(!run.trap());
  CHECK(run.vgpr(0, 0) == 0x111191a2);
  CHECK(run.vgpr(1, 0) == 0x33442222);
  CHECK(run.vgpr(2, 0) == 0x111100a2);
  CHECK(run.vgpr(3, 0) == 0x1111ffa2);
  CHECK(run.vgpr(4, 0) == 0x00a22222);
  CHECK(run.vgpr(5, 0) == 0xff912222);
}

TEST_CASE("stores write their bytes and no others, of lanes that are on") {
  MemoryRun run;
  uint64_t address = run.map(std::vector<uint32_t>(64 * 4, 0xeeeeeeee));
  run.bindRaw(4, address, 64 * 16);
  run.setup.exec = 0b1101;
  run.setup.vgprs = {eachLane([](unsigned lane) { return lane * 16; }), eachLane([](unsigned lane) { return lane; }),
                     allLanes(0x11223344u), allLanes(0x55667788u)};
  SUBCASE("byte") {
    run.run("buffer_store_byte v2, v0, s[4:7], 0 offen offset:1");
    CHECK(run.read<uint32_t>(address, 0) == 0xeeee44ee);
    CHECK(run.read<uint32_t>(address, 4) == 0xeeeeeeee);
    CHECK(run.read<uint32_t>(address, 8) == 0xeeee44ee);
  }
  SUBCASE("high byte and short") {
    run.run("buffer_store_byte_d16_hi v2, v0, s[4:7], 0 offen\nbuffer_store_short_d16_hi v2, v0, s[4:7], 0 offen "
            "offset:4\nbuffer_store_short v2, v0, s[4:7], 0 offen offset:10");
    CHECK(run.read<uint32_t>(address, 12) == 0xeeeeee22);
    CHECK(run.read<uint32_t>(address, 13) == 0xeeee1122);
    CHECK(run.read<uint32_t>(address, 14) == 0x3344eeee);
  }
  SUBCASE("dwords") {
    run.run("buffer_store_dwordx3 v[1:3], v0, s[4:7], 0 offen\ns_nop 0\nbuffer_store_dword v3, v0, s[4:7], 0 offen "
            "offset:12");
    CHECK(run.read<uint32_t>(address, 8) == 2);
    CHECK(run.read<uint32_t>(address, 9) == 0x11223344);
    CHECK(run.read<uint32_t>(address, 10) == 0x55667788);
    CHECK(run.read<uint32_t>(address, 11) == 0x55667788);
    CHECK(run.read<uint32_t>(address, 4) == 0xeeeeeeee);
  }
  INFO(run.trapText());
  CHECK(!run.trap());
}

// base + s2 + index * stride + offset register + immediate
TEST_CASE("all parts of an address add up") {
  MemoryRun run;
  BufferDescriptor descriptor;
  descriptor.base = run.map(counting(400)) + 16;
  descriptor.stride = 20;
  descriptor.numRecords = 70;
  descriptor.dataFormat = AnyDataFormat;
  run.bind(4, descriptor);
  run.setSgpr(2, 8);
  run.setup.vgprs = {eachLane([](unsigned lane) { return lane; }),
                     eachLane([](unsigned lane) { return lane % 2 * 4; })};
  run.run(std::string("buffer_load_dword v2, v[0:1], s[4:7], s2 idxen offen offset:12\n"
                      "buffer_load_dword v3, v0, s[4:7], 4 idxen") +
          Wait);
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.vgpr(2, 0) == (16 + 8 + 12) / 4);
  CHECK(run.vgpr(2, 7) == (16 + 8 + 12) / 4 + 7 * 5 + 1);
  CHECK(run.vgpr(3, 10) == (16 + 4) / 4 + 10 * 5);
}

TEST_CASE("raw buffers are checked dword by dword, the SGPR's offset included") {
  MemoryRun run;
  uint64_t address = run.map(counting(64));
  run.bindRaw(4, address, 40);
  run.setSgpr(2, 4);
  run.setup.vgprs = {eachLane([](unsigned lane) { return lane * 4; }), allLanes(99u)};
  run.run(std::string("buffer_load_dwordx2 v[2:3], v0, s[4:7], s2 offen\n"
                      "buffer_store_dword v1, v0, s[4:7], s2 offen offset:28\n"
                      "buffer_load_ubyte v4, off, s[4:7], 0 offset:39\n"
                      "buffer_load_ubyte v5, off, s[4:7], 0 offset:40") +
          Wait);
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.vgpr(2, 7) == 8);
  CHECK(run.vgpr(3, 7) == 9);
  CHECK(run.vgpr(2, 8) == 9);
  CHECK(run.vgpr(3, 8) == 0);
  CHECK(run.vgpr(2, 9) == 0);
  // Lanes 0 and 1 store to bytes 32 and 36; the others are dropped.
  CHECK(run.read<uint32_t>(address, 8) == 99);
  CHECK(run.read<uint32_t>(address, 9) == 99);
  CHECK(run.read<uint32_t>(address, 10) == 10);
}

TEST_CASE("offsets wrap around: -4 + 8 is 4, -4 + 0 is out of range") {
  for (Generation generation : {Generation::Gfx8, Generation::Gfx9}) {
    CAPTURE(int(generation));
    MemoryRun run(generation);
    run.bindRaw(4, run.map(counting(4)), 16);
    run.setup.vgprs = {allLanes(uint32_t(-4))};
    run.run(std::string("buffer_load_dword v1, v0, s[4:7], 0 offen offset:8\n"
                        "buffer_load_dword v2, v0, s[4:7], 0 offen") +
            Wait);
    INFO(run.trapText());
    REQUIRE(!run.trap());
    CHECK(run.vgpr(1, 0) == counting(4)[1]);
    CHECK(run.vgpr(2, 0) == 0);
  }
}

TEST_CASE("in swizzled buffers offsets wrap around on GFX9 only") {
  for (Generation generation : {Generation::Gfx8, Generation::Gfx9}) {
    CAPTURE(int(generation));
    MemoryRun run(generation);
    BufferDescriptor descriptor;
    descriptor.base = run.map(counting(64));
    descriptor.stride = 16;
    descriptor.numRecords = 8;
    descriptor.swizzleEnable = true;
    descriptor.elementSize = 1; // of GFX8: 4 bytes
    descriptor.indexStride = 0; // 8
    descriptor.dataFormat = AnyDataFormat;
    run.bind(4, descriptor);
    run.setup.vgprs = {allLanes(0u), allLanes(uint32_t(-4))};
    run.run(std::string("buffer_load_dword v2, v[0:1], s[4:7], 0 idxen offen offset:8") + Wait);
    INFO(run.trapText());
    REQUIRE(!run.trap());
    CHECK(run.vgpr(2, 0) == (generation == Generation::Gfx9 ? 8 : 0)); // dword 1 of record 0 lies behind the dwords 0
                                                                       // of 8 records
  }
}

TEST_CASE("on GFX8, an access of several dwords stays within an element of a swizzled buffer") {
  struct Case {
    Generation generation;
    uint8_t elementSize; // GFX9: always 4 bytes
    const char *text, *trap;
  };
  constexpr uint8_t FourBytes = 1, SixteenBytes = 3;
  const Case cases[] = {
      {Generation::Gfx8, FourBytes, "buffer_load_dword v2, v0, s[4:7], 0 idxen offset:8", ""},
      {Generation::Gfx8, FourBytes, "buffer_load_dwordx4 v[2:5], v0, s[4:7], 0 idxen", "8 bytes at offset 0"},
      {Generation::Gfx8, FourBytes, "buffer_store_dwordx2 v[0:1], v0, s[4:7], 0 idxen", "8 bytes at offset 0"},
      {Generation::Gfx8, SixteenBytes, "buffer_load_dwordx4 v[2:5], v0, s[4:7], 0 idxen", ""},
      {Generation::Gfx8, SixteenBytes, "buffer_load_dwordx4 v[2:5], v0, s[4:7], 0 idxen offset:8",
       "12 bytes at offset 8"},
      {Generation::Gfx8, SixteenBytes, "buffer_store_dwordx2 v[0:1], v0, s[4:7], 0 idxen offset:8", ""},
      {Generation::Gfx9, FourBytes, "buffer_load_dwordx4 v[2:5], v0, s[4:7], 0 idxen", ""},
  };
  for (const Case &each : cases) {
    CAPTURE(each.text);
    CAPTURE(int(each.generation));
    MemoryRun run(each.generation);
    BufferDescriptor descriptor;
    descriptor.base = run.map(counting(512));
    descriptor.stride = 32;
    descriptor.numRecords = 64;
    descriptor.swizzleEnable = true;
    descriptor.elementSize = each.elementSize;
    descriptor.dataFormat = AnyDataFormat;
    run.bind(4, descriptor);
    run.setup.vgprs = {eachLane([](unsigned lane) { return lane; }), allLanes(7u)};
    run.run(each.text + std::string(Wait));
    CAPTURE(run.trapText());
    if (*each.trap == 0)
      CHECK(!run.trap());
    else
      CHECK(run.trapText().find(each.trap) != std::string::npos);
  }
}

TEST_CASE("structured buffers are checked by index only") {
  MemoryRun run;
  BufferDescriptor descriptor;
  descriptor.base = run.map(counting(64));
  descriptor.stride = 8;
  descriptor.numRecords = 3;
  descriptor.dataFormat = AnyDataFormat;
  run.bind(4, descriptor);
  run.setup.vgprs = {eachLane([](unsigned lane) { return lane; })};
  run.run(std::string("buffer_load_dword v1, v0, s[4:7], 0 idxen offset:20\n"
                      // without an index NUM_RECORDS counts bytes
                      "buffer_load_dword v2, off, s[4:7], 0\nbuffer_load_ubyte v3, off, s[4:7], 0 offset:2") +
          Wait);
  REQUIRE(!run.trap());
  CHECK(run.vgpr(1, 2) == 9);
  CHECK(run.vgpr(1, 3) == 0);
  CHECK(run.vgpr(2, 0) == 0);
  CHECK(run.vgpr(3, 0) == 0);
}

TEST_CASE("GFX8 counts bytes unless the buffer is swizzled") {
  MemoryRun run(Generation::Gfx8);
  BufferDescriptor descriptor;
  descriptor.base = run.map(counting(64));
  descriptor.stride = 8;
  descriptor.numRecords = 20;
  descriptor.dataFormat = AnyDataFormat;
  run.bind(4, descriptor);
  run.setup.vgprs = {eachLane([](unsigned lane) { return lane; })};
  run.run(std::string("buffer_load_dword v1, v0, s[4:7], 0 idxen") + Wait);
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.vgpr(1, 2) == 4);
  CHECK(run.vgpr(1, 3) == 0);
}

TEST_CASE("what is in range of the descriptor but not mapped traps") {
  MemoryRun run;
  run.bindRaw(4, run.map(counting(4)), 32);
  SUBCASE("load") {
    run.run("buffer_load_dword v1, off, s[4:7], 0 offset:16");
  }
  SUBCASE("store") {
    run.setup.vgprs = {allLanes(1u)};
    run.run("buffer_store_dword v0, off, s[4:7], 0 offset:20");
  }
  CHECK((run.trap() == TrapKind::MemoryOutOfBounds));
  CHECK(run.trapText().find("behind the end of 'data'") != std::string::npos);
}

TEST_CASE("stores to memory that is read only trap") {
  MemoryRun run;
  run.bindRaw(4, run.map(counting(4), false), 16);
  run.setup.vgprs = {allLanes(1u)};
  run.run("buffer_load_dword v1, off, s[4:7], 0\nbuffer_store_dword v0, off, s[4:7], 0");
  CHECK((run.trap() == TrapKind::MemoryOutOfBounds));
}

TEST_CASE("a descriptor of zeros is a buffer that is not bound") {
  MemoryRun run;
  for (unsigned i = 4; i != 8; ++i)
    run.setSgpr(i, 0);
  run.setup.vgprs = {allLanes(7u)};
  run.run(std::string("buffer_load_dword v1, off, s[4:7], 0\nbuffer_load_format_x v2, off, s[4:7], 0\n"
                      "buffer_store_dword v0, off, s[4:7], 0") +
          Wait);
  REQUIRE(!run.trap());
  CHECK(run.vgpr(1, 0) == 0);
  CHECK(run.vgpr(2, 0) == 0);
}

TEST_CASE("bad descriptors trap") {
  MemoryRun run;
  BufferDescriptor descriptor;
  descriptor.base = run.map(counting(4));
  descriptor.numRecords = 16;
  SUBCASE("no data format") {}
  SUBCASE("an image") {
    descriptor.dataFormat = AnyDataFormat;
    descriptor.type = 2;
  }
  run.bind(4, descriptor);
  run.run("buffer_load_dword v1, off, s[4:7], 0");
  CHECK((run.trap() == TrapKind::BadDescriptor));
}

// GFX9 swizzles by dwords: with an index stride of 8, records 0 to 7 have their first dwords side by side.
TEST_CASE("swizzled buffers put the same dword of consecutive records side by side") {
  MemoryRun run;
  BufferDescriptor descriptor;
  descriptor.base = run.map(counting(256));
  descriptor.stride = 16;
  descriptor.numRecords = 32;
  descriptor.swizzleEnable = true;
  descriptor.indexStride = 0;
  descriptor.dataFormat = AnyDataFormat;
  run.bind(4, descriptor);
  run.setup.vgprs = {eachLane([](unsigned lane) { return lane; })};
  run.run(std::string("buffer_load_dword v1, v0, s[4:7], 0 idxen offset:8\n"
                      "buffer_load_dwordx2 v[2:3], v0, s[4:7], 0 idxen offset:8\n"
                      "buffer_load_ushort v4, v0, s[4:7], 0 idxen offset:10\n"
                      "buffer_load_dword v5, v0, s[4:7], 0 idxen offset:16") +
          Wait);
  INFO(run.trapText());
  REQUIRE(!run.trap());
  // index 13 = 1 * 8 + 5: (1 * 16 + 8) * 8 + 5 * 4 bytes = dword 53
  CHECK(run.vgpr(1, 13) == 53);
  CHECK(run.vgpr(1, 5) == 16 + 5);
  CHECK(run.vgpr(2, 13) == 53);
  CHECK(run.vgpr(3, 13) == 53 + 8);
  CHECK(run.vgpr(4, 13) == 0); // the upper half of 53
  CHECK(run.vgpr(1, 32) == 0); // beyond the records
  CHECK(run.vgpr(5, 0) == 0);  // beyond the record
}

TEST_CASE("an access across elements of a swizzled buffer traps") {
  MemoryRun run;
  BufferDescriptor descriptor;
  descriptor.base = run.map(counting(256));
  descriptor.stride = 16;
  descriptor.numRecords = 32;
  descriptor.swizzleEnable = true;
  descriptor.dataFormat = AnyDataFormat;
  run.bind(4, descriptor);
  run.setup.vgprs = {allLanes(0u)};
  run.run("buffer_load_dword v1, v0, s[4:7], 0 idxen offset:2");
  CHECK((run.trap() == TrapKind::Unsupported));
}

// LLVM's private memory: the descriptor of the scratch ring, with the wave's place added to its base.
TEST_CASE("scratch lies lane by lane") {
  MemoryRun run;
  uint64_t address = run.map(std::vector<uint32_t>(64 * 8, 0));
  BufferDescriptor descriptor;
  descriptor.base = address;
  descriptor.numRecords = 64 * 8 * 4;
  descriptor.swizzleEnable = descriptor.addTidEnable = true;
  descriptor.indexStride = 3;
  run.bind(4, descriptor);
  run.setup.vgprs = {eachLane([](unsigned lane) { return lane % 3 * 4; }),
                     eachLane([](unsigned lane) { return lane; })};
  run.run(std::string("buffer_store_dword v1, v0, s[4:7], 0 offen offset:8\n"
                      "buffer_store_byte v1, v0, s[4:7], 0 offen offset:22\n"
                      "buffer_load_dword v2, v0, s[4:7], 0 offen offset:8") +
          Wait);
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.vgpr(2, 40) == 40);
  CHECK(run.read<uint32_t>(address, (2 + 40 % 3) * 64 + 40) == 40);
  CHECK(run.read<uint32_t>(address, (5 + 41 % 3) * 64 + 41) == 41 << 16);
}

TEST_CASE("a loaded register must be waited for, the data of a store not") {
  MemoryRun run;
  uint64_t address = run.map(counting(16));
  run.bindRaw(4, address, 64);
  SUBCASE("used too early") {
    run.run("buffer_load_dword v0, off, s[4:7], 0\nv_mov_b32_e32 v1, v0");
    CHECK((run.trap() == TrapKind::UseBeforeWaitcnt));
  }
  SUBCASE("overwritten too early") {
    run.run("buffer_load_dword v0, off, s[4:7], 0\nv_mov_b32_e32 v0, 1");
    CHECK((run.trap() == TrapKind::UseBeforeWaitcnt));
  }
  SUBCASE("loads come back in order") {
    run.run("buffer_load_dword v0, off, s[4:7], 0 offset:4\nbuffer_load_dword v1, off, s[4:7], 0 offset:8\n"
            "s_waitcnt vmcnt(1)\nv_mov_b32_e32 v2, v0\nv_mov_b32_e32 v3, v1");
    CHECK((run.trap() == TrapKind::UseBeforeWaitcnt));
    CHECK(run.vgpr(2, 0) == 1);
  }
  SUBCASE("stores count") {
    run.setup.vgprs = {allLanes(5u)};
    run.run("buffer_load_dword v1, off, s[4:7], 0 offset:12\nbuffer_store_dword v0, off, s[4:7], 0\n"
            "v_mov_b32_e32 v0, 6\ns_waitcnt vmcnt(1)\nv_mov_b32_e32 v2, v1");
    INFO(run.trapText());
    CHECK(!run.trap());
    CHECK(run.vgpr(2, 0) == 3);
    CHECK(run.read<uint32_t>(address) == 5);
  }
}

TEST_CASE("a result may go to the register of the address") {
  MemoryRun run;
  run.bindRaw(4, run.map(counting(64)), 256);
  run.setup.vgprs = {eachLane([](unsigned lane) { return lane % 8 * 4; })};
  run.run(std::string("buffer_load_dwordx4 v[0:3], v0, s[4:7], 0 offen") + Wait);
  REQUIRE(!run.trap());
  CHECK(run.vgpr(0, 5) == 5);
  CHECK(run.vgpr(3, 5) == 8);
}

TEST_CASE("with TFE a register of zeros follows") {
  MemoryRun run;
  run.bindRaw(4, run.map(counting(4)), 16);
  run.setup.vgprs = {allLanes(9u), allLanes(9u)};
  run.run(std::string("buffer_load_dword v[0:1], off, s[4:7], 0 offset:8 tfe") + Wait);
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.vgpr(0, 3) == 2);
  CHECK(run.vgpr(1, 3) == 0);
}

TEST_CASE("LDS DMA goes from a buffer to LDS and back") {
  MemoryRun run;
  uint64_t address = run.map(counting(128));
  run.bindRaw(4, address, 512);
  run.group.lds.resize(1024);
  run.setup.vgprs = {eachLane([](unsigned lane) { return lane * 4 + 4; })};
  run.run("s_movk_i32 m0, 0x100\ns_nop 0\n"
          "buffer_load_dword v0, s[4:7], 0 offen offset:8 lds\ns_waitcnt vmcnt(0)\n"
          "buffer_store_lds_dword s[4:7], 0 offset:8 lds");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  // Lane 6 reads dword 7 + 2 and writes it to 0x100 + 8 + 6 * 4.
  CHECK(run.group.lds[0x100 + 8 + 24] == 9);
  // All lanes store to the one address; the last one remains.
  CHECK(run.read<uint32_t>(address, 2) == 64 + 2);
}

TEST_CASE("wider loads to LDS are not there") {
  MemoryRun run;
  run.bindRaw(4, run.map(counting(128)), 512);
  run.group.lds.resize(1024);
  // buffer_load_dwordx2 with the LDS bit, which the assembler does not take
  run.run("s_mov_b32 m0, 0\ns_nop 0\n.long 0xe0550000\n.long 0x80010000");
  INFO(run.trapText());
  CHECK((run.trap() == TrapKind::Unsupported));
}

} // namespace
