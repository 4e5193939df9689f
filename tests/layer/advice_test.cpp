// SPDX-License-Identifier: MIT
#include "tools/programs/layer/session/advice.h"
#include <doctest/doctest.h>

using namespace dovetail::layer;

namespace {

constexpr uint64_t Millisecond = 1000000;
constexpr uint64_t FrameStart = 1000 * Millisecond;

// A pipeline that was made so many milliseconds after the frame's beginning, or before it.
std::shared_ptr<PipelineFacts> pipeline(int64_t created, const std::string &shaders = "vert-1 frag-2") {
  auto facts = std::make_shared<PipelineFacts>();
  facts->shaders = shaders;
  facts->created = FrameStart + static_cast<uint64_t>(created) * Millisecond;
  return facts;
}

Compile compile(uint64_t start, uint64_t milliseconds, uint32_t tier = DOVETAIL_TIER_LLVM, uint64_t part = 1) {
  Compile made;
  made.part = {part, tier};
  made.kind = DOVETAIL_PART_FRAGMENT_MAIN;
  made.tier = tier;
  made.shaders = "frag-2." + std::to_string(part);
  made.start = FrameStart + start * Millisecond;
  made.nanoseconds = milliseconds * Millisecond;
  return made;
}

// A frame of 100 ms, with a draw or a pipeline for each compile.
struct Example {
  Frame frame = {.number = 7, .start = FrameStart, .nanoseconds = 100 * Millisecond, .work = {}};
  Measured measured;

  void add(std::shared_ptr<PipelineFacts> of, const Compile &made, bool isDraw = true) {
    frame.work.push_back({.pipeline = std::move(of),
                          .start = made.start,
                          .nanoseconds = made.nanoseconds,
                          .isDraw = isDraw,
                          .compiles = {made}});
    frame.dovetailNanoseconds += made.nanoseconds;
    measured.compiles.push_back(made);
  }
  Advice advice() const { return adviseOn({&frame}, measured); }
  std::vector<std::string> sentences() const { return sentencesOf(advice(), measured); }
};

bool has(const std::vector<std::string> &sentences, const std::string &text) {
  return std::ranges::any_of(sentences, [&](const std::string &sentence) { return sentence == text; });
}

} // namespace

TEST_CASE("a store would have saved the compiles, less the reads") {
  Example example;
  example.add(pipeline(-500), compile(10, 30));
  example.measured.readNanoseconds = 200000;
  CHECK(example.advice().store == 30 * Millisecond - 200000);
  CHECK(has(example.sentences(),
            "A store of an earlier run, or an archive, would have saved 29.8 ms of 30.0 ms: 1 part "
            "took 30.0 ms to compile; to read one takes 200 us (the median of this run)."));

  example.measured.readNanoseconds = std::nullopt;
  CHECK(example.advice().store == 30 * Millisecond - Measured::StatedRead);
  CHECK(example.sentences()[1].ends_with("to read one takes 22 us (a stated time: this run read none)."));
}

TEST_CASE("a frame without compiles has no advice") {
  Example example;
  example.frame.work.push_back({.pipeline = pipeline(0), .start = FrameStart, .nanoseconds = 5 * Millisecond});
  example.frame.dovetailNanoseconds = 5 * Millisecond;
  CHECK(example.sentences().empty());
}

TEST_CASE("the background would have saved what it can do between the pipeline's making and the draw") {
  Example early, late, both;
  early.add(pipeline(-500), compile(10, 30));
  CHECK(early.advice().background == 30 * Millisecond);
  CHECK(has(early.sentences(),
            "Compiling in the background from the time when the pipelines were made would have saved "
            "30.0 ms of 30.0 ms, if the background had had nothing else to do."));
  late.add(pipeline(0), compile(10, 30)); // ready at 30, needed at 10
  CHECK(late.advice().background == 10 * Millisecond);

  // One thread is ready at 20 and 60; the draws need the code at 10, and then at once.
  both.add(pipeline(-10), compile(10, 30));
  both.add(pipeline(-9), compile(40, 40, DOVETAIL_TIER_LLVM, 2));
  CHECK(both.advice().background == 20 * Millisecond);
  both.measured.workers = 2;
  CHECK(both.advice().background == (30 + 9 + 10 + 1) * Millisecond - 10 * Millisecond);
}

TEST_CASE("a compile at a pipeline's making could be in the background until the pipeline is drawn with") {
  const auto drawn = pipeline(10), kept = pipeline(10);
  Example soon, never;
  drawn->firstBind = FrameStart + 45 * Millisecond; // 5 ms after the compile's end
  soon.add(drawn, compile(10, 30), false);
  CHECK(soon.advice().background == 5 * Millisecond);
  never.add(kept, compile(10, 30), false);
  CHECK(never.advice().background == 30 * Millisecond);
  never.measured.compile = CompileWhen::Background;
  CHECK(never.advice().background == 0);
}

TEST_CASE("a pipeline that another thread makes delays no frame") {
  Example example;
  example.add(pipeline(10), compile(10, 30), false);
  example.frame.work[0].isInTheWay = false;
  example.frame.dovetailNanoseconds = 0;
  CHECK(example.sentences().empty());
}

