// SPDX-License-Identifier: MIT
//
// Compares encoded tessellation control epilogs, geometry prologs and compute prologs with compiled ones. For random
// keys and random inputs, both leave the same memory and the same registers, bit for bit.
#include "parts/kinds/around/compute_prolog.h"
#include "parts/kinds/around/geometry_prolog.h"
#include "parts/kinds/around/tess_control_epilog.h"
#include "src/abi/driver_contract.h"
#include "src/abi/entry_registers.h"
#include "tests/parts/kinds/both_ways.h"
#include <algorithm>
#include <set>
#include <span>

using namespace dovetail;
using namespace dovetail::test;

namespace {

constexpr unsigned LdsBytes = 64 * 1024, FactorBytes = 4096, OffchipBytes = 8192;

// --- tessellation control epilogs ---

TessControlEpilogKey randomEpilog(Random &random, const char *gpuName) {
  TessControlEpilogKey key;
  key.gpuName = gpuName;
  key.primitive = random.of({TessPrimitive::Triangles, TessPrimitive::Quads, TessPrimitive::Isolines});
  key.factorsInLds = random.oneIn(2);
  key.needsBarrier = key.factorsInLds && random.oneIn(2);
  key.evaluationReadsFactors = random.oneIn(2);
  key.writesControlWord = (*getTarget(gpuName))->gfxIp.major <= 8;
  auto place = [&](std::vector<ValueName> values, RegisterBank bank) {
    for (uint16_t i = 0; !values.empty(); ++i) {
      const unsigned choice = random.below(unsigned(values.size()));
      key.inputs.push_back({values[choice], {bank, i}});
      values.erase(values.begin() + choice);
    }
  };
  std::vector<ValueName> sgprs = {{ValueKind::GlobalTable}, {ValueKind::OffchipOffset}, {ValueKind::TessFactorOffset}};
  for (unsigned i = random.below(4); i != 0; --i)
    sgprs.push_back({ValueKind::UserDataPadding, uint8_t(i)});
  place(std::move(sgprs), RegisterBank::Sgpr);
  std::vector<ValueName> vgprs = {{ValueKind::RelPatchId}, {ValueKind::TessInvocationId}, {ValueKind::TessFactorLds}};
  // In the order of main parts, or in any order, with some registers that are not handed on.
  const bool isOrdered = random.oneIn(2);
  std::vector<ValueName> factors;
  for (uint8_t i = 0; i != 4; ++i)
    factors.push_back({ValueKind::TessFactorOuter, i});
  for (uint8_t i = 0; i != 2; ++i)
    factors.push_back({ValueKind::TessFactorInner, i});
  if (key.factorsInLds)
    factors.clear();
  if (!isOrdered) {
    std::erase_if(factors, [&](const ValueName &) { return random.oneIn(8); });
    vgprs.insert(vgprs.end(), factors.begin(), factors.end());
  }
  place(std::move(vgprs), RegisterBank::Vgpr);
  if (isOrdered)
    for (const ValueName &factor : factors)
      key.inputs.push_back({factor, {RegisterBank::Vgpr, uint16_t(key.inputs.back().reg.index + 1)}});
  return key;
}

struct EpilogInput {
  uint64_t exec;
  uint32_t factorOffset, offchipOffset, patchesPerGroup, offchipPatchBase;
  std::map<ValueName, em::Lanes> vgprs;
  std::vector<uint8_t> lds;
};

EpilogInput randomEpilogInput(Random &random, const TessControlEpilogKey &key) {
  EpilogInput input;
  input.exec = randomExec(random);
  input.factorOffset = 4 * random.below(64);
  input.offchipOffset = 16 * random.below(64);
  input.patchesPerGroup = 1 + random.below(64);
  input.offchipPatchBase = 16 * random.below(100);
  for (const Binding &value : key.inputs)
    input.vgprs[value.value] = randomLanes(random);
  const unsigned vertices = 1 + random.below(32), firstPatch = random.oneIn(2) ? 0 : random.below(20);
  for (unsigned lane = 0; lane != em::WaveSize; ++lane) {
    const unsigned patch = firstPatch + lane / vertices;
    input.vgprs[{ValueKind::RelPatchId}][lane] = patch;
    input.vgprs[{ValueKind::TessInvocationId}][lane] = lane % vertices;
    input.vgprs[{ValueKind::TessFactorLds}][lane] = 64 + patch * 4 * (6 + random.below(10));
  }
  for (unsigned i = 0; i != LdsBytes; ++i)
    input.lds.push_back(uint8_t(random.bits()));
  return input;
}

// The tess-factor buffer, then the off-chip buffer.
std::vector<uint8_t> memoryOf(const Part &part, std::string_view gpuName, const TessControlEpilogKey &key,
                              const EpilogInput &input) {
  Run run(gpuName);
  run.setup.stage = em::WaveStage::Hs;
  run.setup.exec = input.exec;
  run.group.lds = input.lds;
  run.links = {{LinkConstant::PatchesPerGroup, input.patchesPerGroup},
               {LinkConstant::OffchipPatchBase, input.offchipPatchBase}};
  std::vector<uint8_t> table(64 * 16);
  auto setBuffer = [&](GlobalTableEntry entry, size_t bytes) {
    const uint64_t address = run.gpu.memory().map("buffer", std::vector<uint8_t>(bytes, 0xee));
    const auto descriptor = rawBuffer(address, bytes);
    std::memcpy(table.data() + size_t(entry) * 16, descriptor.data(), sizeof(descriptor));
    return address;
  };
  const uint64_t factors = setBuffer(GlobalTableEntry::TessFactorBuffer, FactorBytes);
  const uint64_t offchip = setBuffer(GlobalTableEntry::OffchipBuffer, OffchipBytes);
  const std::map<ValueKind, uint32_t> sgprs = {
      {ValueKind::GlobalTable, uint32_t(run.gpu.memory().map("global table", table))},
      {ValueKind::OffchipOffset, input.offchipOffset},
      {ValueKind::TessFactorOffset, input.factorOffset}};
  for (const Binding &value : key.inputs) {
    if (value.reg.bank == RegisterBank::Vgpr)
      run.setup.vgprs.push_back(input.vgprs.at(value.value));
    else if (auto known = sgprs.find(value.value.kind); known != sgprs.end())
      run.setup.sgprs.push_back(known->second);
    else
      run.setup.sgprs.emplace_back();
  }
  run.run(part);
  std::vector<uint8_t> memory;
  for (uint64_t address : {factors, offchip}) {
    std::span<const uint8_t> bytes = run.gpu.memory().region(address);
    memory.insert(memory.end(), bytes.begin(), bytes.end());
  }
  return memory;
}

// --- geometry prologs ---

GeometryPrologKey randomProlog(Random &random, const char *gpuName) {
  return {gpuName, uint8_t(4 * (1 + random.below(9)))};
}

// The values that a prolog leaves in its output registers: SGPRs, then the lanes of VGPRs that are on.
std::vector<uint32_t> registersBehind(const Part &part, std::string_view gpuName, std::span<const uint32_t> sgprs,
                                      std::span<const em::Lanes> vgprs, uint64_t exec) {
  Run run(gpuName);
  run.setup.stage = em::WaveStage::Cs; // it may end without messages
  run.setup.exec = exec;
  run.setup.sgprs.assign(sgprs.begin(), sgprs.end());
  run.setup.vgprs.assign(vgprs.begin(), vgprs.end());
  run.run(part);
  std::vector<uint32_t> result;
  for (unsigned i = 0; i != sgprs.size(); ++i)
    result.push_back(run.wave().peekSgpr(i));
  for (unsigned i = 0; i != vgprs.size(); ++i)
    for (unsigned lane = 0; lane != em::WaveSize; ++lane)
      if (exec >> lane & 1)
        result.push_back(run.wave().peekVgpr(i)[lane]);
  return result;
}

// --- compute prologs ---

ComputePrologKey randomComputeProlog(Random &random, const char *gpuName) {
  return {gpuName, uint8_t(4 * (1 + random.below(9))), uint16_t(8 * (1 + random.below(16))), random.oneIn(2)};
}

// Invocation `first` + lane of a workgroup, as the hardware numbers them.
std::vector<em::Lanes> localIds(const ComputePrologKey &key, uint32_t first, uint32_t rows) {
  std::vector<em::Lanes> ids(key.vgprCount());
  for (unsigned lane = 0; lane != em::WaveSize; ++lane) {
    const uint32_t number = first + lane;
    ids[0][lane] = number % key.rowLength;
    ids[1][lane] = number / key.rowLength % rows;
    if (key.passesDepth)
      ids[2][lane] = number / key.rowLength / rows;
  }
  return ids;
}

} // namespace

