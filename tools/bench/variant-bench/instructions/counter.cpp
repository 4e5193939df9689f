// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/instructions/counter.h"
#include "tools/bench/instruction_counter.h"
#include "tools/common/command/write_file.h"
#include <optional>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif

namespace dovetail {

namespace {

class PerfCounter final : public Counter {
public:
  explicit PerfCounter(std::filesystem::path folder) : m_folder(std::move(folder)) {}

  void begin() override {
    m_counter.emplace();
    m_last = m_counter->read();
  }

  void mark(const std::string &label) override {
    m_text += printMark({label, m_counter->read() - m_last});
    m_last = m_counter->read();
  }

  Result<void> finish() override {
    return writeFileAtomically((m_folder / fmt::format("marks.{}", getpid())).string(), m_text);
  }

private:
  const std::filesystem::path m_folder;
  std::optional<InstructionCounter> m_counter;
  uint64_t m_last = 0;
  std::string m_text;
};

#ifdef CALLGRIND_DUMP_STATS_AT
// Callgrind writes the marks, to the file that its command line names.
class CallgrindCounter final : public Counter {
public:
  void begin() override { CALLGRIND_ZERO_STATS; }
  void mark(const std::string &label) override { CALLGRIND_DUMP_STATS_AT(label.c_str()); }
  Result<void> finish() override { return {}; }
};
#endif

} // namespace

std::string_view toString(CounterKind kind) {
  return kind == CounterKind::Perf ? "perf" : "callgrind";
}

Result<void> checkCounter(CounterKind kind) {
  if (kind == CounterKind::Perf && InstructionCounter().read() == 0)
    return makeError(ErrorCode::Unsupported, "this system has no counter of instructions (perf_event_open)");
#ifndef CALLGRIND_DUMP_STATS_AT
  if (kind == CounterKind::Callgrind)
    return makeError(ErrorCode::Unsupported, "variant-bench was built without valgrind/callgrind.h (package valgrind)");
#endif
  return {};
}

CounterKind bestCounter() {
  return checkCounter(CounterKind::Perf) ? CounterKind::Perf : CounterKind::Callgrind;
}

Result<std::unique_ptr<Counter>> Counter::open(CounterKind kind, const std::filesystem::path &folder) {
  DOVETAIL_CHECK(checkCounter(kind));
  if (kind == CounterKind::Perf)
    return std::make_unique<PerfCounter>(folder);
#ifdef CALLGRIND_DUMP_STATS_AT
  if (RUNNING_ON_VALGRIND)
    return std::make_unique<CallgrindCounter>();
#endif
  return makeError(ErrorCode::Unsupported, "this process does not run under callgrind");
}

} // namespace dovetail
