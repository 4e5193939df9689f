// SPDX-License-Identifier: MIT
#include "tests/mutations/report.h"
#include "tests/mutations/distinct_levels.h"
#include "tools/common/inputs/earlier_stages.h"
#include "tools/common/inputs/later_stages.h"
#include "tools/common/inputs/read_shaders.h"
#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>

namespace dovetail::mutations {

namespace {

struct Program {
  std::string name, gpu = "gfx900";
  std::vector<std::string> files;
};

// A compute shader is a program by itself. Other shaders whose names differ only in their ending are a program
// together.
std::vector<Program> listPrograms(const std::string &folder) {
  std::map<std::string, Program> programs;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    bool isCompute = entry.path().extension() == ".comp";
    std::string name = (isCompute ? entry.path().filename() : entry.path().stem()).string();
    programs[name].name = name;
    programs[name].files.push_back(entry.path().string());
  }
  std::vector<Program> list;
  for (auto &[name, program] : programs) {
    std::sort(program.files.begin(), program.files.end());
    list.push_back(std::move(program));
  }
  return list;
}

// Chooses `count` programs of a list, evenly spread.
void choose(const std::vector<Program> &from, size_t count, std::vector<Program> &chosen) {
  count = std::min(count, from.size());
  for (size_t i = 0; i < count; ++i)
    chosen.push_back(from[i * from.size() / count]);
}

bool isStaged(const Program &program) {
  return std::ranges::any_of(
      program.files, [](const std::string &file) { return file.ends_with(".tesc") || file.ends_with(".geom"); });
}

// One plain program in eight has tables, because few of tests/shaders do. Ordered ones come on top.
std::vector<Program> choosePrograms(size_t images, size_t staged) {
  std::vector<Program> ownPlain = listPrograms(DOVETAIL_OWN_SHADERS), tables = listPrograms(DOVETAIL_MUTATED_SHADERS);
  std::vector<Program> chosen, ownStaged, modes;
  auto split = [](std::vector<Program> &all, std::vector<Program> &to) {
    std::ranges::copy_if(all, std::back_inserter(to), isStaged);
    std::erase_if(all, isStaged);
  };
  split(ownPlain, ownStaged);
  split(tables, modes);
  if (images != 0)
    choose(tables, std::max<size_t>(images / 8, 1), chosen);
  choose(ownPlain, images - chosen.size(), chosen);
  const std::vector<Program> ordered = listPrograms(DOVETAIL_ORDERED_SHADERS);
  chosen.insert(chosen.end(), ordered.begin(), ordered.end());
  size_t firstStaged = chosen.size();
  choose(modes, std::min(staged, modes.size()), chosen);
  choose(ownStaged, staged - (chosen.size() - firstStaged), chosen);
  // The halves' modes differ in merged programs only.
  for (size_t i = firstStaged + modes.size(); i < chosen.size(); ++i)
    if ((i - firstStaged) % 2 != 0)
      chosen[i].gpu = "gfx803";
  return chosen;
}

Result<ShaderSet> readProgram(const Program &program) {
  std::vector<ShaderRef> shaders = DOVETAIL_TRY(readShaders(program.files));
  for (ShaderRef &shader : shaders)
    if (shader->description.stage == lgc::ShaderStage::TessControl) {
      ShaderDescription description = shader->description;
      description.words = withDistinctLevels(description.words);
      shader = DOVETAIL_TRY(createShader(std::move(description)));
    }
  DOVETAIL_CHECK(addEarlierStages(shaders));
  DOVETAIL_CHECK(addLaterStages(shaders));
  return makeShaderSet(shaders);
}

// An explanation of a survivor: "" or ": why".
std::string explain(const Subject &subject, const Mutant &mutant) {
  for (const Probe &probe : mutant.probes) {
    Result<Outcome> outcome = drawAll(subject, probe.stages);
    if (outcome && *outcome == Outcome::Survived)
      return ": " + probe.explanation;
  }
  return {};
}

template <typename Counts> size_t sum(const Counts &counts) {
  return std::accumulate(counts.begin(), counts.end(), size_t(0));
}

} // namespace