TEST_CASE("tessellation control epilogs that are encoded store what compiled ones do") {
  compareWays<TessControlEpilogKey>(randomEpilog, encodePart<TessControlEpilogKey>, compilePart<TessControlEpilogKey>,
                                    [](const TessControlEpilogKey &key, const Part &encoded, const Part &compiled,
                                       const TargetInfo &target, Random &random) {
                                      const EpilogInput input = randomEpilogInput(random, key);
                                      const std::vector<uint8_t> memory = memoryOf(encoded, target.gpuName, key, input);
                                      REQUIRE((memory == memoryOf(compiled, target.gpuName, key, input)));
                                    });
}

TEST_CASE("geometry prologs that are encoded leave the registers that compiled ones leave") {
  compareWays<GeometryPrologKey>(randomProlog, encodePart<GeometryPrologKey>, compilePart<GeometryPrologKey>,
                                 [](const GeometryPrologKey &key, const Part &encoded, const Part &compiled,
                                    const TargetInfo &target, Random &random) {
                                   std::vector<uint32_t> sgprs;
                                   std::vector<em::Lanes> vgprs;
                                   for (unsigned i = 0; i != key.sgprCount; ++i)
                                     sgprs.push_back(random.bits());
                                   for (unsigned i = 0; i != GeometryVgprCount; ++i)
                                     vgprs.push_back(randomLanes(random));
                                   const uint64_t exec = randomExec(random);
                                   auto run = [&](const Part &part) {
                                     return registersBehind(part, target.gpuName, sgprs, vgprs, exec);
                                   };
                                   REQUIRE((run(encoded) == run(compiled)));
                                 });
}

