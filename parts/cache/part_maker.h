// SPDX-License-Identifier: MIT
//
// PartMaker: asks for a part and gets it, from the cache or newly made. It owns the part cache and the compilers of one
// GPU.
#pragma once

#include "parts/cache/compile_event.h"
#include "parts/cache/function_index.h"
#include "parts/cache/part_cache.h"
#include "src/abi/target_info.h"
#include "src/lgc/step.h"
#include "src/state/pipeline_state.h"
#include "src/state/stage_knowledge.h"
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace lgc {
class BuilderContext;
struct CompileCounts;
} // namespace lgc

namespace dovetail {

class CompilerPool;
struct MonolithicKey;
struct ShaderSource;

struct MadePart {
  PartRef part;
  bool made = false;       // by this call; otherwise it was in the cache or the store, or another thread made it
  bool stored = false;     // this call found it in the driver's cache or in the store
  double microseconds = 0; // wall time from asking to having it
};

// Thread-safe: different parts are made at the same time, each only once.
class PartMaker {
public:
  // Parts are looked for in the driver's cache and the store before they are made, and put there after. Errors:
  // UnknownGpu.
  static Result<std::unique_ptr<PartMaker>> create(std::string_view gpuName, std::shared_ptr<PartStore> store = nullptr,
                                                   DriverCache driverCache = {});

  ~PartMaker();

  std::string_view gpuName() const;
  const TargetInfo &target() const;

  // Errors: those of the front end and the compiler.
  Result<MadePart> getMainPart(const ShaderSource &source);

  // What a main part says about itself: the part, if it is in the cache; else one without code, for which the shader is
  // lowered and no code is generated, and which nobody else gets. Errors: those of the front end and the middle-end.
  Result<PartRef> getInterface(const ShaderSource &source);

  // The prolog or epilog of this kind (part_kinds.def) that a main part with this interface needs under a state, which
  // is canonical; a part of nullptr: it needs none. `evaluation`: the evaluation shader of the same pipeline, if it is
  // tessellated. Errors: those of the key's make().
  Result<MadePart> getAround(PartKind kind, const ShaderInterface &main, const PipelineState &state,
                             const ShaderInterface *evaluation = nullptr);

  // The copy shader of a geometry main part that was compiled with this knowledge. Errors: those of the compiler.
  Result<MadePart> getGeometryCopy(const ShaderInterface &geometry, const StageKnowledge &knowledge = {});

  // The pixel shader of pipelines that have no fragment shader.
  Result<MadePart> getNullFragment();

  // The whole stage as one part. Its key depends on what the main part reads and writes, so the main part is made too
  // if it is not there yet. One without code is made on the way, so that the shader is compiled once. `evaluation`: the
  // evaluation shader of the same pipeline, if it is tessellated. Errors: those of all the others.
  Result<MadePart> getMonolithic(const ShaderSource &source, const PipelineState &state,
                                 const ShaderInterface *evaluation = nullptr);

  // Both shaders of a merged program (Hs, Gs) as one part; their float modes must agree.
  Result<MadePart> getMonolithicMerged(HardwareStage stage, const ShaderSource &first, const ShaderSource &second,
                                       const PipelineState &state, const ShaderInterface *evaluation = nullptr);

  // Who sees the module behind each step of the middle-end, of all that is compiled; called on the threads that
  // compile. Of shaders that are IR, it lowers the ops of these dialects. Not thread-safe, and before the first part.
  void setObserver(lgc::StepObserver observer, std::span<const std::string> dialects = {});

  // Who is told of each compile when it is over, on the thread that compiled. Others may wait for that thread, so it
  // must ask nothing of this object. Not thread-safe, and before the first part.
  using CompileObserver = std::function<void(const CompileEvent &)>;
  void setCompileObserver(CompileObserver observer) { m_onCompile = std::move(observer); }

  // From here on, prologs and epilogs are compiled from their listings instead of encoded: to compare both. They have
  // the same keys, so a cache or store that has seen the others gives those. Not thread-safe.
  void compilePrologsAndEpilogs() { m_compilesAll = true; }

  // Whether whoever compiles shaders for each other packs what they hand on (pack_parameters.h). Not thread-safe.
  void setPackInOut(bool packs) { m_packsInOut = packs; }
  bool packsInOut() const { return m_packsInOut; }

  PartCache &cache() { return m_cache; }
  // What was compiled (src/lgc/pipeline.h), but for parts that are being made now.
  lgc::CompileCounts compileCounts() const;

private:
  PartMaker(std::unique_ptr<CompilerPool> compilers, std::shared_ptr<PartStore> store, DriverCache driverCache);

  Result<Part> makeMain(const ShaderSource &source, lgc::BuilderContext &context);
  struct CompiledShaders; // what an event says of them
  class Stopwatch;
  template <typename Make>
  Result<MadePart> lookUpOrMake(const PartKey &key, const CompiledShaders &shaders, const Make &make);
  template <typename Make> Result<MadePart> get(const PartKey &key, const CompiledShaders &shaders, const Make &make);
  template <typename Key>
  Result<MadePart> getFromKey(const Key &key, Result<Part> (*make)(const Key &, lgc::BuilderContext &));
  template <typename Key> Result<MadePart> getEitherWay(const Key &key);

  std::unique_ptr<CompilerPool> m_compilers;
  PartCache m_cache;
  FunctionIndex m_functions; // of optimised main parts
  CompileObserver m_onCompile;
  bool m_compilesAll = false;
  bool m_packsInOut = true;
};

} // namespace dovetail
