// SPDX-License-Identifier: MIT
//
// Atomics of buffers, global memory and LDS: every operation on values where signedness and limits matter, and lanes
// that meet at one address.
#include "tests/emulator/memory/memory_run.h"
#include <bit>
#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

struct Operation {
  const char *vmem; // behind buffer_atomic_; empty: DS only
  const char *ds;   // behind ds_, with {} where _rtn goes; empty: VMEM only
  uint64_t memory, data, expected;
};

uint64_t f(float value) {
  return std::bit_cast<uint32_t>(value);
}
uint64_t d(double value) {
  return std::bit_cast<uint64_t>(value);
}

const Operation Operations32[] = {
    {"swap", "", 7, 9, 9},
    {"add", "add{}_u32", 0xfffffff0, 0x20, 0x10},
    {"sub", "sub{}_u32", 5, 7, 0xfffffffe},
    {"", "rsub{}_u32", 5, 7, 2},
    {"smin", "min{}_i32", 0xffffffff, 1, 0xffffffff},
    {"umin", "min{}_u32", 0xffffffff, 1, 1},
    {"smax", "max{}_i32", 0xffffffff, 1, 1},
    {"umax", "max{}_u32", 0xffffffff, 1, 0xffffffff},
    {"and", "and{}_b32", 0b1100, 0b1010, 0b1000},
    {"or", "or{}_b32", 0b1100, 0b1010, 0b1110},
    {"xor", "xor{}_b32", 0b1100, 0b1010, 0b0110},
    {"inc", "inc{}_u32", 5, 9, 6},
    {"inc", "inc{}_u32", 9, 9, 0},
    {"inc", "inc{}_u32", 20, 9, 0},
    {"dec", "dec{}_u32", 5, 9, 4},
    {"dec", "dec{}_u32", 0, 9, 9},
    {"dec", "dec{}_u32", 10, 9, 9},
    {"", "min{}_f32", f(1), f(-2), f(-2)},
    {"", "max{}_f32", f(1), f(-2), f(1)},
    {"", "add{}_f32", f(1.5f), f(-2), f(-0.5f)},
};

const Operation Operations64[] = {
    {"swap_x2", "", 7, 9, 9},
    {"add_x2", "add{}_u64", 0xffffffff, 1, 0x100000000},
    {"sub_x2", "sub{}_u64", 0, 1, ~uint64_t(0)},
    {"", "rsub{}_u64", 1, 0x100000000, 0xffffffff},
    {"smin_x2", "min{}_i64", ~uint64_t(0), 1, ~uint64_t(0)},
    {"umin_x2", "min{}_u64", ~uint64_t(0), 1, 1},
    {"smax_x2", "max{}_i64", ~uint64_t(0), 1, 1},
    {"umax_x2", "max{}_u64", ~uint64_t(0), 1, ~uint64_t(0)},
    {"and_x2", "and{}_b64", uint64_t(0xc) << 32, uint64_t(0xa) << 32, uint64_t(8) << 32},
    {"or_x2", "or{}_b64", uint64_t(0xc) << 32, uint64_t(0xa) << 32, uint64_t(0xe) << 32},
    {"xor_x2", "xor{}_b64", uint64_t(0xc) << 32, uint64_t(0xa) << 32, uint64_t(6) << 32},
    {"inc_x2", "inc{}_u64", 0xffffffff, ~uint64_t(0), 0x100000000},
    {"inc_x2", "inc{}_u64", 3, 3, 0},
    {"dec_x2", "dec{}_u64", 0x100000000, ~uint64_t(0), 0xffffffff},
    {"dec_x2", "dec{}_u64", 0, 3, 3},
    {"", "min{}_f64", d(1), d(-2), d(-2)},
    {"", "max{}_f64", d(1), d(-2), d(1)},
};

// One lane, so that the operation happens once.
class OneLane : public MemoryRun {
public:
  OneLane(uint64_t memory, uint64_t data, uint64_t data1 = 0) {
    address = map<uint64_t>({memory, 0x77});
    bindRaw(4, address, 16);
    group.lds.resize(16);
    std::memcpy(group.lds.data(), &memory, 8);
    setup.exec = 1;
    setup.vgprs = {allLanes(uint32_t(data)),
                   allLanes(uint32_t(data >> 32)),
                   allLanes(uint32_t(data1)),
                   allLanes(uint32_t(data1 >> 32)),
                   allLanes(uint32_t(address)),
                   allLanes(uint32_t(address >> 32)),
                   allLanes(0u)};
  }
  uint64_t ldsValue() {
    uint64_t value;
    std::memcpy(&value, group.lds.data(), 8);
    return value;
  }

  uint64_t address;
};