TEST_CASE("compute prologs that are encoded leave the registers that compiled ones leave") {
  compareWays<ComputePrologKey>(randomComputeProlog, encodePart<ComputePrologKey>, compilePart<ComputePrologKey>,
                                [](const ComputePrologKey &key, const Part &encoded, const Part &compiled,
                                   const TargetInfo &target, Random &random) {
                                  std::vector<uint32_t> sgprs;
                                  for (unsigned i = 0; i != key.sgprCount; ++i)
                                    sgprs.push_back(random.bits());
                                  const auto vgprs = localIds(key, 64 * random.below(64), 8 * (1 + random.below(16)));
                                  const uint64_t exec = randomExec(random);
                                  auto run = [&](const Part &part) {
                                    return registersBehind(part, target.gpuName, sgprs, vgprs, exec);
                                  };
                                  REQUIRE((run(encoded) == run(compiled)));
                                });
}

TEST_CASE("a compute prolog gives each wave a square, and each invocation to one lane") {
  for (const char *gpuName : {"gfx900", "gfx803"})
    for (uint16_t rowLength : {8, 16, 24, 64, 128}) {
      CAPTURE(rowLength);
      const ComputePrologKey key = {gpuName, 4, rowLength, true};
      const uint32_t rows = 16, depth = 2;
      const Part prolog = encodePart(key, **getTarget(gpuName)).value();
      std::set<std::array<uint32_t, 3>> seen;
      for (uint32_t first = 0; first < rowLength * rows * depth; first += em::WaveSize) {
        const std::vector<uint32_t> sgprs = {1, 2, 3, 4};
        const auto result = registersBehind(prolog, gpuName, sgprs, localIds(key, first, rows), ~uint64_t(0));
        auto id = [&](unsigned lane) {
          std::array<uint32_t, 3> ids;
          for (unsigned i = 0; i != 3; ++i)
            ids[i] = result[sgprs.size() + i * em::WaveSize + lane];
          return ids;
        };
        for (unsigned lane = 0; lane != em::WaveSize; ++lane) {
          CHECK(seen.insert(id(lane)).second);
          CHECK(id(lane)[0] / 8 == id(0)[0] / 8);
          CHECK(id(lane)[1] / 8 == id(0)[1] / 8);
          CHECK(id(lane)[2] == first / (rowLength * rows));
          // 2 by 2, in the order of a quad.
          CHECK(id(lane)[0] == id(lane & ~3u)[0] + (lane & 1));
          CHECK(id(lane)[1] == id(lane & ~3u)[1] + (lane >> 1 & 1));
        }
      }
      CHECK(seen.size() == rowLength * rows * depth);
      CHECK(*std::ranges::max_element(seen) == std::array<uint32_t, 3>{rowLength - 1u, rows - 1, depth - 1});
    }
}
