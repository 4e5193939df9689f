// SPDX-License-Identifier: MIT
//
// register_faults: changes one field of one register of a sound image, for each field and image. A fault is caught if
// checkImage finds a defect, if the field differs from RADV's and no row of the table of explained fields covers that,
// or if the emulator stops or draws something else. The program measures the share of faults that are caught; it fails
// below --least percent.
#include "merge/check/check_image.h"
#include "src/base/hash.h"
#include "tests/mutations/subject.h"
#include "tests/radv/radv_process.h"
#include "tests/radv/registers/compare_registers.h"
#include "tests/radv/registers/explained_fields.h"
#include "tests/radv/registers/register_faults.h"
#include "tests/radv/tested_units.h"
#include "tools/common/inputs/earlier_stages.h"
#include "tools/common/inputs/later_stages.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/common/pipelines/corpus_units.h"
#include "tools/proof/emulator/driver/emulate.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>

namespace dovetail {

namespace {

struct Gpu {
  std::string name, family; // family: RADV's name
};
const std::vector<Gpu> Gpus = {{"gfx900", "vega10"}, {"gfx803", "polaris10"}};

enum class Catcher : uint8_t { Check, Radv, Trap, Picture, Nobody };
constexpr unsigned CatcherCount = 5;
constexpr std::string_view CatcherNames[CatcherCount] = {"checkImage", "RADV's registers", "trap", "picture", "nobody"};

struct Tally {
  uint64_t images = 0, notCompared = 0, failed = 0;
  uint64_t caughtBy[CatcherCount] = {};
  std::map<std::string, std::array<uint64_t, CatcherCount>> byField;
  std::map<std::string, uint64_t> harmless; // by reason

  uint64_t total() const {
    uint64_t sum = 0;
    for (uint64_t count : caughtBy)
      sum += count;
    return sum;
  }
  double rate() const {
    return total() == 0 ? 0 : 100 - 100 * double(caughtBy[size_t(Catcher::Nobody)]) / double(total());
  }
};

struct Options {
  unsigned states = 1;
  uint64_t seed = 1;
  bool verbose = false;
};

// A sound image, RADV's register values for the same shaders and state, and the image's picture.
class FaultTest {
public:
  FaultTest(const mutations::Subject &subject, const std::string &family, const RecordedRegisters *radv)
      : m_subject(subject), m_family(family), m_radv(radv), m_before(differences(*subject.image)) {}

  // The differences from RADV's registers that have no reason and were there before the fault.
  const std::set<std::string> &before() const { return m_before; }

  Catcher run(const RegisterFault &fault) const {
    const Image broken = fault.applyTo(*m_subject.image);
    if (!findImageDefects(broken).empty())
      return Catcher::Check;
    if (m_radv && !std::ranges::includes(m_before, differences(broken)))
      return Catcher::Radv;
    for (size_t i = 0; i < m_subject.scenes.size(); ++i) {
      Result<SceneResult> result = emulate(m_subject.scenes[i], m_subject.shaders, broken);
      if (!result)
        return Catcher::Trap;
      if (!mutations::isSame(*result, m_subject.results[i]))
        return Catcher::Picture;
    }
    return Catcher::Nobody;
  }

private:
  std::set<std::string> differences(const Image &image) const {
    std::set<std::string> texts;
    if (!m_radv)
      return texts;
    for (bool restart : {false, true}) {
      const RegisterComparison comparison = {.image = image,
                                             .target = m_subject.target,
                                             .state = m_subject.scenes.front().state,
                                             .family = m_family,
                                             .radv = restart ? m_radv->apart.withRestart : m_radv->apart.plain,
                                             .linkedRadv = restart ? m_radv->linked.withRestart : m_radv->linked.plain,
                                             .primitiveRestart = restart};
      for (const FieldDifference &each : compareRegisters(comparison).differences)
        if (each.explanation == NotExplained)
          texts.insert(describe(each.field));
    }
    return texts;
  }

