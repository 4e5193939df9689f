// SPDX-License-Identifier: MIT
//
// Registers in runs, differences between images, and the owner of each bit.
#include "merge/registers/register_runs.h"
#include "src/abi/registers/register_fields.h"
#include "tests/merge/image_by_hand.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <map>

using namespace dovetail;
using namespace dovetail::test;

namespace {

Image imageWith(std::initializer_list<RegisterValue> registers) {
  Image image;
  image.gpuName = "gfx900";
  image.registers.assign(registers.begin(), registers.end());
  return image;
}

using Values = std::map<uint32_t, uint32_t>;

Values valuesOf(const RegisterRuns &written) {
  Values values;
  for (const RegisterRun &run : written.runs)
    for (uint32_t i = 0; i < run.count; ++i)
      CHECK(values.emplace(run.address + i, written.valuesOf(run)[i]).second);
  CHECK(values.size() == written.values.size());
  return values;
}

std::optional<RegisterMask> maskOf(uint32_t address, RegisterGenerations generation = RegisterGenerations::Gfx9) {
  for (const RegisterMask &mask : registerMasks(generation))
    if (mask.address == address)
      return mask;
  return std::nullopt;
}

} // namespace

TEST_CASE("each address is in the space whose packet writes it") {
  CHECK(findRegisterSpace(0x1fff) == std::nullopt);
  CHECK(findRegisterSpace(0x2000) == RegisterSpace::Config);
  CHECK(findRegisterSpace(0x2bff) == RegisterSpace::Config);
  CHECK(findRegisterSpace(0x2c00) == RegisterSpace::Sh);
  CHECK(findRegisterSpace(0x2fff) == RegisterSpace::Sh);
  CHECK(findRegisterSpace(0x3000) == std::nullopt);
  CHECK(findRegisterSpace(0x9fff) == std::nullopt);
  CHECK(findRegisterSpace(0xa000) == RegisterSpace::Context);
  CHECK(findRegisterSpace(0xc000) == RegisterSpace::Uconfig);
  CHECK(findRegisterSpace(0x10000) == std::nullopt);
  for (RegisterSpace space :
       {RegisterSpace::Config, RegisterSpace::Sh, RegisterSpace::Context, RegisterSpace::Uconfig}) {
    CHECK(findRegisterSpace(startOf(space)) == space);
    CHECK(findRegisterSpace(startOf(space) - 1) != space);
  }
}

TEST_CASE("consecutive registers are one run, by ascending address") {
  const Image image = imageWith({{0xa1b4, 4}, {0xc240, 6}, {0xa1b3, 3}, {0x2c0b, 2}, {0xa1b6, 5}, {0x2c0a, 1}});
  const RegisterRuns written = registerRuns(image);
  CHECK(written.values == std::vector<uint32_t>{1, 2, 3, 4, 5, 6});
  REQUIRE(written.runs.size() == 4);
  const std::pair<uint32_t, uint32_t> expected[] = {{0x2c0a, 2}, {0xa1b3, 2}, {0xa1b6, 1}, {0xc240, 1}};
  const RegisterSpace spaces[] = {RegisterSpace::Sh, RegisterSpace::Context, RegisterSpace::Context,
                                  RegisterSpace::Uconfig};
  for (size_t i = 0; i < 4; ++i) {
    CHECK(written.runs[i].address == expected[i].first);
    CHECK(written.runs[i].count == expected[i].second);
    CHECK(written.runs[i].space == spaces[i]);
    CHECK(written.runs[i].packetIndex == 0);
  }
  CHECK(written.valuesOf(written.runs[1])[1] == 4);
}

TEST_CASE("a run ends where its space does") {
  const RegisterRuns written = registerRuns(imageWith({{0xbfff, 1}, {0xc000, 2}}));
  REQUIRE(written.runs.size() == 2);
  CHECK(written.runs[1].space == RegisterSpace::Uconfig);
}

TEST_CASE("a register whose packet has an index is a run of its own") {
  const RegisterRuns written = registerRuns(imageWith({{reg::VGT_LS_HS_CONFIG - 1, 1},
                                                       {reg::VGT_LS_HS_CONFIG, 2},
                                                       {reg::VGT_LS_HS_CONFIG + 1, 3},
                                                       {reg::VGT_LS_HS_CONFIG + 2, 4},
                                                       {reg::IA_MULTI_VGT_PARAM, 5}}));
  REQUIRE(written.runs.size() == 4);
  CHECK(written.runs[0].packetIndex == 0);
  CHECK(written.runs[1].packetIndex == 2);
  CHECK(written.runs[1].count == 1);
  CHECK(written.runs[2].packetIndex == 0);
  CHECK(written.runs[2].count == 2);
  CHECK(written.runs[3].packetIndex == 4);
}