void check(const Operation &operation, bool wide) {
  const char *data = wide ? "v[0:1]" : "v0", *result = wide ? "v[10:11]" : "v10";
  if (*operation.vmem) {
    CAPTURE(operation.vmem);
    OneLane buffer(operation.memory, operation.data);
    buffer.run(fmt::format("buffer_atomic_{} {}, off, s[4:7], 0 glc\ns_waitcnt vmcnt(0)", operation.vmem, data));
    INFO(buffer.trapText());
    CHECK(!buffer.trap());
    CHECK(buffer.read<uint64_t>(buffer.address) == operation.expected);
    CHECK(buffer.vgpr(0, 0) == uint32_t(operation.memory));
    CHECK(buffer.vgpr(1, 0) == uint32_t((wide ? operation.memory : operation.data) >> 32));

    OneLane global(operation.memory, operation.data);
    global.run(
        fmt::format("global_atomic_{} {}, v[4:5], {}, off glc\ns_waitcnt vmcnt(0)", operation.vmem, result, data));
    CHECK(!global.trap());
    CHECK(global.read<uint64_t>(global.address) == operation.expected);
    CHECK(global.vgpr(10, 0) == uint32_t(operation.memory));

    OneLane flat(operation.memory, operation.data);
    flat.run(fmt::format("flat_atomic_{} v[4:5], {}", operation.vmem, data));
    CHECK(!flat.trap());
    CHECK(flat.read<uint64_t>(flat.address) == operation.expected);
  }
  if (*operation.ds) {
    CAPTURE(operation.ds);
    OneLane lds(operation.memory, operation.data);
    lds.run(fmt::format("ds_{} {}, v6, {}\ns_waitcnt lgkmcnt(0)", fmt::format(fmt::runtime(operation.ds), "_rtn"),
                        result, data));
    INFO(lds.trapText());
    CHECK(!lds.trap());
    CHECK(lds.ldsValue() == operation.expected);
    CHECK(lds.vgpr(10, 0) == uint32_t(operation.memory));

    OneLane silent(operation.memory, operation.data);
    silent.run(fmt::format("ds_{} v6, {}", fmt::format(fmt::runtime(operation.ds), ""), data));
    CHECK(!silent.trap());
    CHECK(silent.ldsValue() == operation.expected);
  }
}

TEST_CASE("every atomic of 32 bits") {
  for (const Operation &operation : Operations32)
    check(operation, false);
}

TEST_CASE("every atomic of 64 bits") {
  for (const Operation &operation : Operations64)
    check(operation, true);
}

TEST_CASE("compare and swap: vector memory has the new value first, DS the one to compare with") {
  for (uint64_t memory : {uint64_t(5), uint64_t(0x600000005)}) {
    bool equal32 = true, equal64 = memory == 5;
    CAPTURE(memory);
    // Data registers: v0 (v[0:1]) 9, v2 (v[2:3]) 5.
    OneLane buffer(memory, 9 | uint64_t(5) << 32);
    buffer.run("buffer_atomic_cmpswap v[0:1], off, s[4:7], 0 glc\ns_waitcnt vmcnt(0)");
    CHECK(buffer.read<uint32_t>(buffer.address) == (equal32 ? 9 : 5));
    CHECK(buffer.vgpr(0, 0) == 5);
    CHECK(buffer.vgpr(1, 0) == 5);
    OneLane wide(memory, 9, 5);
    wide.run("global_atomic_cmpswap_x2 v[10:11], v[4:5], v[0:3], off glc\ns_waitcnt vmcnt(0)");
    CHECK(wide.read<uint64_t>(wide.address) == (equal64 ? 9 : memory));
    CHECK(wide.vgpr(11, 0) == uint32_t(memory >> 32));
    OneLane lds(memory, 5, 9);
    lds.run("ds_cmpst_rtn_b64 v[10:11], v6, v[0:1], v[2:3]\ns_waitcnt lgkmcnt(0)");
    CHECK(lds.ldsValue() == (equal64 ? 9 : memory));
    CHECK(lds.vgpr(11, 0) == uint32_t(memory >> 32));
    OneLane lds32(memory, 5, 9);
    lds32.run("ds_cmpst_b32 v6, v0, v2");
    CHECK(uint32_t(lds32.ldsValue()) == 9);
  }
}

TEST_CASE("floats compare as floats: -0 is 0") {
  OneLane lds(0x80000000, 0, 7);
  lds.run("ds_cmpst_f32 v6, v0, v2");
  CHECK(uint32_t(lds.ldsValue()) == 7);
  OneLane bits(0x80000000, 0, 7);
  bits.run("ds_cmpst_b32 v6, v0, v2");
  CHECK(uint32_t(bits.ldsValue()) == 0x80000000);
}

