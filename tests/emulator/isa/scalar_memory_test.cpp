// SPDX-License-Identifier: MIT
//
// SMEM: loads and stores of SGPRs, and buffers with their range check.
#include "tests/emulator/isa/run_assembly.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

constexpr unsigned Dwords = 32;

// Dword i of memory is 100 + i; s[0:1] is its address, s[4:7] a buffer of 40 bytes in it.
struct MemoryRun : AssemblyRun {
  uint64_t address;

  explicit MemoryRun(uint32_t stride = 0, uint32_t records = 40) {
    std::vector<uint8_t> bytes(Dwords * 4);
    for (uint32_t i = 0; i < Dwords; ++i) {
      uint32_t value = 100 + i;
      std::memcpy(&bytes[i * 4], &value, 4);
    }
    address = gpu.memory().map("data", std::move(bytes));
    setup.sgprs = {uint32_t(address),
                   uint32_t(address >> 32),
                   8u,
                   std::nullopt,
                   uint32_t(address),
                   uint32_t(address >> 32) | stride << 16,
                   records,
                   0x00024fac};
  }
  uint32_t word(unsigned index) {
    uint32_t value;
    std::memcpy(&value, gpu.memory().at(address + index * 4, 4).data(), 4);
    return value;
  }
};

} // namespace

TEST_CASE("s_load adds the immediate and the SGPR") {
  MemoryRun run;
  run.run("s_load_dword s8, s[0:1], 0x4\n"
          "s_load_dwordx2 s[10:11], s[0:1], s2\n"
          "s_load_dwordx4 s[12:15], s[0:1], 0x20\n"
          "s_load_dwordx8 s[16:23], s[0:1], 0x40\n"
          "s_load_dwordx16 s[24:39], s[0:1], 0x0\n"
          "s_waitcnt lgkmcnt(0)");
  INFO(run.trapText());
  CHECK(!run.trap());
  CHECK(run.sgpr(8) == 101);
  CHECK(run.sgpr(11) == 103);
  CHECK(run.sgpr(12) == 108);
  CHECK(run.sgpr(23) == 123);
  CHECK(run.sgpr(39) == 115);
}

TEST_CASE("s_load takes negative offsets") {
  MemoryRun run;
  run.run("s_add_u32 s0, s0, 16\ns_load_dword s8, s[0:1], -0x8\ns_waitcnt lgkmcnt(0)");
  CHECK(!run.trap());
  CHECK(run.sgpr(8) == 102);
}

TEST_CASE("s_buffer_load reads zero beyond the end of the buffer") {
  MemoryRun run;
  run.run("s_buffer_load_dwordx4 s[8:11], s[4:7], 0x20\ns_buffer_load_dword s12, s[4:7], 0x1000\ns_waitcnt lgkmcnt(0)");
  INFO(run.trapText());
  CHECK(!run.trap());
  CHECK(run.sgpr(8) == 108);
  CHECK(run.sgpr(9) == 109);
  CHECK(run.sgpr(10) == 0);
  CHECK(run.sgpr(12) == 0);
}

TEST_CASE("with a stride, the number of records counts elements") {
  MemoryRun run(16, 2);
  run.run("s_buffer_load_dwordx2 s[8:9], s[4:7], 0x1c\ns_waitcnt lgkmcnt(0)");
  CHECK(!run.trap());
  CHECK(run.sgpr(8) == 107);
  CHECK(run.sgpr(9) == 0);
}

TEST_CASE("s_store and s_buffer_store write, the latter within the buffer only") {
  MemoryRun run;
  run.run("s_mov_b64 s[8:9], 7\n"
          "s_store_dwordx2 s[8:9], s[0:1], 0x8\n"
          "s_buffer_store_dwordx2 s[8:9], s[4:7], 0x24");
  INFO(run.trapText());
  CHECK(!run.trap());
  CHECK(run.word(2) == 7);
  CHECK(run.word(3) == 0);
  CHECK(run.word(9) == 7);
  CHECK(run.word(10) == 110);
}

TEST_CASE("a load outside of what is mapped traps") {
  MemoryRun run;
  run.run("s_load_dwordx2 s[8:9], s[0:1], 0x7c");
  CHECK((run.trap() == TrapKind::MemoryOutOfBounds));
  MemoryRun inside;
  inside.run("s_load_dwordx2 s[8:9], s[0:1], 0x78");
  CHECK(!inside.trap());
}

TEST_CASE("a buffer that is larger than the memory behind it traps") {
  MemoryRun run(0, 1000);
  run.run("s_buffer_load_dword s8, s[4:7], 0x80");
  CHECK((run.trap() == TrapKind::MemoryOutOfBounds));
}

TEST_CASE("scalar accesses must be aligned") {
  MemoryRun run;
  run.run("s_load_dword s8, s[0:1], 0x6");
  CHECK((run.trap() == TrapKind::MisalignedAccess));
}

TEST_CASE("the clock counts up") {
  MemoryRun run;
  run.run("s_memtime s[8:9]\ns_waitcnt lgkmcnt(0)\ns_nop 0\ns_memtime s[10:11]\ns_waitcnt lgkmcnt(0)");
  CHECK(!run.trap());
  CHECK(run.sgprPair(10) > run.sgprPair(8));
}
