// SPDX-License-Identifier: MIT
//
// Registers as a driver in C writes them.
#include "tests/c_api/bad_calls.h"
#include <algorithm>
#include <map>
#include <vector>

using namespace dovetail::c_test;

namespace {

using Values = std::map<uint32_t, uint32_t>;

constexpr uint32_t SpaceBegin[] = {0x2000, 0x2c00, 0xa000, 0xc000};

struct Runs {
  std::vector<dovetail_register_run> runs;
  std::vector<uint32_t> values;

  // The registers by address, as packets would write them.
  Values written() const {
    Values result;
    for (const dovetail_register_run &run : runs) {
      CHECK(run.address == SpaceBegin[run.space] + run.offset);
      for (uint32_t i = 0; i < run.count; ++i)
        result[SpaceBegin[run.space] + run.offset + i] = values.at(run.first_value + i);
    }
    CHECK(result.size() == values.size());
    return result;
  }
};

Runs runsOf(const dovetail_variant *variant, const dovetail_variant *previous = nullptr) {
  size_t runs = 0, values = 0;
  CHECK_OK(dovetail_variant_get_register_runs(variant, previous, nullptr, &runs, nullptr, &values, message));
  Runs result = {std::vector<dovetail_register_run>(runs), std::vector<uint32_t>(values)};
  CHECK_OK(dovetail_variant_get_register_runs(variant, previous, result.runs.data(), &runs, result.values.data(),
                                              &values, message));
  CHECK(runs == result.runs.size());
  CHECK(values == result.values.size());
  return result;
}

std::vector<dovetail_register_mask> masksOf(const char *gpu) {
  size_t count = 0;
  CHECK_OK(dovetail_register_get_masks(gpu, nullptr, &count, message));
  std::vector<dovetail_register_mask> masks(count);
  CHECK_OK(dovetail_register_get_masks(gpu, masks.data(), &count, message));
  return masks;
}

// The registers that the driver writes with the variant's values.
Values registersOf(const dovetail_variant *variant, const char *gpu) {
  std::map<uint32_t, uint32_t> variantBits;
  for (const dovetail_register_mask &mask : masksOf(gpu))
    variantBits[mask.address] = mask.variant_bits;
  Values registers;
  const dovetail_variant_info info = infoOf(variant);
  for (size_t i = 0; i < info.register_count; ++i)
    if (variantBits.at(info.registers[i].address) != 0) // otherwise it is user data
      registers[info.registers[i].address] = info.registers[i].value;
  return registers;
}

class RetainedVariant {
public:
  RetainedVariant(dovetail_device *device, const dovetail_program *program, const dovetail_state *state = nullptr) {
    CHECK_OK(dovetail_build(device, program, state, nullptr, &m_variant, message));
  }
  ~RetainedVariant() { dovetail_variant_release(m_variant); }
  RetainedVariant(const RetainedVariant &) = delete;
  RetainedVariant &operator=(const RetainedVariant &) = delete;

  operator const dovetail_variant *() const { return m_variant; }

private:
  const dovetail_variant *m_variant = nullptr;
};

} // namespace

TEST_CASE("C: runs have all registers of a variant but user data") {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CAPTURE(gpu);
    Device device(gpu);
    FiveStageProgram program(device);
    RetainedVariant variant(device, program);
    const Runs runs = runsOf(variant);
    CHECK(runs.written() == registersOf(variant, gpu));
    CHECK(runs.runs.size() < runs.values.size());
    // VGT_LS_HS_CONFIG and IA_MULTI_VGT_PARAM.
    CHECK(std::ranges::count_if(runs.runs, [](const dovetail_register_run &run) { return run.index != 0; }) == 2);
  }
}

TEST_CASE("C: from one variant to another, only what differs is written") {
  Device device;
  FiveStageProgram tessellated(device);
  TexturedProgram textured(device);
  RetainedVariant first(device, tessellated), second(device, textured);
  Values registers = runsOf(first).written();
  const Runs changed = runsOf(second, first);
  CHECK(changed.values.size() < runsOf(second).values.size());
  for (const auto &[address, value] : changed.written())
    registers[address] = value;
  for (const auto &[address, value] : registersOf(second, "gfx900"))
    CHECK(registers.at(address) == value);
  CHECK(runsOf(second, second).runs.empty());
}

TEST_CASE("C: variants of two GPUs have no difference") {
  Device device("gfx900"), other("gfx906");
  TexturedProgram program(device), otherProgram(other);
  RetainedVariant variant(device, program), otherVariant(other, otherProgram);
  size_t runs = 0, values = 0;
  dovetail_message message;
  checkBad(dovetail_variant_get_register_runs(variant, otherVariant, nullptr, &runs, nullptr, &values, &message),
           message, "previous is for gfx906, and the variant for gfx900");
}

TEST_CASE("C: where runs or values do not fit, neither is written") {
  Device device;
  TexturedProgram program(device);
  RetainedVariant variant(device, program);
  const Runs all = runsOf(variant);
  const size_t neededRuns = all.runs.size(), neededValues = all.values.size();
  std::vector<dovetail_register_run> runs(neededRuns, dovetail_register_run{9, 9, 9, 9, 9, 9});
  std::vector<uint32_t> values(neededValues, 0xeeeeeeee);
  for (bool runsFit : {false, true}) {
    size_t runCount = neededRuns - !runsFit, valueCount = neededValues - runsFit;
    dovetail_message message;
    CHECK(dovetail_variant_get_register_runs(variant, nullptr, runs.data(), &runCount, values.data(), &valueCount,
                                             &message) == DOVETAIL_BUFFER_TOO_SMALL);
    CHECK(runCount == neededRuns);
    CHECK(valueCount == neededValues);
    CHECK(runs[0].space == 9);
    CHECK(values[0] == 0xeeeeeeee);
  }
}

TEST_CASE("C: as many runs and values as there are registers are always enough") {
  Device device;
  FiveStageProgram program(device);
  RetainedVariant variant(device, program);
  size_t runCount = infoOf(variant).register_count, valueCount = runCount;
  std::vector<dovetail_register_run> runs(runCount);
  std::vector<uint32_t> values(valueCount);
  CHECK_OK(dovetail_variant_get_register_runs(variant, nullptr, runs.data(), &runCount, values.data(), &valueCount,
                                              message));
  CHECK(runCount <= runs.size());
  CHECK(valueCount <= values.size());
}

TEST_CASE("C: every GPU says whose the bits of its registers are") {
  for (size_t i = 0; i < dovetail_gpu_count(); ++i) {
    CAPTURE(dovetail_gpu_name(i));
    uint32_t before = 0;
    for (const dovetail_register_mask &mask : masksOf(dovetail_gpu_name(i))) {
      CHECK(mask.address > before);
      CHECK((mask.variant_bits | mask.driver_bits) == UINT32_MAX);
      before = mask.address;
    }
  }
}

TEST_CASE("C: masks of a GPU that is not known, and too many of them, are refused") {
  size_t count = 0;
  dovetail_message message;
  CHECK(dovetail_register_get_masks("gfx1", nullptr, &count, &message) == DOVETAIL_UNKNOWN_GPU);
  const size_t needed = masksOf("gfx900").size();
  std::vector<dovetail_register_mask> masks(needed);
  count = needed - 1;
  CHECK(dovetail_register_get_masks("gfx900", masks.data(), &count, &message) == DOVETAIL_BUFFER_TOO_SMALL);
  CHECK(count == needed);
  CHECK(masks[0].address == 0);
}
