// SPDX-License-Identifier: MIT
//
// Tessellation control epilogs and geometry prologs that are encoded beside compiled ones: for random keys and random
// inputs, both leave the same memory and the same registers, bit for bit.
#include "parts/kinds/geometry_prolog.h"
#include "parts/kinds/tess_control_epilog.h"
#include "src/abi/driver_contract.h"
#include "src/abi/entry_registers.h"
#include "tests/parts/both_ways.h"
#include <algorithm>

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
  // As main parts have them, or in any order, with some that are not handed on.
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

} // namespace

TEST_CASE("tessellation control epilogs that are encoded store what compiled ones do") {
  compareWays<TessControlEpilogKey>(randomEpilog, encodeTessControlEpilog, compileTessControlEpilog,
                                    [](const TessControlEpilogKey &key, const Part &encoded, const Part &compiled,
                                       const TargetInfo &target, Random &random) {
                                      const EpilogInput input = randomEpilogInput(random, key);
                                      const std::vector<uint8_t> memory = memoryOf(encoded, target.gpuName, key, input);
                                      REQUIRE((memory == memoryOf(compiled, target.gpuName, key, input)));
                                    });
}

TEST_CASE("geometry prologs that are encoded leave the registers that compiled ones leave") {
  compareWays<GeometryPrologKey>(randomProlog, encodeGeometryProlog, compileGeometryProlog,
                                 [](const GeometryPrologKey &key, const Part &encoded, const Part &compiled,
                                    const TargetInfo &target, Random &random) {
                                   std::vector<uint32_t> sgprs;
                                   std::vector<em::Lanes> vgprs;
                                   for (unsigned i = 0; i != key.sgprCount; ++i)
                                     sgprs.push_back(random.bits());
                                   for (unsigned i = 0; i != GeometryVgprCount; ++i)
                                     vgprs.push_back(randomLanes(random));
                                   const uint64_t exec = randomExec(random);
                                   std::vector<uint32_t> results[2];
                                   for (const Part *part : {&encoded, &compiled}) {
                                     Run run(target.gpuName);
                                     run.setup.stage = em::WaveStage::Cs; // it may end without messages
                                     run.setup.exec = exec;
                                     run.setup.sgprs.assign(sgprs.begin(), sgprs.end());
                                     run.setup.vgprs.assign(vgprs.begin(), vgprs.end());
                                     run.run(*part);
                                     std::vector<uint32_t> &result = results[part == &compiled];
                                     for (unsigned i = 0; i != key.sgprCount; ++i)
                                       result.push_back(run.wave().peekSgpr(i));
                                     for (unsigned i = 0; i != GeometryVgprCount; ++i)
                                       for (unsigned lane = 0; lane != em::WaveSize; ++lane)
                                         if (exec >> lane & 1)
                                           result.push_back(run.wave().peekVgpr(i)[lane]);
                                   }
                                   REQUIRE((results[0] == results[1]));
                                 });
}
