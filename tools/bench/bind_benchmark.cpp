// SPDX-License-Identifier: MIT
//
// Measures binds. One device has 100,000 variants, of 500 programs under 200 states (bind_scenery.h); two others have
// 1,000 and 1,000,000. New variants are joined from known parts. The store benchmarks open a store with 100,000 parts
// and look up a part for the first time. A plain run prints the medians of several repetitions; --scale prints how
// binds behave up to a million variants (scale.h).
#include "parts/store/part_store.h"
#include "tools/bench/bind_scenery.h"
#include "tools/bench/many_states.h"
#include "tools/bench/scale.h"
#include "tools/common/inputs/read_shaders.h"
#include "variants/bind/binder.h"
#include "variants/bind/cell_memory.h"
#include "variants/bind/device_core.h"
#include "variants/c_api/convert/plain_state.h"
#include "variants/c_api/convert/state_fields.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <filesystem>
#include <limits>
#include <malloc.h>
#include <map>
#include <mutex>
#include <numeric>
#include <random>
#include <unistd.h>

using namespace dovetail;

namespace {

// The programs and states that make so many variants.
struct Counts {
  uint32_t programs, states;
};
constexpr int64_t Variants = 100'000;
Counts countsFor(int64_t variants) {
  return variants == 1000 ? Counts{50, 20} : variants == Variants ? Counts{500, 200} : Counts{1000, 1000};
}

const BindScenery &scenery(int64_t variants = Variants) {
  static std::map<int64_t, BindScenery> instances;
  static std::mutex mutex;
  std::scoped_lock lock(mutex);
  auto place = instances.find(variants);
  if (place != instances.end())
    return place->second;
  const auto [programs, states] = countsFor(variants);
  return instances.emplace(variants, std::move(*makeBindScenery(programs, states))).first->second;
}

void bindUnchanged(benchmark::State &state) {
  Binder binder(*scenery().device);
  const ProgramRef &program = scenery().programs[0];
  const StateRef &bound = scenery().states[0];
  for (auto _ : state)
    benchmark::DoNotOptimize(*binder.bind(program, bound));
}

void bindUnchangedFields(benchmark::State &state) {
  Binder binder(*scenery().device);
  const ProgramRef &program = scenery().programs[0];
  const PipelineState fields = scenery().states[0]->fields;
  for (auto _ : state)
    benchmark::DoNotOptimize(*binder.bind(program, fields));
}

// Binds as a C driver without state objects does.
void bindUnchangedPlain(benchmark::State &state) {
  Binder binder(*scenery().device);
  const ProgramRef &program = scenery().programs[0];
  const PipelineState &fields = scenery().states[0]->fields;
  const std::vector<dovetail_vertex_binding> bindings = c_api::toVertexBindings(fields);
  const std::vector<dovetail_vertex_attribute> attributes = c_api::toVertexAttributes(fields);
  const dovetail_pipeline_state given = c_api::fromPipelineState(fields, bindings, attributes);
  c_api::PlainState plain;
  for (auto _ : state)
    benchmark::DoNotOptimize(*binder.bind(program, **plain.read(&given, "given")));
}

// Binds all variants in random order; each thread begins elsewhere.
void bindKnown(benchmark::State &state) {
  const BindScenery &all = scenery(state.range(0));
  Binder binder(*all.device);
  size_t index = size_t(state.thread_index()) * (all.order.size() / 8);
  for (auto _ : state) {
    const BindScenery::Pair &pair = all.order[index];
    index = index + 1 == all.order.size() ? 0 : index + 1;
    auto variant = binder.bind(all.programs[pair.program], all.states[pair.state]);
    if (!variant) {
      state.SkipWithError(variant.error().text.c_str());
      return;
    }
    benchmark::DoNotOptimize(*variant);
  }
}

// bindKnown() for a driver that knows its next bind, as one that goes through a list of draws.
void bindKnownPrefetched(benchmark::State &state) {
  const BindScenery &all = scenery(state.range(0));
  Binder binder(*all.device);
  size_t index = 0;
  for (auto _ : state) {
    const BindScenery::Pair &pair = all.order[index];
    index = index + 1 == all.order.size() ? 0 : index + 1;
    const BindScenery::Pair &next = all.order[index];
    binder.prefetch(all.programs[next.program], all.states[next.state]);
    benchmark::DoNotOptimize(*binder.bind(all.programs[pair.program], all.states[pair.state]));
  }
}

// Binds as many variants as a frame has, over and over.
void bindKnownOfFrame(benchmark::State &state) {
  const BindScenery &all = scenery();
  Binder binder(*all.device);
  size_t index = 0;
  for (auto _ : state) {
    const BindScenery::Pair &pair = all.order[index];
    index = (index + 1) % 256;
    benchmark::DoNotOptimize(*binder.bind(all.programs[pair.program], all.states[pair.state]));
  }
}

// Each bind changes the state, so each hashes it.
void bindKnownFields(benchmark::State &state) {
  const BindScenery &all = scenery();
  Binder binder(*all.device);
  size_t index = 0;
  for (auto _ : state) {
    const BindScenery::Pair &pair = all.order[index];
    index = index + 1 == all.order.size() ? 0 : index + 1;
    benchmark::DoNotOptimize(*binder.bind(all.programs[pair.program], all.states[pair.state]->fields));
  }
}

// bindKnownFields() from C.
void bindKnownPlain(benchmark::State &state) {
  const BindScenery &all = scenery();
  Binder binder(*all.device);
  struct Given {
    std::vector<dovetail_vertex_binding> bindings;
    std::vector<dovetail_vertex_attribute> attributes;
    dovetail_pipeline_state fields;
  };
  std::vector<Given> given;
  for (const StateRef &each : all.states) {
    Given &made =
        given.emplace_back(Given{c_api::toVertexBindings(each->fields), c_api::toVertexAttributes(each->fields), {}});
    made.fields = c_api::fromPipelineState(each->fields, made.bindings, made.attributes);
  }
  c_api::PlainState plain;
  size_t index = 0;
  for (auto _ : state) {
    const BindScenery::Pair &pair = all.order[index];
    index = index + 1 == all.order.size() ? 0 : index + 1;
    benchmark::DoNotOptimize(
        *binder.bind(all.programs[pair.program], **plain.read(&given[pair.state].fields, "given")));
  }
}

// The cost of the loop over the pairs without a bind: cache misses of programs and states.
void readPairs(benchmark::State &state) {
  const BindScenery &all = scenery(state.range(0));
  size_t index = 0;
  for (auto _ : state) {
    const BindScenery::Pair &pair = all.order[index];
    index = index + 1 == all.order.size() ? 0 : index + 1;
    benchmark::DoNotOptimize(all.programs[pair.program]->hash.low + all.states[pair.state]->hash.low);
  }
}

// How long memory takes to bring one cache line, where each load waits for the load before. Compare it with a known
// bind whose cell is in no cache. The array has as many lines as the bind table of a million variants.
void lineFromMemory(benchmark::State &state) {
  struct alignas(CacheLineBytes) Line {
    uint32_t next;
  };
  constexpr uint32_t Count = 1 << 19;
  CellMemory memory;
  const std::shared_ptr<void> bytes = memory.allocate(Count * sizeof(Line));
  Line *lines = new (bytes.get()) Line[Count];
  std::vector<uint32_t> order(Count);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, std::mt19937(1));
  for (uint32_t i = 0; i < Count; ++i)
    lines[order[i]].next = order[(i + 1) % Count];
  uint32_t at = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(at = lines[at].next);
}

