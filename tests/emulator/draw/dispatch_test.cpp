// SPDX-License-Identifier: MIT
//
// The SGPRs that COMPUTE_PGM_RSRC2 adds to a workgroup's waves.
#include "src/abi/registers/registers.h"
#include "tests/merge/assembler.h"
#include "tools/proof/emulator/draw/draw.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::emulator;

namespace {

constexpr uint32_t GroupThreads = 136, Groups = 2; // three waves, the last with 8 lanes

// Each invocation of both workgroups stores s3 plus its own number. s3 is the SGPR behind the number of the workgroup.
Result<std::vector<uint32_t>> sgprBehindGroupId(uint32_t rsrc2) {
  Gpu gpu(Generation::Gfx9);
  uint64_t address = gpu.memory().map("output", std::vector<uint8_t>(GroupThreads * Groups * 4));
  Dispatch command;
  command.workgroups = {Groups, 1, 1};
  command.cs.userSgprs = {uint32_t(address), uint32_t(address >> 32)};
  command.cs.address = gpu.memory().map("code", dovetail::test::assemble(R"(
    s_mulk_i32 s2, 544
    v_lshlrev_b32_e32 v1, 2, v0
    v_add_u32_e32 v1, s2, v1
    v_add_u32_e32 v2, s3, v0
    global_store_dword v1, v2, s[0:1]
    s_endpgm
  )"),
                                        256, false);
  command.registers = {{reg::COMPUTE_NUM_THREAD_X, GroupThreads},
                       {reg::COMPUTE_NUM_THREAD_X + 1, 1},
                       {reg::COMPUTE_NUM_THREAD_X + 2, 1},
                       {reg::COMPUTE_PGM_RSRC2,
                        rsrc2 | field::COMPUTE_PGM_RSRC2::USER_SGPR(2) | field::COMPUTE_PGM_RSRC2::TGID_X_EN(1)}};
  DOVETAIL_CHECK(dispatch(gpu, command));
  std::vector<uint32_t> words(GroupThreads * Groups);
  std::memcpy(words.data(), gpu.memory().region(address).data(), words.size() * 4);
  return words;
}

} // namespace

TEST_CASE("TG_SIZE_EN: how many waves the workgroup has, and which this is") {
  Result<std::vector<uint32_t>> words = sgprBehindGroupId(field::COMPUTE_PGM_RSRC2::TG_SIZE_EN(1));
  REQUIRE(words.has_value());
  for (uint32_t group = 0; group < Groups; ++group) {
    const uint32_t *values = words->data() + group * GroupThreads;
    CHECK(values[0] == 3);
    CHECK(values[63] == 3 + 63);
    CHECK(values[64] == 0x43 + 64);
    CHECK(values[127] == 0x43 + 127);
    CHECK(values[128] == 0x83 + 128);
    CHECK(values[135] == 0x83 + 135);
  }
}

TEST_CASE("without TG_SIZE_EN that SGPR holds nothing") {
  Result<std::vector<uint32_t>> words = sgprBehindGroupId(0);
  REQUIRE(!words.has_value());
  CHECK((words.error().code == ErrorCode::CheckFailed));
  CHECK(words.error().text.find("s3") != std::string::npos);
}
