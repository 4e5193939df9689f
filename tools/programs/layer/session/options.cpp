// SPDX-License-Identifier: MIT
#include "tools/programs/layer/session/options.h"
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>

namespace dovetail::layer {

namespace {

class Reader {
public:
  explicit Reader(std::vector<std::string> &complaints) : m_complaints(complaints) {}

  void text(const char *name, std::string &value) const {
    if (const char *given = find(name))
      value = given;
  }

  template <typename Number> void number(const char *name, Number &value) const {
    const char *given = find(name);
    if (!given)
      return;
    const std::string_view text = given;
    Number read = {};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
    if (error != std::errc() || end != text.data() + text.size() || read < Number())
      m_complaints.push_back(fmt::format("{} is '{}', which is no number that it can be", name, text));
    else
      value = read;
  }

  template <typename Choice, size_t Count>
  void choice(const char *name, Choice &value, const std::pair<std::string_view, Choice> (&choices)[Count]) const {
    const char *given = find(name);
    if (!given)
      return;
    std::string known;
    for (const auto &[word, meant] : choices) {
      if (word == given) {
        value = meant;
        return;
      }
      known += fmt::format("{}{}", known.empty() ? "" : ", ", word);
    }
    m_complaints.push_back(fmt::format("{} is '{}'; it can be {}", name, given, known));
  }

private:
  static const char *find(const char *name) {
    const char *given = std::getenv(name);
    return given && *given ? given : nullptr;
  }

  std::vector<std::string> &m_complaints;
};

} // namespace

Options readOptions() {
  Options options;
  const Reader reader(options.complaints);
  uint64_t memoryMegabytes = options.memoryBudget >> 20;
  reader.text("DOVETAIL_SHADOW_GPU", options.gpu);
  reader.choice<uint32_t>(
      "DOVETAIL_SHADOW_POLICY", options.policy,
      {{"off", DOVETAIL_POLICY_OFF}, {"hot", DOVETAIL_POLICY_HOT}, {"always", DOVETAIL_POLICY_ALWAYS}});
  reader.choice<uint32_t>("DOVETAIL_SHADOW_FIRST_TIER", options.firstTier,
                          {{"first-code", DOVETAIL_TIER_FIRST_CODE}, {"llvm", DOVETAIL_TIER_LLVM}});
  reader.number("DOVETAIL_SHADOW_HOT_BINDS", options.hotBinds);
  reader.number("DOVETAIL_SHADOW_THREADS", options.threads);
  reader.number("DOVETAIL_SHADOW_MEMORY", memoryMegabytes);
  reader.text("DOVETAIL_SHADOW_STORE", options.store);
  reader.text("DOVETAIL_SHADOW_OUTPUT", options.output);
  reader.text("DOVETAIL_SHADOW_CAPTURE", options.capture);
  reader.choice<CompileWhen>(
      "DOVETAIL_SHADOW_COMPILE", options.compile,
      {{"pipeline", CompileWhen::Pipeline}, {"background", CompileWhen::Background}, {"draw", CompileWhen::Draw}});
  reader.number("DOVETAIL_SHADOW_WARM_UP", options.warmUpSeconds);
  reader.choice<bool>("DOVETAIL_SHADOW_FEATURES", options.reportsImageIndexing,
                      {{"drivers", false}, {"image-indexing", true}});
  reader.number("DOVETAIL_SHADOW_REPORT_EVERY", options.reportEvery);
  reader.choice<bool>("DOVETAIL_SHADOW_CPU_TIME", options.measuresCpuOfAll, {{"new", false}, {"all", true}});
  reader.choice<ExecuteHow>("DOVETAIL_SHADOW_EXECUTE", options.execute,
                            {{"off", ExecuteHow::Off}, {"compare", ExecuteHow::Compare}});
  reader.choice<bool>("DOVETAIL_SHADOW_EXECUTE_DRAWS", options.executesNewOnly, {{"all", false}, {"new", true}});
  reader.number("DOVETAIL_SHADOW_EXECUTE_EVERY", options.executeEvery);
  reader.number("DOVETAIL_SHADOW_EXECUTE_PIXELS", options.executePixels);
  reader.number("DOVETAIL_SHADOW_EXECUTE_SECONDS", options.executeSeconds);
  reader.number("DOVETAIL_SHADOW_EXECUTE_THREADS", options.executeThreads);
  reader.number("DOVETAIL_SHADOW_EXECUTE_FAULT", options.executeFault);
  reader.choice<int>("DOVETAIL_SHADOW_SIGNAL", options.signal, {{"none", 0}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}});
  options.memoryBudget = memoryMegabytes << 20;
  return options;
}

bool isExecutionAsked() {
  static const bool isAsked = readOptions().execute != ExecuteHow::Off;
  return isAsked;
}

} // namespace dovetail::layer