// A program of PATH.vert and PATH.frag.
Result<ProgramRef> pairOfFiles(Device &device, const std::string &path) {
  return device.createProgram(DOVETAIL_TRY(readShaders({path + ".vert", path + ".frag"})));
}

// Each bind meets a pair of vertex input and colour output that its program never had. The device has bound the vertex
// input before, and the colour output before, but in other pairs.
void bindNew(benchmark::State &state, const char *path) {
  constexpr uint32_t Side = 100;
  DeviceOptions options;
  options.gpuName = "gfx900";
  options.firstTier = CodeTier::Llvm;
  options.memoryBudget = uint64_t(1) << 40;
  auto device = std::move(*Device::create(std::move(options)));
  Result<ProgramRef> program = pairOfFiles(*device, path);
  if (!program) {
    state.SkipWithError(program.error().text.c_str());
    return;
  }
  const PipelineState base = defaultState((*program)->set);
  std::vector<StateRef> known, fresh;
  for (uint32_t vertexInput = 0; vertexInput < Side; ++vertexInput)
    for (uint32_t colorOutput = 0; colorOutput < Side; ++colorOutput)
      (vertexInput == colorOutput ? known : fresh).push_back(makeState(makeManyState(base, vertexInput, colorOutput)));
  std::ranges::shuffle(fresh, std::mt19937(1));
  Binder binder(*device);
  for (const StateRef &each : known)
    if (auto bound = binder.bind(*program, each); !bound) {
      state.SkipWithError(bound.error().text.c_str());
      return;
    }
  size_t next = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(*binder.bind(*program, fresh[next++]));
  state.counters["code"] = double((*binder.bind(*program, fresh[0]))->image->code.size());
}