TEST_CASE("user data is in no run") {
  const Image image = imageWith({{reg::SPI_SHADER_PGM_RSRC2_PS, 7},
                                 {reg::SPI_SHADER_USER_DATA_PS_0, 0x10000000},
                                 {reg::SPI_SHADER_USER_DATA_PS_0 + 31, 3},
                                 {reg::SPI_SHADER_USER_DATA_ES_0, 0x10000000},
                                 {reg::COMPUTE_USER_DATA_0 + 15, 1}});
  CHECK(valuesOf(registerRuns(image)) == Values{{reg::SPI_SHADER_PGM_RSRC2_PS, 7}});
}

TEST_CASE("no registers are no runs") {
  CHECK(registerRuns(imageWith({})).runs.empty());
}

TEST_CASE("a difference has what is another value, and what was not there") {
  const Image before = imageWith({{0xa1b3, 1}, {0xa1b4, 2}, {0xa1b6, 3}, {0xa2db, 9}});
  const Image after = imageWith({{0xa1b6, 4}, {0xa1b4, 2}, {0xa1b3, 1}, {0xa1b8, 5}});
  CHECK(valuesOf(changedRegisterRuns(before, after)) == Values{{0xa1b6, 4}, {0xa1b8, 5}});
  CHECK(valuesOf(changedRegisterRuns(after, before)) == Values{{0xa1b6, 3}, {0xa2db, 9}});
  CHECK(changedRegisterRuns(after, after).runs.empty());
}

TEST_CASE("of every kind of pipeline, the runs have what the image has, in fewer packets than registers") {
  for (const PipelineKind &kind : allPipelineKinds()) {
    CAPTURE(kind.name);
    ImageByHand made(kind);
    Values expected;
    for (const RegisterValue &value : made.registers())
      if (!holdsUserData(value.address))
        expected[value.address] = value.value;
    const RegisterRuns written = registerRuns(made.image);
    CHECK(valuesOf(written) == expected);
    CHECK(written.runs.size() < written.values.size());
    CHECK(std::ranges::is_sorted(written.runs, {}, &RegisterRun::address));
  }
}

TEST_CASE("each bit is the image's, the driver's or both's") {
  for (RegisterGenerations generation : {RegisterGenerations::Gfx8, RegisterGenerations::Gfx9}) {
    const std::span<const RegisterMask> masks = registerMasks(generation);
    CHECK(masks.size() > 100);
    for (size_t i = 0; i < masks.size(); ++i) {
      INFO(registerName(masks[i].address));
      CHECK((masks[i].imageBits | masks[i].driverBits) == UINT32_MAX);
      CHECK((i == 0 || masks[i - 1].address < masks[i].address));
    }
  }
}

TEST_CASE("a register without fields is the image's as a whole") {
  CHECK(maskOf(reg::CB_SHADER_MASK)->imageBits == UINT32_MAX);
  CHECK(maskOf(reg::CB_SHADER_MASK)->driverBits == 0);
}

TEST_CASE("of a register with fields, the bits of no field are the driver's") {
  CHECK(maskOf(reg::SPI_VS_OUT_CONFIG)->imageBits == 0x3e);
  CHECK(maskOf(reg::SPI_VS_OUT_CONFIG)->driverBits == ~0x3eu);
  CHECK(maskOf(reg::PA_CL_VS_OUT_CNTL)->driverBits == ~0x1edffffu);
}

TEST_CASE("fields of one generation are the driver's bits on the other") {
  CHECK(maskOf(reg::DB_SHADER_CONTROL, RegisterGenerations::Gfx8)->imageBits == 0x7f73);
  CHECK(maskOf(reg::DB_SHADER_CONTROL, RegisterGenerations::Gfx9)->imageBits == 0x71ff73);
}

TEST_CASE("bits that image and driver may set are both's") {
  const RegisterMask mask = *maskOf(reg::IA_MULTI_VGT_PARAM);
  using namespace field::IA_MULTI_VGT_PARAM;
  CHECK((mask.imageBits & mask.driverBits) ==
        (SWITCH_ON_EOI.mask() | PARTIAL_ES_WAVE_ON.mask() | PARTIAL_VS_WAVE_ON.mask()));
  CHECK((mask.driverBits & SWITCH_ON_EOP.mask()) != 0);
  CHECK((mask.imageBits & SWITCH_ON_EOP.mask()) == 0);
  CHECK((mask.driverBits & PRIMGROUP_SIZE.mask()) == 0);
}

TEST_CASE("user data is the driver's as a whole, and each register of a run has its mask") {
  for (uint32_t i : {0u, 31u}) {
    CHECK(maskOf(reg::SPI_SHADER_USER_DATA_PS_0 + i)->imageBits == 0);
    CHECK(maskOf(reg::SPI_PS_INPUT_CNTL_0 + i)->imageBits == maskOf(reg::SPI_PS_INPUT_CNTL_0)->imageBits);
  }
}

TEST_CASE("registers of the driver, and those of the other generation, have no mask") {
  CHECK(!maskOf(reg::SPI_TMPRING_SIZE));
  CHECK(!maskOf(reg::VGT_INSTANCE_STEP_RATE_0));
  CHECK(!maskOf(reg::IA_MULTI_VGT_PARAM_GFX8));
  CHECK(maskOf(reg::IA_MULTI_VGT_PARAM_GFX8, RegisterGenerations::Gfx8));
}