size_t Report::total() const {
  size_t total = 0;
  for (const auto &row : counts)
    total += sum(row);
  return total;
}

size_t Report::caught() const {
  size_t survived = 0;
  for (const auto &row : counts)
    survived += row[size_t(Outcome::Survived)];
  return total() - survived;
}

double Report::rate() const {
  return total() == 0 ? 0 : double(caught()) / double(total());
}

std::string Report::text() const {
  std::string text = fmt::format("{:32}", "mutation");
  for (unsigned outcome = 0; outcome < OutcomeCount; ++outcome)
    text += fmt::format("{:>10}", toString(Outcome(outcome)));
  text += fmt::format("{:>10}{:>10}\n", "caught", "no matter");
  for (unsigned kind = 0; kind < MutationKindCount; ++kind) {
    text += fmt::format("{:32}", toString(MutationKind(kind)));
    for (size_t count : counts[kind])
      text += fmt::format("{:>10}", count);
    size_t all = sum(counts[kind]), survived = counts[kind][size_t(Outcome::Survived)];
    text +=
        fmt::format("{:>9.1f}%{:>10}\n", all == 0 ? 0 : 100.0 * double(all - survived) / double(all), equivalent[kind]);
  }
  text += fmt::format("{} of {} mutants of {} images caught: {:.2f} %\n", caught(), total(), images, 100 * rate());
  text += "do not matter:\n";
  for (const auto &[reason, count] : reasons)
    text += fmt::format("{:6} {}\n", count, reason);
  if (falselyEquivalent != 0)
    text += fmt::format("{:6} thought not to matter, but caught\n", falselyEquivalent);
  if (!survivors.empty())
    text += "not caught:\n";
  for (const std::string &survivor : survivors)
    text += "  " + survivor + "\n";
  return text;
}

Result<Report> checkMutations(size_t images, size_t staged, CodeTier tier,
                              const std::function<void(const std::string &)> &progress) {
  std::map<std::string, std::unique_ptr<Device>> devices;
  Report report;
  for (const Program &program : choosePrograms(images, staged)) {
    std::unique_ptr<Device> &device = devices[program.gpu];
    if (!device)
      device = DOVETAIL_TRY(Device::create(program.gpu));
    ShaderSet shaders = DOVETAIL_TRY(readProgram(program));
    Subject subject = DOVETAIL_TRY(makeSubject(*device, program.name, shaders, 1, tier));
    if (tier == CodeTier::FirstCode && !subject.isFirstCode) {
      progress(fmt::format("{} {}: first code refuses it", program.gpu, program.name));
      continue;
    }
    ++report.images;
    size_t caught = 0, survived = 0;
    for (const Mutant &mutant : allMutants(subject)) {
      Verdict verdict = DOVETAIL_TRY(judge(subject, mutant));
      bool survives = verdict.outcome == Outcome::Survived;
      // An exchange of registers that nobody reads may trap by itself, because it reads them. Any other mutant that is
      // caught did matter, whatever `equivalent` says.
      bool isOwnTrap = mutant.kind == MutationKind::ContractRegister;
      if (!mutant.equivalent.empty() && (survives || isOwnTrap)) {
        ++report.equivalent[size_t(mutant.kind)];
        ++report.reasons[mutant.equivalent];
        continue;
      }
      report.falselyEquivalent += !mutant.equivalent.empty();
      ++report.counts[size_t(mutant.kind)][size_t(verdict.outcome)];
      ++(survives ? survived : caught);
      if (survives)
        report.survivors.push_back(fmt::format("{} {}: {}: {}{}", program.gpu, program.name, toString(mutant.kind),
                                               mutant.what, explain(subject, mutant)));
    }
    progress(fmt::format("{} {}: {} caught, {} not", program.gpu, program.name, caught, survived));
  }
  return report;
}

} // namespace dovetail::mutations