  const mutations::Subject &m_subject;
  const std::string &m_family;
  const RecordedRegisters *m_radv;
  std::set<std::string> m_before;
};

Result<void> testUnit(const CorpusUnit &unit, const Gpu &gpu, Device &device, uint64_t seed, const Options &options,
                      Tally &tally) {
  std::vector<ShaderRef> shaders = DOVETAIL_TRY(readShaders(unit.files));
  DOVETAIL_CHECK(addEarlierStages(shaders));
  DOVETAIL_CHECK(addLaterStages(shaders));
  const ShaderSet set = DOVETAIL_TRY(makeShaderSet(shaders));
  mutations::Subject subject = DOVETAIL_TRY(mutations::makeSubject(device, unit.name, set, seed));
  const PipelineState &state = subject.scenes.front().state;
  const Result<RecordedRegisters> radv = std::move(recordWithRadv(gpu.family, set, {&state, 1}).front());
  if (!radv)
    ++tally.notCompared;
  const FaultTest test(subject, gpu.family, radv ? &*radv : nullptr);
  for (const std::string &text : test.before())
    fmt::print("{} {}, seed {}: {}\n", gpu.name, unit.name, seed, text);
  tally.failed += !test.before().empty();
  ++tally.images;
  const uint64_t faultSeed = hashBytes(std::as_bytes(std::span(unit.name))).low + seed; // others for each unit
  for (const RegisterFault &fault : registerFaults(*subject.image, subject.target, faultSeed)) {
    if (std::string_view reason = whyHarmless(fault, *subject.image, subject.target); !reason.empty()) {
      ++tally.harmless[std::string(reason)];
      continue;
    }
    const Catcher catcher = test.run(fault);
    ++tally.caughtBy[size_t(catcher)];
    const std::string name =
        fault.field.empty() ? std::string(fault.row->name) : fmt::format("{}.{}", fault.row->name, fault.field);
    ++tally.byField[name][size_t(catcher)];
    if (catcher == Catcher::Nobody || options.verbose)
      fmt::print("{} {}, seed {}: {}: {:#x} instead of {:#x}: {}\n", gpu.name, unit.name, seed, fieldName(fault),
                 fault.after, fault.before, CatcherNames[size_t(catcher)]);
  }
  std::fflush(stdout);
  return {};
}

void report(const Tally &tally) {
  for (const auto &[reason, count] : tally.harmless)
    fmt::print("{:8} do not matter: {}\n", count, reason);
  for (const auto &[name, counts] : tally.byField) {
    uint64_t sum = 0;
    for (uint64_t count : counts)
      sum += count;
    if (uint64_t escaped = counts[size_t(Catcher::Nobody)])
      fmt::print("{:8} of {:6} escaped: {}\n", escaped, sum, name);
  }
  for (unsigned i = 0; i < CatcherCount; ++i)
    fmt::print("{:8} caught by {}\n", tally.caughtBy[i], CatcherNames[i]);
  fmt::print("{} images, {} of them without RADV's registers\n", tally.images, tally.notCompared);
  fmt::print("{} of {} faults caught: {:.2f} %\n", tally.total() - tally.caughtBy[size_t(Catcher::Nobody)],
             tally.total(), tally.rate());
}

} // namespace

} // namespace dovetail

int main(int argc, char **argv) {
  using namespace dovetail;
  CLI::App app{"Changes register fields of images, and says what is noticed"};
  std::vector<std::string> paths, names;
  size_t limit = 0;
  double least = 95;
  Options options;
  app.add_option("PATH", paths, "Shader files and folders")->required();
  app.add_option("--gpu", names, "gfx900, gfx803; both if none is given");
  app.add_option("--seed", options.seed, "Of the first state, and of the choice of units");
  app.add_option("--states", options.states, "States for each unit");
  app.add_option("--limit", limit, "Units to take, chosen by the seed");
  app.add_option("--least", least, "How many percent must be caught");
  app.add_flag("--verbose", options.verbose, "What is caught, too");
  CLI11_PARSE(app, argc, argv);
  if (!isRadvThere())
    return SkippedStatus;
  Result<std::vector<CorpusUnit>> units = chooseUnits(paths, limit, options.seed);
  if (!units) {
    std::fprintf(stderr, "%s\n", units.error().text.c_str());
    return 1;
  }
  Tally tally;
  for (const Gpu &gpu : Gpus) {
    if (!names.empty() && std::ranges::find(names, gpu.name) == names.end())
      continue;
    Result<std::unique_ptr<Device>> device = Device::create(gpu.name);
    for (const CorpusUnit &unit : *units)
      for (unsigned i = 0; i < options.states; ++i) {
        Result<void> result = device ? testUnit(unit, gpu, **device, options.seed + i, options, tally)
                                     : Result<void>(tl::unexpected(device.error()));
        if (result)
          continue;
        std::printf("%s %s: %s\n", gpu.name.c_str(), unit.name.c_str(), result.error().text.c_str());
        ++tally.failed;
      }
  }
  report(tally);
  // A case is an image. A share of caught faults that is too low is one more failure.
  const uint64_t failed = tally.failed + (tally.rate() >= least ? 0 : 1);
  fmt::print("{} passed, {} failed\n", tally.images, failed);
  return failed == 0 ? 0 : 1;
}