TEST_CASE("first code is compared with LLVM's of the same part") {
  Example first, llvm, off;
  first.add(pipeline(-500), compile(10, 2, DOVETAIL_TIER_FIRST_CODE));
  first.measured.compiles.push_back(compile(50, 40)); // later, in the background
  CHECK(has(first.sentences(),
            "First code has saved 38.0 ms: for 1 part, it took 2.0 ms and LLVM took 40.0 ms in the background."));
  // The background makes LLVM's code, so it needs 40 ms.
  CHECK(first.advice().background == 2 * Millisecond);

  llvm.add(pipeline(-500), compile(10, 40));
  llvm.measured.compiles.push_back(compile(60, 3, DOVETAIL_TIER_FIRST_CODE));
  CHECK(llvm.sentences()[2] ==
        "First code would have saved 37.0 ms: for 1 part, LLVM took 40.0 ms and first code 3.0 ms.");

  off.add(pipeline(-500), compile(10, 40));
  off.measured.firstTier = DOVETAIL_TIER_LLVM;
  CHECK(has(off.sentences(), "First code is turned off, so its time is not known for 1 part that took LLVM 40.0 ms."));
}

TEST_CASE("two parts of one shader are not compared with each other") {
  Example example;
  example.add(pipeline(-500), compile(10, 2, DOVETAIL_TIER_FIRST_CODE));
  for (uint64_t part : {1, 2}) {
    Compile other = compile(50, 40, DOVETAIL_TIER_LLVM, part);
    other.shaders = "frag-2.1";
    example.measured.compiles.push_back(other);
  }
  CHECK(example.advice().firstCode.parts == 0);
}

TEST_CASE("first code's refusals are told with their reason") {
  Example example;
  Compile refused = compile(10, 30);
  refused.refusal = "a loop without an end";
  example.add(pipeline(-500), refused);
  CHECK(has(example.sentences(), "First code refused 1 part: a loop without an end."));
}

TEST_CASE("a draw that waits for another thread's compile of its part would have been spared by a store") {
  Example example;
  FrameWork waiting = {
      .pipeline = pipeline(-5), .start = FrameStart + 20 * Millisecond, .nanoseconds = 15 * Millisecond};
  waiting.bind.waited = 1;
  example.frame.work.push_back(waiting);
  example.frame.dovetailNanoseconds = 15 * Millisecond;
  example.measured.compiles = {compile(10, 20), compile(12, 100)};
  example.measured.compiles[1].shaders = "frag-3"; // another pipeline's
  const Advice advice = example.advice();
  CHECK(advice.waited == 10 * Millisecond);
  CHECK(advice.store == 10 * Millisecond - Measured::StatedRead);
  CHECK(
      has(example.sentences(),
          "A store of an earlier run, or an archive, would have saved 10.0 ms of 15.0 ms: other threads' compiles were "
          "waited for 10.0 ms; to read one takes 22 us (a stated time: this run read none)."));
}

TEST_CASE("threads that compile at the same time would not have saved more than the frame's time") {
  Example example;
  example.add(pipeline(-500), compile(10, 30));
  example.add(pipeline(-500), compile(10, 30, DOVETAIL_TIER_LLVM, 2));
  example.frame.dovetailNanoseconds = 30 * Millisecond;
  CHECK(example.advice().store == 30 * Millisecond);
  CHECK(example.advice().background == 30 * Millisecond);
}

TEST_CASE("parts that one call compiles on two threads delay it once") {
  Example example;
  example.frame.work.push_back({.pipeline = pipeline(-500),
                                .start = FrameStart + 10 * Millisecond,
                                .nanoseconds = 30 * Millisecond,
                                .compiles = {compile(10, 30), compile(15, 20, DOVETAIL_TIER_LLVM, 2)}});
  example.add(pipeline(-500, "vert-1 frag-3"), compile(60, 10, DOVETAIL_TIER_LLVM, 3));
  example.frame.dovetailNanoseconds = 40 * Millisecond;
  CHECK(example.advice().own.nanoseconds == 60 * Millisecond);
  CHECK(example.advice().store == 40 * Millisecond - 3 * Measured::StatedRead);
  CHECK(example.advice().background == 40 * Millisecond);
}

TEST_CASE("a call takes the compiles of its own thread and of threads that it started, once") {
  Compiles compiles;
  const std::shared_ptr<PipelineFacts> mine = pipeline(0), other = pipeline(0, "vert-1 frag-9");
  const auto note = [&](const char *shaders, uint32_t purpose, uint64_t end) {
    dovetail_compile_event event = {};
    event.shaders = shaders;
    event.first_code_refusal = "";
    event.purpose = purpose;
    event.microseconds = 10;
    compiles.note(event, end);
  };
  note("frag-2.a", DOVETAIL_COMPILE_FOR_CALLER, 50000); // before the call
  note("vert-1.a", DOVETAIL_COMPILE_FOR_CALLER, 110000);
  note("frag-2.a", DOVETAIL_COMPILE_FOR_BACKGROUND, 115000);
  std::thread([&] { note("frag-2.a", DOVETAIL_COMPILE_FOR_CALLER, 120000); }).join();
  std::thread([&] { note("frag-9.a", DOVETAIL_COMPILE_FOR_CALLER, 121000); }).join();
  const std::vector<Compile> taken = compiles.take(100000, *mine);
  REQUIRE(taken.size() == 2);
  CHECK(taken[0].shaders == "vert-1.a");
  CHECK(taken[1].shaders == "frag-2.a");
  CHECK(taken[1].start == 110000);
  CHECK(compiles.take(100000, *mine).empty());
  CHECK(compiles.take(100000, *other).size() == 1);
  CHECK(compiles.latest().size() == 5);
  CHECK(compiles.sums()[DOVETAIL_COMPILE_FOR_CALLER].count == 4);
}

TEST_CASE("times are told in units of their size") {
  CHECK(timeText(35000) == "35 us");
  CHECK(timeText(1250000) == "1.2 ms");
  CHECK(timeText(2500 * Millisecond) == "2.50 s");
}
