// SPDX-License-Identifier: MIT
//
// Device: everything that the programs of one GPU share: the target, the parts, their compilers and their store, the
// variants, and the background that optimises them. A driver makes shaders, programs of them, states, and a Binder for
// each of its contexts:
//
//   device->createShader(...)  device->createProgram(...)  makeState(...)  Binder(*device).bind(program, state)
#pragma once

#include "parts/cache/compile_event.h"
#include "parts/cache/first_code_counts.h"
#include "parts/cache/part_cache.h"
#include "parts/store/part_store.h"
#include "src/abi/target_info.h"
#include "variants/assemble/build_variant.h"
#include "variants/assemble/program.h"
#include "variants/dump/dump_options.h"
#include "variants/log.h"
#include "variants/optimize/optimization_queue.h"
#include "variants/state/state.h"
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

struct CodeLine;

enum class OptimizationPolicy : uint8_t {
  Off,
  Hot,    // variants that were bound DeviceOptions::hotBinds times
  Always, // every variant, as soon as it is built
};

// A new or better variant exists. Binds find it from now on.
struct Publication {
  // nullptr: a build that BindOptions::neverCompiles left to the background failed, and the next bind returns the
  // Error; or it gave way to more urgent builds, and the next bind asks for it again.
  const VariantRef &variant;
  const VariantRef &replaced; // nullptr: there was none to draw with
  uint64_t generation;        // the device's number of publications, this one included
  // The pointers of the program and the state (Program::user, State::user) that were bound. If several of them lead to
  // one variant, each pair of pointers has a publication. This keeps neither object alive.
  void *programUser, *stateUser;
};

struct DeviceOptions {
  std::string gpuName; // LLVM's, for example "gfx900"
  // The code that binds draw with at first where nobody has LLVM's main part. FirstCode: first code, if it does not
  // refuse the shader; the background compiles LLVM's part at once, and puts it in the place of first code, whatever
  // the policy is. A process without a background, which was forked off, has LLVM's code.
  CodeTier firstTier = CodeTier::FirstCode;
  OptimizationPolicy policy = OptimizationPolicy::Off;
  uint32_t hotBinds = 64;
  bool packInOut = true; // optimised variants have fewer parameters
  OptimizationQueueOptions background;
  // Bytes of code and bookkeeping of variants and parts that are kept in memory. Objects that are referenced from
  // outside are kept beyond it.
  uint64_t memoryBudget = uint64_t(256) << 20;
  // Before a part is made, it is looked for here; a new part is put here. Empty path: there is no store.
  PartStoreOptions store;
  // A store that is open already, such as that of another device in this process. It is used in the place of `store`,
  // which must have the options that it was opened with.
  std::shared_ptr<PartStore> openedStore;
  // Files of read-only parts (parts/store/archive.h), at most MaxArchives, which are asked before the store. One that
  // cannot be used, or is for other builds or GPUs, is a warning.
  std::vector<std::string> archives;
  // Another place where parts are looked for and put; it comes before the store.
  DriverCache driverCache;
  // Called on background threads, with no lock held. May bind; must not destroy the device.
  std::function<void(const Publication &)> onPublication;
  // Gets one sentence per call. Called on any thread, several at the same time, with no lock held. Must not destroy the
  // device. May bind, unless compiles are logged (LogLevel::Debug), because a bind may wait for those.
  Log onLog;
  LogLevel logLevel = LogLevel::Warning; // less important messages are not logged
  // Called after each compile, on the thread that compiled, which may be one that binds. Must ask nothing of the
  // device. Parts that are encoded (prologs, epilogs, glue) or found are no compiles.
  std::function<void(const CompileEvent &)> onCompile;
  // Builds that fail or take long leave a file, and a warning names it.
  DumpOptions dumps;
};

struct DeviceStatistics {
  uint64_t binds = 0;          // of all Binders
  uint64_t unchangedBinds = 0; // binds that cost a compare
  uint64_t knownBinds = 0;     // binds that found their variant in the table
  uint64_t waitedBinds = 0;    // binds that waited for another thread's build
  uint64_t joinedVariants = 0, monolithicVariants = 0, optimizedVariants = 0; // built so far
  uint64_t changedOverVariants = 0;   // in which LLVM's code took the place of first code
  uint64_t failedChangeOvers = 0;     // of programs, in which first code stays because LLVM failed
  uint64_t failedBuilds = 0;          // of any kind
  uint64_t rejectedOptimizations = 0; // that were no better
  uint64_t fallbacks = 0;             // binds that got a fallback
  uint64_t notReadyBinds = 0;         // binds that got nothing, and left the build to the background
  // Parts and variants that a thread made itself because the optimiser was still making them.
  uint64_t optimizerOvertaken = 0;
  uint64_t evictedVariants = 0, evictedParts = 0;
  uint64_t variants = 0, variantBytes = 0; // held now
  uint64_t generation = 0;
  PartCacheStatistics parts;
  FirstCodeCounts firstCode;
  OptimizationQueueStatistics background;
  PartStoreStatistics store;
};

