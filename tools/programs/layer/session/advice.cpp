// SPDX-License-Identifier: MIT
//
// The background is replayed: each compile of the frame begins as soon as its pipeline was made and a thread of the
// background is free. The frame waits for what is not ready when it is needed, but at most as long as it took to
// compile that itself. Whatever is saved moves the rest of the frame forward. The background is assumed to have nothing
// else to do. It makes LLVM's code, so a part of first code counts with the time that LLVM took for it, if LLVM has
// made it.
#include "tools/programs/layer/session/advice.h"
#include <algorithm>
#include <fmt/format.h>

namespace dovetail::layer {

namespace {

// The compiles of one part by both tiers.
struct Tiers {
  const Compile *firstCode = nullptr, *llvm = nullptr;
  bool isAmbiguous = false; // one shader has several parts of one kind
};

// The keys of both tiers differ, so a part is known by its kind and its shaders.
using TiersByPart = std::map<std::pair<uint32_t, std::string>, Tiers>;

TiersByPart tiersByPart(const std::vector<Compile> &compiles) {
  TiersByPart all;
  for (const Compile &compile : compiles) {
    Tiers &tiers = all[{compile.kind, compile.shaders}];
    const Compile *&known = compile.tier == DOVETAIL_TIER_FIRST_CODE ? tiers.firstCode : tiers.llvm;
    tiers.isAmbiguous |= known && known->part != compile.part;
    known = &compile;
  }
  return all;
}

Tiers tiersOf(const TiersByPart &all, const Compile &compile) {
  const auto found = all.find({compile.kind, compile.shaders});
  return found == all.end() || found->second.isAmbiguous ? Tiers() : found->second;
}

struct Waits {
  uint64_t nanoseconds = 0, parts = 0;
};

// The time of this work during which another thread compiled a part of its pipeline.
Waits waitsOf(const FrameWork &work, const Measured &measured) {
  Waits waits;
  if (!work.bind.waited)
    return waits;
  std::vector<std::pair<uint64_t, uint64_t>> times;
  for (const Compile &compile : measured.compiles) {
    const bool isOwn = std::ranges::any_of(
        work.compiles, [&](const Compile &own) { return own.part == compile.part && own.start == compile.start; });
    if (!isOwn && compile.end() > work.start && compile.start < work.end() && isOf(compile, *work.pipeline))
      times.emplace_back(std::max(compile.start, work.start), std::min(compile.end(), work.end()));
  }
  std::ranges::sort(times);
  uint64_t until = work.start;
  for (const auto &[start, end] : times) {
    ++waits.parts;
    if (end > until)
      waits.nanoseconds += end - std::max(start, until);
    until = std::max(until, end);
  }
  return waits;
}

// ---- The background, replayed ----

struct Job {
  uint64_t queued = 0; // when the pipeline was made
  uint64_t start = 0;  // when its compile began in the way
  uint64_t own = 0;    // how long that delayed the frame
  uint64_t length = 0; // how long the background takes
  // When the frame needs its code, in the frame as it was: after the draw's own compile, or at the first draw of a
  // pipeline that was compiled when it was made.
  uint64_t needed = 0;
};

constexpr uint64_t Never = ~uint64_t(0);

// The time that the frame saves.
uint64_t savedByBackground(std::vector<Job> jobs, const Frame &frame, uint32_t workers) {
  const uint64_t frameEnd = frame.start + frame.nanoseconds;
  std::ranges::sort(jobs, {}, &Job::queued);
  std::vector<uint64_t> freeAt(std::max(workers, 1u), 0);
  struct Event {
    uint64_t at;
    size_t job;
    enum { Queue, Compile, Need } what;
  };
  std::vector<Event> events;
  for (size_t index = 0; index < jobs.size(); ++index) {
    events.push_back({jobs[index].queued, index, Event::Queue});
    events.push_back({jobs[index].start, index, Event::Compile});
    if (jobs[index].needed <= frameEnd)
      events.push_back({jobs[index].needed, index, Event::Need});
  }
  std::ranges::stable_sort(
      events, [](const Event &a, const Event &b) { return std::pair(a.at, a.what) < std::pair(b.at, b.what); });
  uint64_t saved = 0; // so far; later events happen so much earlier
  std::vector<uint64_t> ready(jobs.size(), 0);
  for (const Event &event : events) {
    const uint64_t now = event.at - std::min(saved, event.at);
    if (event.what == Event::Queue) {
      uint64_t &worker = *std::ranges::min_element(freeAt);
      worker = std::max(worker, now) + jobs[event.job].length;
      ready[event.job] = worker;
    } else if (event.what == Event::Compile) {
      saved += jobs[event.job].own;
    } else if (ready[event.job] > now) {
      saved -= std::min({saved, ready[event.job] - now, jobs[event.job].own});
    }
  }
  return saved;
}

void addFrame(const Frame &frame, const Measured &measured, const TiersByPart &tiers, Advice &advice) {
  advice.time += frame.dovetailNanoseconds;
  uint64_t store = 0;
  std::vector<Job> jobs;
  for (const FrameWork &work : frame.work) {
    if (!work.isInTheWay)
      continue;
    uint64_t compiled = 0, until = 0;
    for (const Compile &compile : work.compiles) {
      advice.own.add(compile);
      // Compiles at the same time delay the work once.
      const uint64_t own = compile.end() - std::min(compile.end(), std::max(compile.start, until));
      until = std::max(until, compile.end());
      compiled += own;
      const Tiers both = tiersOf(tiers, compile);
      if (both.firstCode && both.llvm) {
        TierTimes &times = compile.tier == DOVETAIL_TIER_FIRST_CODE ? advice.firstCode : advice.llvm;
        ++times.parts;
        times.firstCode += both.firstCode->nanoseconds;
        times.llvm += both.llvm->nanoseconds;
      } else if (compile.tier == DOVETAIL_TIER_LLVM) {
        advice.unknown.add(compile);
      }
      if (!compile.refusal.empty())
        ++advice.refusals[compile.refusal];
      Job job;
      job.queued = std::min(work.pipeline->created, compile.start);
      job.start = compile.start;
      job.own = own;
      job.length = both.llvm ? both.llvm->nanoseconds : compile.nanoseconds;
      const uint64_t first = work.pipeline->firstBind.load(std::memory_order_relaxed);
      job.needed = work.isDraw ? compile.end() : first != 0 ? first : Never;
      jobs.push_back(job);
    }
    const Waits waits = waitsOf(work, measured);
    advice.waited += waits.nanoseconds;
    const uint64_t spent = compiled + waits.nanoseconds;
    store += spent - std::min(spent, (work.compiles.size() + waits.parts) * measured.read());
  }
  // Threads that wait at the same time delay a frame once.
  advice.store += std::min(store, frame.dovetailNanoseconds);
  if (measured.compile != CompileWhen::Background)
    advice.background +=
        std::min(savedByBackground(std::move(jobs), frame, measured.workers), frame.dovetailNanoseconds);
}

std::string parts(uint64_t number) {
  return number == 1 ? "1 part" : fmt::format("{} parts", number);
}

} // namespace

std::string timeText(uint64_t nanoseconds) {
  const auto microseconds = static_cast<double>(nanoseconds) / 1e3;
  return microseconds < 1000      ? fmt::format("{:.0f} us", microseconds)
         : microseconds < 1000000 ? fmt::format("{:.1f} ms", microseconds / 1e3)
                                  : fmt::format("{:.2f} s", microseconds / 1e6);
}

Advice adviseOn(const std::vector<const Frame *> &frames, const Measured &measured) {
  Advice advice;
  const TiersByPart tiers = tiersByPart(measured.compiles);
  for (const Frame *frame : frames)
    addFrame(*frame, measured, tiers, advice);
  return advice;
}

std::vector<std::string> sentencesOf(const Advice &advice, const Measured &measured) {
  std::vector<std::pair<uint64_t, std::string>> said;
  std::string cause;
  if (advice.own.count > 0)
    cause = fmt::format("{} took {} to compile", parts(advice.own.count), timeText(advice.own.nanoseconds));
  if (advice.waited > 0)
    cause += fmt::format("{}other threads' compiles were waited for {}", cause.empty() ? "" : ", and ",
                         timeText(advice.waited));
  if (advice.store > 0)
    said.emplace_back(
        advice.store,
        fmt::format(
            "A store of an earlier run, or an archive, would have saved {} of {}: {}; to read one takes {} ({}).",
            timeText(advice.store), timeText(advice.time), cause, timeText(measured.read()),
            measured.readNanoseconds ? "the median of this run" : "a stated time: this run read none"));
  if (advice.background > 0)
    said.emplace_back(advice.background,
                      fmt::format("Compiling in the background from the time when the pipelines were made would have "
                                  "saved {} of {}, if the background had had nothing else to do.",
                                  timeText(advice.background), timeText(advice.time)));
  if (advice.llvm.llvm > advice.llvm.firstCode)
    said.emplace_back(advice.llvm.llvm - advice.llvm.firstCode,
                      fmt::format("First code would have saved {}: for {}, LLVM took {} and first code {}.",
                                  timeText(advice.llvm.llvm - advice.llvm.firstCode), parts(advice.llvm.parts),
                                  timeText(advice.llvm.llvm), timeText(advice.llvm.firstCode)));
  std::vector<std::string> sentences;
  std::ranges::stable_sort(said, std::greater(), &std::pair<uint64_t, std::string>::first);
  for (auto &[saved, sentence] : said)
    sentences.push_back(std::move(sentence));
  if (advice.firstCode.llvm > advice.firstCode.firstCode)
    sentences.push_back(fmt::format("First code has saved {}: for {}, it took {} and LLVM took {} in the background.",
                                    timeText(advice.firstCode.llvm - advice.firstCode.firstCode),
                                    parts(advice.firstCode.parts), timeText(advice.firstCode.firstCode),
                                    timeText(advice.firstCode.llvm)));
  if (advice.unknown.count > 0 && measured.firstTier == DOVETAIL_TIER_LLVM)
    sentences.push_back(fmt::format("First code is turned off, so its time is not known for {} that took LLVM {}.",
                                    parts(advice.unknown.count), timeText(advice.unknown.nanoseconds)));
  for (const auto &[reason, number] : advice.refusals)
    sentences.push_back(fmt::format("First code refused {}: {}.", parts(number), reason));
  return sentences;
}

} // namespace dovetail::layer
