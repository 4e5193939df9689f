// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/hunt.h"
#include "src/lgc/codegen/diagnostics.h"
#include <sstream>

namespace dovetail::random_programs {

namespace {

using Clock = std::chrono::steady_clock;

// A shader with several hundred spilling values takes seconds.
constexpr std::chrono::milliseconds Timeout{60'000};

Shader shaderOf(const HuntOptions &options, uint64_t seed) {
  GeneratorOptions generator = options.generator;
  generator.seed = seed;
  return generate(generator);
}

// In one line: "MADE\tCOUNT REASON\tCOUNT REASON".
std::string encode(const FirstCodeCounts &counts) {
  std::string text = std::to_string(counts.made);
  for (const auto &[reason, count] : counts.reasons)
    text += fmt::format("\t{} {}", count, reason);
  return text;
}

FirstCodeCounts decodeCounts(const std::string &text) {
  FirstCodeCounts counts;
  counts.made = std::strtoull(text.c_str(), nullptr, 10);
  std::istringstream reasons(text);
  std::string each;
  std::getline(reasons, each, '\t');
  while (std::getline(reasons, each, '\t'))
    counts.refuse(each.substr(std::min(each.find(' ') + 1, each.size())), std::strtoull(each.c_str(), nullptr, 10));
  return counts;
}

// A worker's reply for a seed: the number of small programs and the counts of first code in a line, then the Finding of
// the first way that fails.
std::string checkSeed(const HuntOptions &options, uint64_t seed) {
  const std::vector<Way> ways = waysOf(options, seed);
  const Shader shader = shaderFor(shaderOf(options, seed), ways[0]);
  FirstCodeCounts counts;
  auto line = [&] { return fmt::format("{}\t{}", shader.programs.size(), encode(counts)); };
  for (const Way &way : ways) {
    const Finding finding = check(shader, way);
    counts += finding.firstCode;
    if (finding.kind != FindingKind::None)
      return fmt::format("{}\n{}\n{}", line(), toString(way), encode(finding));
  }
  return line();
}

// After a crash or a hang, the parent does not know which way it was: tries the ways again, one by one.
Finding findAgain(const Shader &shader, const std::vector<Way> &ways) {
  Finding found;
  for (const Way &way : ways) {
    runInWorkers(
        1, {1, Timeout}, [&](size_t) { return encode(check(shader, way)); },
        [&](size_t, const WorkerReply &reply) {
          found = decode(reply, way);
          return true;
        });
    if (found.kind != FindingKind::None)
      return found;
  }
  return found;
}

// Asks in a child process, because lavapipe and RADV start processes and keep them.
std::string askInChild(const Shader &shader, const Way &way) {
  std::string answer;
  runInWorkers(
      1, {1, Timeout}, [&](size_t) { return askOthers(shader, way); },
      [&](size_t, const WorkerReply &reply) {
        answer = reply.text;
        return true;
      });
  return answer;
}

class Hunt {
public:
  Hunt(const HuntOptions &options, const std::function<void(const std::string &)> &report)
      : m_options(options), m_report(report) {}

  HuntResult run() {
    const Clock::time_point start = Clock::now();
    // The time of reductions does not count.
    auto isOver = [&] { return m_options.count == 0 && Clock::now() - start >= m_options.seconds + m_reducing; };
    runInWorkers(
        m_options.count ? m_options.count : SIZE_MAX / 2, {m_options.jobs, Timeout},
        [&](size_t index) { return checkSeed(m_options, m_options.generator.seed + index); },
        [&](size_t index, const WorkerReply &reply) {
          take(m_options.generator.seed + index, reply);
          return !isOver() && m_result.finds.size() < m_options.maxFinds;
        });
    m_result.seconds = std::chrono::duration<double>(Clock::now() - start - m_reducing).count();
    return std::move(m_result);
  }

private:
  void take(uint64_t seed, const WorkerReply &reply) {
    ++m_result.shaders;
    const std::vector<Way> ways = waysOf(m_options, seed);
    const bool isFinished = reply.status == WorkerReply::Status::Finished;
    const uint64_t programs = isFinished ? std::strtoull(reply.text.c_str(), nullptr, 10) : 0;
    m_result.programs += programs;
    m_result.runs += ways.size();
    for (const Way &way : ways)
      m_result.programsByWay[toString(way)] += programs;
    const size_t line = reply.text.find('\n');
    if (isFinished)
      m_result.firstCode += decodeCounts(reply.text.substr(0, line).substr(reply.text.find('\t') + 1));
    if (isFinished && line == std::string::npos)
      return;
    ++m_result.failures;
    const Clock::time_point start = Clock::now();
    pursue(seed, ways, isFinished ? reply.text.substr(line + 1) : reply.text, reply.status);
    m_reducing += Clock::now() - start;
  }

  void pursue(uint64_t seed, const std::vector<Way> &ways, const std::string &first, WorkerReply::Status status) {
    Find find;
    find.seed = seed;
    find.reduction.shader = shaderFor(shaderOf(m_options, seed), ways[0]);
    find.whole = findAgain(find.reduction.shader, ways);
    if (isOfProducer(find))
      return blameProducer();
    m_report(fmt::format("seed {}: {}, {}: {}", seed, toString(find.whole.kind), toString(find.whole.way),
                         find.whole.text.substr(0, find.whole.text.find('\n'))));
    find.reduction.finding = find.whole;
    if (find.whole.kind == FindingKind::None) {
      m_report(fmt::format("seed {}: does not fail again: {}", seed, first));
      // On a busy machine, slow work may look like a hang.
      if (status == WorkerReply::Status::TimedOut) {
        --m_result.failures;
        ++m_result.slow;
        return;
      }
    } else if (m_options.reduces) {
      ReduceOptions reducing;
      reducing.jobs = m_options.jobs;
      reducing.limit = m_options.reduceLimit;
      find.reduction = reduce(find.reduction.shader, find.whole, reducing);
      find.others = askInChild(find.reduction.shader, find.whole.way);
      // For the whole shader, lavapipe could not tell.
      if (!find.whole.way.spirvPasses.empty() && lavapipeAgreesWith(find.reduction.finding, find.others))
        return blameProducer();
      m_report(fmt::format("  reduced: {}\n{}{}", find.reduction.finding.text.substr(0, 300), find.others,
                           print(find.reduction.shader).substr(0, 3000)));
    }
    ++m_result.kinds[kindOf(find)];
    if (!m_options.finds.empty())
      if (const Result<std::string> written = writeFind(m_options.finds, find); !written)
        m_report(written.error().text);
    m_result.finds.push_back(std::move(find));
  }

  void blameProducer() {
    --m_result.failures;
    ++m_result.ofProducer;
  }

  // Whether lavapipe computes the same wrong word.
  static bool lavapipeAgreesWith(const Finding &finding, const std::string &others) {
    return finding.kind == FindingKind::WrongWord &&
           others.starts_with(fmt::format("{}{}\n", LavapipeHas, finding.text.substr(0, finding.text.find(" ("))));
  }

  // Whether the failure is the producer's fault: a module is not valid; or spirv-opt fails or crashes; or lavapipe
  // computes the same from spirv-opt's module.
  static bool isOfProducer(const Find &find) {
    const Finding &whole = find.whole;
    if (whole.kind == FindingKind::Producer)
      return true;
    if (whole.way.spirvPasses.empty())
      return false;
    if (whole.kind == FindingKind::WrongWord)
      return lavapipeAgreesWith(whole, askInChild(find.reduction.shader, whole.way));
    bool crashes = false;
    runInWorkers(
        1, {1, Timeout}, [&](size_t) { return modulesFor(find.reduction.shader, whole.way) ? "" : "failed"; },
        [&](size_t, const WorkerReply &reply) {
          crashes = reply.status != WorkerReply::Status::Finished;
          return true;
        });
    return crashes;
  }

  const HuntOptions &m_options;
  const std::function<void(const std::string &)> &m_report;
  HuntResult m_result;
  Clock::duration m_reducing{};
};

} // namespace

std::vector<Way> waysOf(const HuntOptions &options, uint64_t seed) {
  constexpr DrawnCode Codes[] = {DrawnCode::Joined, DrawnCode::Monolithic, DrawnCode::Optimized};
  // The level depends on the seed's hash, because codes and GLSL already take turns by the seed.
  constexpr unsigned Levels[] = {0, 1, 2, 2, 2, 2, 2, 3};
  const unsigned level = options.optimizationLevel.value_or(Levels[seed * 0x9e3779b97f4a7c15 >> 61]);
  const bool isGlsl = options.usesGlsl && (!options.usesSpirv || seed % 5 == 4);
  std::vector<Way> ways;
  for (size_t i = 0; i < options.gpus.size(); ++i) {
    for (size_t code = 0; code < std::size(Codes); ++code)
      if (options.allCodes || code == (seed + i) % std::size(Codes))
        ways.push_back({options.gpus[i], Codes[code], level, isGlsl, options.spirvPasses});
    if (options.firstCode)
      ways.push_back({options.gpus[i], DrawnCode::FirstCode, level, isGlsl, options.spirvPasses});
  }
  return ways;
}

HuntResult hunt(const HuntOptions &options, const std::function<void(const std::string &)> &report) {
  lgc::verifyDirectShaders(true);
  return Hunt(options, report).run();
}

} // namespace dovetail::random_programs