// Each bind is the first of a program whose parts are all known: it makes the state canonical, and finds the parts by
// their keys.
void bindFirst(benchmark::State &state) {
  DeviceOptions options;
  options.gpuName = "gfx900";
  options.firstTier = CodeTier::Llvm;
  options.memoryBudget = uint64_t(1) << 40;
  auto device = std::move(*Device::create(std::move(options)));
  Result<std::vector<ShaderRef>> shaders =
      readShaders({DOVETAIL_BENCH_SHADERS "/phong.vert", DOVETAIL_BENCH_SHADERS "/phong.frag"});
  if (!shaders) {
    state.SkipWithError(shaders.error().text.c_str());
    return;
  }
  Binder binder(*device);
  std::vector<ProgramRef> programs;
  std::vector<StateRef> states;
  for (uint32_t number = 0; number < state.max_iterations; ++number) {
    programs.push_back(*device->createProgram(*shaders));
    states.push_back(
        makeState(makeManyState(defaultState(programs[0]->set), number % 100, (number + number / 100 + 1) % 100)));
  }
  // Makes the parts: in other pairs of vertex input and colour output than the binds that are measured.
  const ProgramRef maker = *device->createProgram(*shaders);
  for (uint32_t side = 0; side < 100; ++side)
    (void)binder.bind(maker, makeState(makeManyState(defaultState(maker->set), side, side)));
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(*binder.bind(programs[next], states[next]));
    ++next;
  }
}

// Programs of the same code that share no part.
Result<std::vector<ProgramRef>> copiesOf(const std::vector<std::string> &files, Device &device, size_t count) {
  const std::vector<ShaderRef> shaders = DOVETAIL_TRY(readShaders(files));
  std::vector<ProgramRef> programs;
  for (uint32_t number = 0; number < count; ++number) {
    std::vector<ShaderRef> own;
    for (const ShaderRef &shader : shaders) {
      auto copy = std::make_shared<Shader>(*shader);
      copy->description.deviceIndex = number; // makes it another shader; nobody reads the index
      copy->hash = hashDescription(copy->description, copy->wordsHash);
      own.push_back(std::move(copy));
    }
    programs.push_back(DOVETAIL_TRY(device.createProgram(own)));
  }
  return programs;
}

// Each bind is the first of an unknown program and hands it to the background threads, which compile meanwhile. The
// counters tell in seconds how long these binds took: a draw stalls at most that long.
void bindNeverCompiles(benchmark::State &state) {
  constexpr size_t Programs = 1000;
  DeviceOptions options;
  options.gpuName = "gfx900";
  options.firstTier = CodeTier::Llvm;
  options.policy = OptimizationPolicy::Hot;
  options.background.maxQueued = Programs;
  auto device = std::move(*Device::create(std::move(options)));
  Result<std::vector<ProgramRef>> programs =
      copiesOf({DOVETAIL_BENCH_SHADERS "/phong.vert", DOVETAIL_BENCH_SHADERS "/phong.frag"}, *device, Programs);
  if (!programs) {
    state.SkipWithError(programs.error().text.c_str());
    return;
  }
  const StateRef bound = makeState(defaultState((*programs)[0]->set));
  const BindOptions neverCompiles = {.neverCompiles = true};
  Binder binder(*device);
  std::vector<double> seconds;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    const bool isReady = binder.bind((*programs)[seconds.size()], bound, {}, neverCompiles).has_value();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (isReady) {
      state.SkipWithError("there was a variant already");
      return;
    }
  }
  std::ranges::sort(seconds);
  state.counters["median"] = seconds[seconds.size() / 2];
  state.counters["p99"] = seconds[seconds.size() * 99 / 100];
  state.counters["longest"] = seconds.back();
}

