// SPDX-License-Identifier: MIT
#include "parts/cache/part_maker.h"
#include "parts/cache/part_tally.h"
#include "parts/cache/prologs_and_epilogs.h"
#include "parts/compile/compiler_pool.h"
#include "parts/compile/key_bytes.h"
#include "parts/kinds/around/surrounding_keys.h"
#include "parts/kinds/first_part.h"
#include "parts/kinds/geometry_copy.h"
#include "parts/kinds/monolithic.h"
#include "parts/kinds/null_fragment.h"
#include "src/base/compile_phases.h"
#include "src/base/field_words.h"
#include "src/lgc/builder_context.h"
#include <algorithm>
#include <chrono>

namespace dovetail {

class PartMaker::Stopwatch {
public:
  double microseconds() const {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - m_start).count();
  }

private:
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

namespace {

// The CPU time of consecutive phases.
double sumOf(const PhaseTimes &times, CompilePhase first, CompilePhase last) {
  double sum = 0;
  for (size_t phase = size_t(first); phase <= size_t(last); ++phase)
    sum += times[phase];
  return sum;
}

// Adds the part that could not be made to an Error's text.
template <typename Key> Result<Part> naming(const Key &key, Result<Part> part) {
  if (!part)
    return makeError(part.error().code, "{} ({}): {}", toString(key.partKey().kind), fieldWords(key),
                     part.error().text);
  return part;
}

// Shaders have names, which are not in keys. The names go into Errors and into the descriptions of parts.
Result<Part> named(Result<Part> part, std::string_view names, std::string description) {
  if (!part)
    return makeError(part.error().code, "{}: {}", names, part.error().text);
  part->description = std::move(description);
  return part;
}

} // namespace

// Measures the CPU time of a compile on this thread.
class PartMaker::CompileClock {
public:
  void stop(CompileEvent &event) const {
    PhaseTimes times = threadPhaseTimes();
    for (size_t phase = 0; phase < CompilePhaseCount; ++phase)
      times[phase] -= m_before[phase];
    event.frontMicroseconds = sumOf(times, CompilePhase::Translate, CompilePhase::Replay);
    event.optimizeMicroseconds = sumOf(times, CompilePhase::Optimize, CompilePhase::Lower);
    event.codegenMicroseconds = sumOf(times, CompilePhase::Prepare, CompilePhase::Check);
  }

private:
  PhaseTimes m_before = threadPhaseTimes();
};

PartMaker::PartMaker(std::unique_ptr<CompilerPool> compilers, std::shared_ptr<PartStore> store, DriverCache driverCache)
    : m_compilers(std::move(compilers)),
      m_cache(std::move(store), std::string(m_compilers->target().gpuName), std::move(driverCache)) {}

PartMaker::~PartMaker() = default;

std::string_view PartMaker::gpuName() const {
  return m_compilers->target().gpuName;
}

const TargetInfo &PartMaker::target() const {
  return m_compilers->target();
}

Result<std::unique_ptr<PartMaker>> PartMaker::create(std::string_view gpuName, std::shared_ptr<PartStore> store,
                                                     DriverCache driverCache) {
  std::unique_ptr<CompilerPool> compilers = DOVETAIL_TRY(CompilerPool::create(gpuName));
  return std::unique_ptr<PartMaker>(new PartMaker(std::move(compilers), std::move(store), std::move(driverCache)));
}

void PartMaker::setObserver(lgc::StepObserver observer, std::span<const std::string> dialects) {
  m_compilers->setObserver(std::move(observer), dialects);
}

lgc::CompileCounts PartMaker::compileCounts() const {
  return m_compilers->counts();
}

FirstCodeCounts PartMaker::firstCodeCounts() const {
  std::scoped_lock lock(m_firstCodeMutex);
  return m_firstCode;
}

struct PartMaker::CompiledShaders {
  std::string_view names;
  Hash128 words;
};

struct PartMaker::CompileStart {
  Stopwatch stopwatch;
  CompileClock clock;
  std::string refusal; // first code's, which led to this compile
};

// `make`: Result<Part>(). `begun`: when the compile began that `make` only finishes.
template <typename Make>
Result<MadePart> PartMaker::lookUpOrMake(const PartKey &key, const CompiledShaders &shaders, const Make &make,
                                         PartReach reach, const CompileStart *begun) {
  const Stopwatch stopwatch = begun ? begun->stopwatch : Stopwatch();
  const bool isObserved = m_onCompile && makingOf(key.kind) == PartMaking::Compiled;
  std::optional<CompileEvent> event; // of the compile that this call makes
  std::optional<Error> failure;
  PartRef made;
  Result<PartLookup> lookup = m_cache.getOrMake(
      key,
      [&]() -> Result<PartRef> {
        std::optional<CompileClock> clock;
        double before = 0;
        if (isObserved) {
          clock = begun ? begun->clock : CompileClock();
          before = begun ? 0 : stopwatch.microseconds();
        }
        Result<Part> part = make();
        const bool isCancelled = !part && part.error().code == ErrorCode::Cancelled;
        if (clock && !isCancelled) {
          clock->stop(event.emplace(CompileEvent{key, shaders.names, shaders.words, compilePurpose}));
          event->tier = reach == PartReach::CacheOnly ? CodeTier::FirstCode : CodeTier::Llvm;
          event->refusal = begun ? std::string_view(begun->refusal) : std::string_view();
          event->microseconds = stopwatch.microseconds() - before;
        }
        if (!part) {
          failure = part.error();
          return tl::unexpected(std::move(part.error()));
        }
        part->buildMicroseconds = stopwatch.microseconds();
        return made = std::make_shared<const Part>(std::move(*part));
      },
      reach);
  // Beyond this point, nobody waits for this compile.

  if (event) {
    event->part = made.get();
    event->error = failure ? &*failure : nullptr;
    m_onCompile(*event);
  }
  if (!lookup)
    return tl::unexpected(std::move(lookup.error()));
  return MadePart{std::move(lookup->part), lookup->made, lookup->stored, stopwatch.microseconds()};
}

// `make`: Result<Part>(lgc::BuilderContext &).
template <typename Make>
Result<MadePart> PartMaker::get(const PartKey &key, const CompiledShaders &shaders, const Make &make) {
  return lookUpOrMake(key, shaders, [&]() -> Result<Part> {
    CompilerPool::Lease compiler = DOVETAIL_TRY(m_compilers->lease());
    return make(*compiler);
  });
}

template <typename Key>
Result<MadePart> PartMaker::getFromKey(const Key &key, Result<Part> (*make)(const Key &, lgc::BuilderContext &)) {
  return get(key.partKey(), {}, [&](lgc::BuilderContext &context) { return naming(key, make(key, context)); });
}

template <typename Key> Result<MadePart> PartMaker::getEitherWay(const Key &key) {
  const KeyBytes bytes(key);
  const PartKey partKey = {Key::Kind, bytes.hash()};
  auto withKey = [&](Result<Part> part) {
    if (!part)
      return naming(key, std::move(part));
    part->key = partKey;
    part->keyFields = bytes.encoding();
    return part;
  };
  if (m_compilesAll)
    return get(partKey, {}, [&](lgc::BuilderContext &context) { return withKey(compilePart(key, context)); });
  return lookUpOrMake(partKey, {}, [&] { return withKey(encodePart(key, target())); });
}

namespace {

ShaderSource ofLlvm(ShaderSource source) {
  source.key.tier = CodeTier::Llvm;
  return source;
}

} // namespace

Result<MadePart> PartMaker::getMainPart(const ShaderSource &source) {
  const MainPartKey &key = source.key;
  if (key.tier == CodeTier::Llvm)
    return getLlvmMain(source);
  const bool isPlain = key.knowledge == StageKnowledge() && key.isJoinable();
  return isPlain ? getFirstCode(source) : getLlvmMain(ofLlvm(source));
}

PartRef PartMaker::findMainPart(const MainPartKey &key) const {
  if (key.tier == CodeTier::Llvm)
    return m_cache.find(key.partKey());
  MainPartKey llvms = key;
  llvms.tier = CodeTier::Llvm;
  PartRef part = m_cache.find(llvms.partKey());
  return part ? part : m_cache.find(key.partKey());
}

// Threads that want first code of one shader at the same time wait for one of them. If that thread comes to LLVM's
// part, it ends with Cancelled, and LLVM's part is in the cache when the others wake up.
Result<MadePart> PartMaker::getFirstCode(const ShaderSource &source) {
  const Stopwatch stopwatch;
  CompileStart begun;
  const ShaderSource llvms = ofLlvm(source);
  const CompiledShaders shaders = {source.name, source.key.words};
  const PartKey key = llvms.key.partKey();
  if (PartRef known = m_cache.find(key))
    return MadePart{.part = std::move(known), .microseconds = stopwatch.microseconds()};

  std::optional<Result<MadePart>> other; // LLVM's part, if this thread comes to it
  auto make = [&]() -> Result<Part> {
    const auto end = [&](Result<MadePart> part) {
      other = std::move(part);
      return makeError(ErrorCode::Cancelled, "LLVM's part takes the place of first code");
    };
    if (PartLookup stored = m_cache.lookUp(key); stored.part)
      return end(MadePart{std::move(stored.part), false, stored.stored});
    begun = {};
    CompilerPool::Lease compiler = DOVETAIL_TRY(m_compilers->lease());
    MainForFirstCode lowered = DOVETAIL_TRY(lowerForFirstCode(source.key, source.words, *compiler));
    std::variant<Part, first::Refusal> part = first::Refusal{lowered.refusal};
    const bool isLlvms = !lowered.refusal.empty();
    if (!isLlvms) {
      DOVETAIL_CHECK(compiler->finishMiddleEnd(lowered.shader));
      lowered.shader.reached = lgc::Step::FinishEntryPoint;
      part = DOVETAIL_TRY(makeFirstPart(source.key, lowered.shader));
    }
    const auto *refusal = std::get_if<first::Refusal>(&part);
    {
      std::scoped_lock lock(m_firstCodeMutex);
      if (refusal)
        m_firstCode.refuse(refusal->reason);
      else
        ++m_firstCode.made;
    }
    if (!refusal)
      return std::get<Part>(std::move(part));
    auto makeLlvms = [&] {
      return isLlvms ? makeMainPart(llvms.key, std::move(lowered.shader), *compiler) : makeMain(llvms, *compiler);
    };
    auto goOn = [&] { return named(makeLlvms(), llvms.name, describe(llvms.key, llvms.name)); };
    begun.refusal = refusal->reason;
    return end(lookUpOrMake(key, shaders, goOn, PartReach::Everywhere, &begun));
  };
  Result<MadePart> first = lookUpOrMake(
      source.key.partKey(), shaders, [&] { return named(make(), source.name, describe(source.key, source.name)); },
      PartReach::CacheOnly);
  if (!first && first.error().code == ErrorCode::Cancelled)
    first = other ? std::move(*other) : getLlvmMain(llvms);
  if (first)
    first->microseconds = stopwatch.microseconds();
  return first;
}

Result<MadePart> PartMaker::getLlvmMain(const ShaderSource &source) {
  return get(source.key.partKey(), {source.name, source.key.words}, [&](lgc::BuilderContext &context) {
    return named(makeMain(source, context), source.name, describe(source.key, source.name));
  });
}

Result<PartRef> PartMaker::getInterface(const ShaderSource &source) {
  if (PartRef known = findMainPart(source.key))
    return known;
  CompilerPool::Lease compiler = DOVETAIL_TRY(m_compilers->lease());
  auto lower = [&]() -> Result<Part> {
    return makeMainPartWithoutCode(source.key, DOVETAIL_TRY(lowerShader(source.key, source.words, *compiler)));
  };
  return std::make_shared<const Part>(DOVETAIL_TRY(named(lower(), source.name, describe(source.key, source.name))));
}

// Two pipelines may tell a shader different facts although the shader makes the same use of them. The code then exists
// already, but only the lowered function shows that: under the key of the shader that is told nothing, or in the index.
Result<Part> PartMaker::makeMain(const ShaderSource &source, lgc::BuilderContext &context) {
  const MainPartKey &key = source.key;
  lgc::HardwareFormShader shader = DOVETAIL_TRY(lowerShader(key, source.words, context));
  if (key.knowledge == StageKnowledge() || !key.isJoinable())
    return makeMainPart(key, std::move(shader), context);

  const Hash128 function = shader.interface.functionHash;
  PartRef same = m_cache.find({key.kind(), function});
  if (std::optional<PartKey> other = same ? std::nullopt : m_functions.find(function))
    same = m_cache.find(*other);
  if (same) {
    Part part = *same;
    setKey(part, key);
    return part;
  }
  Part part = DOVETAIL_TRY(makeMainPart(key, std::move(shader), context));
  m_functions.add(function, part.key);
  return part;
}

Result<MadePart> PartMaker::getAround(PartKind kind, const ShaderInterface &main, const PipelineState &state,
                                      const ShaderInterface *evaluation) {
  auto get = [&]<typename Key>(Result<std::optional<Key>> key) -> Result<MadePart> {
    if (!key)
      return tl::unexpected(std::move(key.error()));
    return *key ? getEitherWay(**key) : MadePart{};
  };
  const Surroundings around = {main, state, target(), evaluation};
  switch (kind) {
#define PART_AROUND(name, ...)                                                                                         \
  case PartKind::name:                                                                                                 \
    return get(name##Key::make(around));
#include "parts/part_kinds.def"
  default:
    return makeError(ErrorCode::Internal, "a {} stands around nothing", toString(kind));
  }
}

Result<MadePart> PartMaker::getGeometryCopy(const ShaderInterface &geometry, const StageKnowledge &knowledge) {
  return getFromKey(makeGeometryCopyKey(geometry, gpuName(), knowledge), makeGeometryCopy);
}

Result<MadePart> PartMaker::getNullFragment() {
  Stopwatch stopwatch;
  const NullFragmentKey key{std::string(gpuName())};
  PartLookup lookup = DOVETAIL_TRY(m_cache.getOrMake(key.partKey(), [&] { return makeNullFragment(key); }));
  return MadePart{lookup.part, lookup.made, lookup.stored, stopwatch.microseconds()};
}

namespace {

// A shader in hardware form and the compiler that it belongs to; it must not outlive the compiler.
struct LoweredShader {
  CompilerPool::Lease compiler;
  lgc::HardwareFormShader shader;
};

} // namespace

// A main part without code is half of the way to the whole part, so the second half of the compile goes on from there.
Result<MadePart> PartMaker::getMonolithic(const ShaderSource &source, const PipelineState &state,
                                          const ShaderInterface *evaluation) {
  Stopwatch stopwatch;
  const CompiledShaders shaders = {source.name, source.key.words};
  std::optional<LoweredShader> lowered;
  auto lowerOnce = [&]() -> Result<void> {
    if (lowered)
      return {};
    CompilerPool::Lease compiler = DOVETAIL_TRY(m_compilers->lease());
    lgc::HardwareFormShader shader = DOVETAIL_TRY(lowerShader(source.key, source.words, *compiler));
    lowered.emplace(std::move(compiler), std::move(shader));
    return {};
  };
  auto makeMain = [&]() -> Result<Part> {
    DOVETAIL_CHECK(lowerOnce());
    return makeMainPartWithoutCode(source.key, lowered->shader);
  };
  auto getMain = [&]() -> Result<MadePart> {
    if (source.key.isJoinable())
      return getMainPart(source);
    return lookUpOrMake(source.key.partKey(), shaders,
                        [&] { return named(makeMain(), source.name, describe(source.key, source.name)); });
  };
  MadePart main = DOVETAIL_TRY(getMain());

  // Beyond this point, the main part's needs of its surroundings are known.
  MonolithicKey key = DOVETAIL_TRY(makeMonolithicKey(source.key, {*main.part->interface, state, target(), evaluation}));
  auto makeWhole = [&]() -> Result<Part> {
    DOVETAIL_CHECK(lowerOnce());
    return makeMonolithicPart(key, std::move(lowered->shader), *lowered->compiler);
  };
  MadePart whole = DOVETAIL_TRY(lookUpOrMake(
      key.partKey(), shaders, [&] { return named(makeWhole(), source.name, describe(key, source.name)); }));
  whole.microseconds = stopwatch.microseconds();
  return whole;
}

Result<MadePart> PartMaker::getMonolithicMerged(HardwareStage stage, const ShaderSource &first,
                                                const ShaderSource &second, const PipelineState &state,
                                                const ShaderInterface *evaluation) {
  Stopwatch stopwatch;
  MonolithicMergedKey key;
  key.stage = stage;
  auto keyOf = [&](const ShaderSource &source) -> Result<MonolithicKey> {
    MadePart main = DOVETAIL_TRY(getMainPart(source));
    return makeMonolithicKey(source.key, {*main.part->interface, state, target(), evaluation});
  };
  key.first = DOVETAIL_TRY(keyOf(first));
  key.second = DOVETAIL_TRY(keyOf(second));
  key.patchControlPoints = second.key.knowledge.patchControlPoints;
  const std::string names = fmt::format("{}, {}", first.name, second.name);
  MadePart whole = DOVETAIL_TRY(get(key.partKey(), {names, second.key.words}, [&](lgc::BuilderContext &context) {
    return named(makeMonolithicMergedPart(key, first.words, second.words, context), names,
                 fmt::format("{}, then {}", describe(key.first, first.name), describe(key.second, second.name)));
  }));
  whole.microseconds = stopwatch.microseconds();
  return whole;
}

} // namespace dovetail