struct ImportedParts {
  uint64_t imported = 0;
  uint64_t known = 0;   // that the device had already
  uint64_t damaged = 0; // damaged ones, which were left out
};

enum class CompileTime : uint8_t {
  FirstUse,   // when a bind needs it
  Now,        // before createShader() returns
  Background, // soon
};

class DeviceCore;
class PartMaker;

// Thread-safe.
class Device {
public:
  // Errors: UnknownGpu, listing the names that are known; InvalidInput for more than MaxArchives archives. A store that
  // cannot be used is a warning, not an Error.
  static Result<std::unique_ptr<Device>> create(DeviceOptions options);
  static Result<std::unique_ptr<Device>> create(std::string_view gpuName);
  // Cancels queued builds and waits for running ones. All Binders must be gone; variants may outlive the device.
  ~Device();

  // Validates and reflects a shader, and compiles its main part at the time that `compile` says. All layouts use the
  // same main part, except for the forms of resources that a layout may have (src/state/resource_form.h): here those of
  // `layout`, or of the automatic one. `next`: the stage that will follow a vertex or evaluation shader; a wrong guess
  // costs a second compile. In the background, LLVM compiles it at once (DeviceOptions::firstTier). Errors: those of
  // dovetail::createShader(), and with CompileTime::Now those of the compiler.
  // The bind() that needs the main part returns the Errors of a compile in the background.
  Result<ShaderRef> createShader(ShaderDescription description, CompileTime compile = CompileTime::FirstUse,
                                 lgc::ShaderStage next = lgc::ShaderStage::Fragment,
                                 const UserDataNodes *layout = nullptr, const AutomaticLayout &automatic = {});

  // Makes a program of shaders that are drawn with together. Without a layout, they get the automatic one
  // (user_data_layout.h). user: see Publication. Errors: those of makeShaderSet(); InvalidInput for stages that cannot
  // be drawn with.
  Result<ProgramRef> createProgram(std::span<const ShaderRef> shaders, const UserDataNodes *layout = nullptr,
                                   void *user = nullptr);
  // Makes a program of a set that makeShaderSet() has made. Errors: InvalidInput, as above.
  Result<ProgramRef> createProgramOf(ShaderSet set, void *user = nullptr);

  // The variant of these shaders under this state, from the table or built now: joined, or monolithic if the options
  // say so. For tools; draws use a Binder. Errors: those of buildVariant().
  Result<VariantRef> bind(const ShaderSet &shaders, const PipelineState &state, const BuildOptions &options = {});

  // The optimised LLVM IR of the main parts of a set under a state, compiled for this purpose alone. Errors: those of
  // the front end and the compiler.
  Result<std::string> printIr(const ShaderSet &shaders, const PipelineState &state);
  // The main parts as the middle-end gets them: modules with recorded ops and the state of their compile, as text that
  // the tool `lgc` reads.
  Result<std::string> printLinkedIr(const ShaderSet &shaders, const PipelineState &state);

  // The source lines of the main parts of a variant of these shaders under this state (source_lines.h). Compiles them
  // again, for this purpose alone.
  Result<std::vector<CodeLine>> findSourceLines(const ShaderSet &shaders, const PipelineState &state,
                                                const Variant &variant);

  // All parts that the device holds, except for first code, as one run of bytes, for importParts() of another process.
  std::vector<uint8_t> exportParts() const;
  // Takes in such bytes, or those of a variant's parts (exchange_variant.h); these parts need not be made any more.
  // Errors: those of readPartBundle(), and nothing was taken in.
  Result<ImportedParts> importParts(std::span<const uint8_t> bytes);

  // The number of publications so far.
  uint64_t generation() const;
  // Waits until nothing is queued or running in the background.
  void drain();
  // Cancels the queued background builds of a program; running ones are finished. The next bind may ask for them again.
  void cancelBuilds(const ProgramRef &program);
  // Waits until the parts that were made so far are on disk. Does nothing without a store, or with a read-only one.
  // Errors: Io if the store is turned off.
  Result<void> flushStore();
  DeviceStatistics statistics() const;

  const TargetInfo &target() const;
  PartMaker &partMaker();

  // For Binders and tests (device_core.h).
  DeviceCore &core() { return *m_core; }

private:
  explicit Device(std::unique_ptr<DeviceCore> core);
  Result<ShaderRef> reflect(ShaderDescription description);

  std::unique_ptr<DeviceCore> m_core;
};

} // namespace dovetail