// Programs are bound with first code while the background changes them over. The counters tell in seconds how long the
// binds took that found another variant than the last time, and how long first binds of a state took that joined a
// known program's first code.
void bindChangedOver(benchmark::State &state) {
  constexpr size_t Programs = 100, States = 10;
  DeviceOptions options;
  options.gpuName = "gfx900";
  auto device = std::move(*Device::create(std::move(options)));
  Result<std::vector<ProgramRef>> programs =
      copiesOf({DOVETAIL_BENCH_SHADERS "/textured.vert", DOVETAIL_BENCH_SHADERS "/textured.frag"}, *device, Programs);
  if (!programs) {
    state.SkipWithError(programs.error().text.c_str());
    return;
  }
  std::vector<StateRef> states;
  for (uint32_t number = 0; number < States; ++number)
    states.push_back(makeState(makeManyState(defaultState((*programs)[0]->set), number, number)));
  Binder binder(*device);
  std::vector<const Variant *> last(Programs * States);
  std::vector<double> changed, joined;
  auto bind = [&](size_t program, size_t number, std::vector<double> &times) {
    const auto start = std::chrono::steady_clock::now();
    const Variant *variant = *binder.bind((*programs)[program], states[number]);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (std::exchange(last[program * States + number], variant) != variant)
      times.push_back(seconds);
  };
  std::vector<double> compiled;
  for (auto _ : state) {
    for (size_t program = 0; program < Programs; ++program)
      for (size_t number = 0; number < States; ++number)
        bind(program, number, number == 0 ? compiled : joined);
    while (changed.size() < Programs * States)
      for (size_t program = 0; program < Programs; ++program)
        for (size_t number = 0; number < States; ++number)
          bind(program, number, changed);
  }
  for (auto &[name, times] : {std::pair("changed", &changed), {"joined", &joined}, {"compiled", &compiled}}) {
    std::ranges::sort(*times);
    state.counters[std::string(name) + ".median"] = (*times)[times->size() / 2];
    state.counters[std::string(name) + ".p99"] = (*times)[times->size() * 99 / 100];
    state.counters[std::string(name) + ".longest"] = times->back();
  }
}

