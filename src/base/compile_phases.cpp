// SPDX-License-Identifier: MIT
#include "src/base/compile_phases.h"
#include <atomic>
#include <cstdint>
#include <ctime>

namespace dovetail {

namespace {

constexpr int None = -1;
constexpr std::string_view Names[] = {"validate", "translate", "replay",   "optimize", "lower", "prepare",
                                      "select",   "schedule",  "allocate", "emit",     "read",  "check"};
static_assert(std::size(Names) == CompilePhaseCount);

std::atomic<int64_t> nanoseconds[CompilePhaseCount];
PhaseObserver phaseObserver = nullptr;

// None of these has a destructor, so threads of the host keep nothing of the library.
thread_local int currentPhase = None;
thread_local int64_t phaseBegin = 0;
thread_local int64_t threadNanoseconds[CompilePhaseCount];

int64_t threadCpuTime() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

void enter(int phase) {
  if (phaseObserver)
    phaseObserver(currentPhase == None ? std::nullopt : std::optional(CompilePhase(currentPhase)));
  const int64_t now = threadCpuTime();
  if (currentPhase != None) {
    nanoseconds[currentPhase].fetch_add(now - phaseBegin, std::memory_order_relaxed);
    threadNanoseconds[currentPhase] += now - phaseBegin;
  }
  currentPhase = phase;
  phaseBegin = now;
}

} // namespace

std::string_view toString(CompilePhase phase) {
  return Names[size_t(phase)];
}

PhaseTimes compilePhaseTimes() {
  PhaseTimes times;
  for (size_t phase = 0; phase < CompilePhaseCount; ++phase)
    times[phase] = double(nanoseconds[phase].load(std::memory_order_relaxed)) * 1e-3;
  return times;
}

PhaseTimes threadPhaseTimes() {
  PhaseTimes times;
  for (size_t phase = 0; phase < CompilePhaseCount; ++phase)
    times[phase] = double(threadNanoseconds[phase]) * 1e-3;
  return times;
}

void setPhaseObserver(PhaseObserver observer) {
  phaseObserver = observer;
}

PhaseScope::PhaseScope(CompilePhase phase) : m_before(currentPhase) {
  enter(int(phase));
}

PhaseScope::~PhaseScope() {
  enter(m_before);
}

void PhaseScope::change(CompilePhase phase) {
  enter(int(phase));
}

} // namespace dovetail