TEST_CASE("mask-or, wrap and exchange in LDS") {
  OneLane maskOr(0b1111, 0b0110, 0b10100);
  maskOr.run("ds_mskor_b32 v6, v0, v2");
  CHECK(maskOr.ldsValue() == 0b11101);
  OneLane wrap(5, 3, 100);
  wrap.run("ds_wrap_rtn_b32 v10, v6, v0, v2\ns_waitcnt lgkmcnt(0)");
  CHECK(wrap.ldsValue() == 2);
  CHECK(wrap.vgpr(10, 0) == 5);
  OneLane wrapAround(2, 3, 100);
  wrapAround.run("ds_wrap_rtn_b32 v10, v6, v0, v2\ns_waitcnt lgkmcnt(0)");
  CHECK(wrapAround.ldsValue() == 102);
  OneLane exchange(uint64_t(2) << 32 | 1, 8, 9);
  exchange.run("ds_wrxchg2_rtn_b32 v[10:11], v6, v0, v2 offset1:1\ns_waitcnt lgkmcnt(0)");
  CHECK(exchange.ldsValue() == (uint64_t(9) << 32 | 8));
  CHECK(exchange.vgpr(10, 0) == 1);
  CHECK(exchange.vgpr(11, 0) == 2);
  OneLane half(uint64_t(2) << 32 | 1, uint64_t(0x80000009) << 32 | 8);
  half.run("ds_condxchg32_rtn_b64 v[10:11], v6, v[0:1]\ns_waitcnt lgkmcnt(0)");
  CHECK(half.ldsValue() == (uint64_t(9) << 32 | 1));
}

TEST_CASE("lanes that meet at one address do one after the other") {
  MemoryRun run;
  uint64_t address = run.map<uint32_t>({100, 0});
  run.bindRaw(4, address, 8);
  run.group.lds.resize(8);
  run.setup.exec = 0x00ff00ff00ff00ff; // 32 lanes
  run.setup.vgprs = {allLanes(2u), eachLane([](unsigned lane) { return lane; }), allLanes(0u), allLanes(0u)};
  run.run("buffer_atomic_add v0, off, s[4:7], 0 glc\nbuffer_atomic_umax v1, off, s[4:7], 0 offset:4\n"
          "v_mov_b32_e32 v3, 3\nds_add_rtn_u32 v4, v2, v3 offset:4\ns_waitcnt vmcnt(0) lgkmcnt(0)");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.read<uint32_t>(address) == 100 + 64);
  CHECK(run.read<uint32_t>(address, 1) == 55);
  CHECK(run.group.lds[4] == 96);
  uint64_t seen = 0;
  for (unsigned lane = 0; lane != 64; ++lane) {
    if (!(run.setup.exec >> lane & 1))
      continue;
    unsigned order = (run.vgpr(0, lane) - 100) / 2;
    REQUIRE(order < 32);
    seen |= uint64_t(1) << order;
    CHECK(run.vgpr(4, lane) == order * 3);
  }
  CHECK(seen == 0xffffffff);
}

TEST_CASE("only the first of equal compare-and-swaps succeeds") {
  MemoryRun run;
  uint64_t address = run.map<uint32_t>({0});
  run.bindRaw(4, address, 4);
  run.setup.vgprs = {eachLane([](unsigned lane) { return lane + 1; }), allLanes(0u)};
  run.run("buffer_atomic_cmpswap v[0:1], off, s[4:7], 0 glc\ns_waitcnt vmcnt(0)");
  REQUIRE(!run.trap());
  CHECK(run.read<uint32_t>(address) == 1);
  CHECK(run.vgpr(0, 0) == 0);
  CHECK(run.vgpr(0, 1) == 1);
}

TEST_CASE("atomics out of range of a buffer are dropped and return 0") {
  MemoryRun run;
  uint64_t address = run.map<uint32_t>({5, 6});
  run.bindRaw(4, address, 4);
  run.setup.vgprs = {allLanes(1u)};
  run.run("buffer_atomic_add v0, off, s[4:7], 0 offset:4 glc\ns_waitcnt vmcnt(0)");
  REQUIRE(!run.trap());
  CHECK(run.vgpr(0, 0) == 0);
  CHECK(run.read<uint32_t>(address, 1) == 6);
}

TEST_CASE("atomics at unaligned addresses trap") {
  OneLane buffer(0, 1);
  buffer.run("buffer_atomic_add v0, off, s[4:7], 0 offset:2");
  CHECK((buffer.trap() == TrapKind::MisalignedAccess));
  OneLane wide(0, 1);
  wide.run("buffer_atomic_add_x2 v[0:1], off, s[4:7], 0 offset:4");
  CHECK((wide.trap() == TrapKind::MisalignedAccess));
  OneLane lds(0, 1);
  lds.run("ds_add_u32 v6, v0 offset:2");
  CHECK((lds.trap() == TrapKind::MisalignedAccess));
}

TEST_CASE("without GLC an atomic's data register is free at once") {
  OneLane run(1, 2);
  run.run("buffer_atomic_add v0, off, s[4:7], 0\nv_mov_b32_e32 v0, v0");
  CHECK(!run.trap());
  OneLane returning(1, 2);
  returning.run("buffer_atomic_add v0, off, s[4:7], 0 glc\nv_mov_b32_e32 v1, v0");
  CHECK((returning.trap() == TrapKind::UseBeforeWaitcnt));
}

} // namespace