// A full device, as builds leave it. Each iteration puts one more variant into its tables, and every now and then an
// insertion evicts. The counter is the time of the worst iteration: a draw can stall that long.
void buildBeyondBudget(benchmark::State &state) {
  constexpr size_t CodeBytes = 1000;
  const uint64_t held = uint64_t(state.range(0));
  DeviceOptions options;
  options.gpuName = "gfx900";
  auto make = [&](uint64_t number) -> VariantRef {
    auto variant = makeWithRoom<VariantInRoom>(bytesOfArrays(CodeBytes, 0, 0, 0));
    variant->key.hash = Hasher().add(number).finish();
    variant->held.image.code.resize(CodeBytes, 0);
    return variant;
  };
  options.memoryBudget = held * (memoryBytes(make(0).get()) + 2 * BindTable::BytesOfSlot);
  auto device = std::move(*Device::create(std::move(options)));
  VariantTables &tables = device->core().tables();
  MemoryBudget &budget = device->core().budget();
  auto insert = [&](const VariantRef &variant) {
    (void)tables.getOrMake(variant->key, [&] { return Result<VariantRef>(variant); });
    tables.fillSlot(variant->key.hash, variant, 0);
  };
  uint64_t number = 0;
  for (; number < 2 * held; ++number) {
    insert(make(number));
    budget.enforce();
  }
  double longest = 0;
  for (auto _ : state) {
    auto start = std::chrono::steady_clock::now();
    insert(make(number++));
    budget.enforce();
    longest = std::max(longest, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  state.counters["longest"] = longest;
  state.counters["held"] = double(device->statistics().variants);
}

// A folder with a store of parts; the destructor removes it.
class StoreFolder {
public:
  StoreFolder(uint64_t parts, size_t codeBytes)
      : path(std::filesystem::temp_directory_path() /
             ("bind-benchmark-" + std::to_string(getpid()) + "-" + std::to_string(codeBytes))) {
    auto store = PartStore::open({.path = path});
    if (!store)
      return;
    for (uint64_t number = 0; number < parts; ++number) {
      auto part = std::make_shared<Part>();
      part->key = keyOf(number);
      part->description = "attr0 R32G32B32_SFLOAT.xyz binding 0 +12";
      part->code.assign(codeBytes, uint8_t(number));
      (*store)->put(part);
      if (number % 256 == 255)
        (*store)->flush(); // limits how much waits to be written
    }
    (*store)->flush();
    hasAll = (*store)->statistics().entries == parts;
  }
  ~StoreFolder() { std::filesystem::remove_all(path); }

  static PartKey keyOf(uint64_t number) { return {PartKind::VertexProlog, Hasher().add(number).finish()}; }

  const std::filesystem::path path;
  bool hasAll = false;
};

void openStoreAndHit(benchmark::State &state) {
  static const StoreFolder folder(Variants, 500);
  if (!folder.hasAll) {
    state.SkipWithError("the store does not hold all parts");
    return;
  }
  uint64_t number = 0;
  for (auto _ : state) {
    auto store = PartStore::open({.path = folder.path});
    PartRef part = store ? (*store)->find(StoreFolder::keyOf(number = (number + 7919) % Variants)) : nullptr;
    if (!part) {
      state.SkipWithError("not found");
      return;
    }
    benchmark::DoNotOptimize(part);
    state.PauseTiming(); // closing the store writes the hit to disk
    store->reset();
    state.ResumeTiming();
  }
}

// A hit in an open store: look-up, checksum, decoding, and the copy of the part's code.
void findStored(benchmark::State &state) {
  constexpr uint64_t Parts = 1000;
  const StoreFolder folder(Parts, size_t(state.range(0)));
  auto store = PartStore::open({.path = folder.path, .readOnly = true});
  if (!folder.hasAll || !store) {
    state.SkipWithError("the store does not hold all parts");
    return;
  }
  uint64_t number = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize((*store)->find(StoreFolder::keyOf(number = (number + 379) % Parts)));
}

} // namespace

#define MEDIANS ->Repetitions(9)->ReportAggregatesOnly()->MinTime(0.1)
BENCHMARK(bindUnchanged) MEDIANS;
BENCHMARK(bindUnchangedFields) MEDIANS;
BENCHMARK(bindUnchangedPlain) MEDIANS;
BENCHMARK(readPairs)->Arg(1000)->Arg(Variants)->Arg(1'000'000) MEDIANS;
BENCHMARK(lineFromMemory) MEDIANS;
BENCHMARK(bindKnownOfFrame) MEDIANS;
BENCHMARK(bindKnown)->ArgsProduct({{1000, Variants, 1'000'000}})->DenseThreadRange(1, 4) MEDIANS;
BENCHMARK(bindKnownPrefetched)->Arg(1000)->Arg(Variants)->Arg(1'000'000) MEDIANS;
BENCHMARK(bindKnownFields) MEDIANS;
BENCHMARK(bindKnownPlain) MEDIANS;
BENCHMARK_CAPTURE(bindNew, textured, DOVETAIL_BENCH_SHADERS "/textured")
    ->Iterations(9'900)
    ->Repetitions(9)
    ->ReportAggregatesOnly();
BENCHMARK_CAPTURE(bindNew, phong, DOVETAIL_BENCH_SHADERS "/phong")
    ->Iterations(9'900)
    ->Repetitions(9)
    ->ReportAggregatesOnly();
BENCHMARK_CAPTURE(bindNew, pbr, DOVETAIL_OWN_SHADERS "/pbr")->Iterations(9'900)->Repetitions(9)->ReportAggregatesOnly();
BENCHMARK(bindFirst)->Iterations(5'000)->Repetitions(9)->ReportAggregatesOnly();
BENCHMARK(bindNeverCompiles)->Iterations(1000)->Repetitions(5)->ReportAggregatesOnly();
BENCHMARK(bindChangedOver)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(buildBeyondBudget)
    ->Arg(1000)
    ->Arg(10'000)
    ->Arg(50'000)
    ->Iterations(20'000)
    ->Repetitions(5)
    ->ReportAggregatesOnly();
BENCHMARK(findStored)->Arg(1000)->Arg(9000) MEDIANS;
BENCHMARK(openStoreAndHit)
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime()
    ->Iterations(20)
    ->Repetitions(9)
    ->ReportAggregatesOnly();

int main(int argc, char **argv) {
  CLI::App app(
      "Measures binds and the part store. Other options are those of Google Benchmark (--benchmark_filter=…).");
  bool isScale = false;
  uint64_t variants = 1'000'000;
  ScaleOutputs outputs;
  app.add_flag("--scale", isScale, "Instead, how binds behave up to very many variants. " + std::string(ScaleFields));
  app.add_option("--variants", variants, "How many variants --scale makes")->capture_default_str();
  app.add_option("--json", outputs.json, "Where --scale writes its figures as JSON");
  app.add_option("--html", outputs.html, "Where --scale writes its figures as charts, for a browser");
  app.allow_extras();
  CLI11_PARSE(app, argc, argv);
  if (isScale) {
    Result<void> outcome = runScale(variants, outputs);
    if (!outcome)
      fmt::print(stderr, "bind-benchmark: {}\n", outcome.error().text);
    return outcome ? 0 : 1;
  }
  // The next repetition reuses freed memory, so page faults count once; --scale counts them apart.
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
