// SPDX-License-Identifier: MIT
//
// PartMaker: callers ask for a part and get it, from the cache or newly made. It owns the part cache and the compilers
// of one GPU.
#pragma once

#include "parts/cache/compile_event.h"
#include "parts/cache/first_code_counts.h"
#include "parts/cache/function_index.h"
#include "parts/cache/part_cache.h"
#include "src/abi/target_info.h"
#include "src/lgc/step.h"
#include "src/state/pipeline_state.h"
#include "src/state/stage_knowledge.h"
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>

namespace lgc {
class BuilderContext;
struct CompileCounts;
} // namespace lgc

namespace dovetail {

class CompilerPool;
struct MainPartKey;
struct MonolithicKey;
struct ShaderSource;

struct MadePart {
  PartRef part;
  bool made = false;       // by this call; otherwise it was in the cache or the store, or another thread made it
  bool stored = false;     // this call found it in the driver's cache or in the store
  double microseconds = 0; // wall time of the call
};

// Thread-safe: different parts are made at the same time, each only once.
class PartMaker {
public:
  // Before a part is made, the driver's cache and the store are asked for it; a new part is put into both. Errors:
  // UnknownGpu.
  static Result<std::unique_ptr<PartMaker>> create(std::string_view gpuName, std::shared_ptr<PartStore> store = nullptr,
                                                   DriverCache driverCache = {});

  ~PartMaker();

  std::string_view gpuName() const;
  const TargetInfo &target() const;

  // The main part of a shader. If the key's tier is FirstCode, it is LLVM's part if the cache, the driver's cache or
  // the store has it, and otherwise first code; if first code refuses the shader, LLVM makes its part from where first
  // code ended. Only LLVM's parts get into the driver's cache and the store. Errors: those of the front end and the
  // compiler.
  Result<MadePart> getMainPart(const ShaderSource &source);
  // The part that getMainPart() would find in the cache; nullptr: there is none.
  PartRef findMainPart(const MainPartKey &key) const;

  // Returns a part with a main part's interface: the main part itself if it is in the cache, otherwise a part without
  // code. For the latter, the shader is lowered, but no code is generated; the part does not go into the cache. Errors:
  // those of the front end and the middle-end.
  Result<PartRef> getInterface(const ShaderSource &source);

  // The prolog or epilog of this kind (part_kinds.def) that a main part with this interface needs under a canonical
  // state; a part of nullptr: it needs none. `evaluation`: the evaluation shader of the same pipeline, if it is
  // tessellated. Errors: those of the key's make().
  Result<MadePart> getAround(PartKind kind, const ShaderInterface &main, const PipelineState &state,
                             const ShaderInterface *evaluation = nullptr);

  // The copy shader of a geometry main part that was compiled with this knowledge. Errors: those of the compiler.
  Result<MadePart> getGeometryCopy(const ShaderInterface &geometry, const StageKnowledge &knowledge = {});

  // The pixel shader of pipelines that have no fragment shader.
  Result<MadePart> getNullFragment();

  // The whole stage as one part. Its key depends on what the main part reads and writes, so a missing main part is
  // made, too. A main part that is not joinable is made without code, so that the shader is compiled once.
  // `evaluation`: the evaluation shader of the same pipeline, if it is tessellated. Errors: those of all the others.
  Result<MadePart> getMonolithic(const ShaderSource &source, const PipelineState &state,
                                 const ShaderInterface *evaluation = nullptr);

  // Both shaders of a merged program (Hs, Gs) as one part; their float modes must agree.
  Result<MadePart> getMonolithicMerged(HardwareStage stage, const ShaderSource &first, const ShaderSource &second,
                                       const PipelineState &state, const ShaderInterface *evaluation = nullptr);

  // Sets an observer that sees the module after each step of the middle-end, in all compiles; it is called on the
  // threads that compile. In shaders that are IR, the middle-end lowers the ops of these dialects. Not thread-safe; to
  // be called before the first part.
  void setObserver(lgc::StepObserver observer, std::span<const std::string> dialects = {});

  // Sets a function that is called after each compile, on the thread that compiled. Other threads may wait for that
  // thread, so the function must ask nothing of this object. Not thread-safe; to be called before the first part.
  using CompileObserver = std::function<void(const CompileEvent &)>;
  void setCompileObserver(CompileObserver observer) { m_onCompile = std::move(observer); }

  // From now on, prologs and epilogs are compiled from their listings instead of encoded, to compare both. They have
  // the same keys, so a cache or store that has the encoded ones returns those. Not thread-safe.
  void compilePrologsAndEpilogs() { m_compilesAll = true; }

  // Whether compiles of shaders that belong together pack the values that they hand on (pack_parameters.h). Not
  // thread-safe.
  void setPackInOut(bool packs) { m_packsInOut = packs; }
  bool packsInOut() const { return m_packsInOut; }

  PartCache &cache() { return m_cache; }
  // Counts of all compiles (src/lgc/pipeline.h), without those of parts that are being made now.
  lgc::CompileCounts compileCounts() const;
  FirstCodeCounts firstCodeCounts() const;

private:
  PartMaker(std::unique_ptr<CompilerPool> compilers, std::shared_ptr<PartStore> store, DriverCache driverCache);

  Result<Part> makeMain(const ShaderSource &source, lgc::BuilderContext &context);
  Result<MadePart> getLlvmMain(const ShaderSource &source);
  Result<MadePart> getFirstCode(const ShaderSource &source);
  struct CompiledShaders; // the shaders that an event names
  class Stopwatch;
  class CompileClock;
  struct CompileStart;
  template <typename Make>
  Result<MadePart> lookUpOrMake(const PartKey &key, const CompiledShaders &shaders, const Make &make,
                                PartReach reach = PartReach::Everywhere, const CompileStart *begun = nullptr);
  template <typename Make> Result<MadePart> get(const PartKey &key, const CompiledShaders &shaders, const Make &make);
  template <typename Key>
  Result<MadePart> getFromKey(const Key &key, Result<Part> (*make)(const Key &, lgc::BuilderContext &));
  template <typename Key> Result<MadePart> getEitherWay(const Key &key);

  std::unique_ptr<CompilerPool> m_compilers;
  PartCache m_cache;
  FunctionIndex m_functions; // of optimised main parts
  CompileObserver m_onCompile;
  mutable std::mutex m_firstCodeMutex;
  FirstCodeCounts m_firstCode; // guarded by the mutex
  bool m_compilesAll = false;
  bool m_packsInOut = true;
};

} // namespace dovetail
