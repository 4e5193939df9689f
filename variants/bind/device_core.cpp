// SPDX-License-Identifier: MIT
#include "variants/bind/device_core.h"
#include "parts/cache/part_maker.h"
#include "parts/compile/toolchain_version.h"
#include "parts/store/archived_store.h"
#include "src/abi/get_target.h"
#include "src/lgc/builder_context.h"
#include <algorithm>
#include <string>

namespace dovetail {

namespace {

Log filteredLog(const DeviceOptions &options) {
  if (!options.onLog)
    return [](LogLevel, std::string_view) {};
  return [log = options.onLog, wanted = options.logLevel](LogLevel level, std::string_view text) {
    if (isTold(level, wanted))
      log(level, text);
  };
}

// nullptr if there is no store; problems are warnings.
std::shared_ptr<PartStore> openStore(const DeviceOptions &options, const Log &log) {
  if (options.openedStore)
    return options.openedStore;
  if (options.store.path.empty())
    return nullptr;
  PartStoreOptions storeOptions = options.store;
  if (!storeOptions.onWarning)
    storeOptions.onWarning = [log](std::string_view text) { log(LogLevel::Warning, text); };
  Result<std::shared_ptr<PartStore>> store = PartStore::open(std::move(storeOptions));
  if (store)
    return std::move(*store);
  log(LogLevel::Warning, fmt::format("parts are not stored: {}", store.error().text));
  return nullptr;
}

uint64_t numberOfNextDevice() {
  static std::atomic<uint64_t> devices = 0;
  return devices.fetch_add(1, std::memory_order_relaxed);
}

void addUp(const BindCounters &from, BindCounters &to) {
  auto add = [](const std::atomic<uint64_t> &value, std::atomic<uint64_t> &sum) {
    sum.fetch_add(value.load(std::memory_order_relaxed), std::memory_order_relaxed);
  };
  add(from.unchanged, to.unchanged);
  add(from.known, to.known);
  add(from.waited, to.waited);
  add(from.fallbacks, to.fallbacks);
  add(from.notReady, to.notReady);
  add(from.others, to.others);
}

} // namespace

DeviceCore::DeviceCore(DeviceOptions options, std::unique_ptr<PartMaker> partMaker)
    : m_number(numberOfNextDevice()), m_options(std::move(options)), m_log(filteredLog(m_options)),
      m_partMaker(std::move(partMaker)), m_planMemory{
                                             [this](const VariantKey &key) { return m_tables.findVariant(key); },
                                             [this] { return m_tables.variantCount(); },
                                             {},
                                             {}},
      m_budget(m_options.memoryBudget, m_tables, m_planMemory.pieces, m_partMaker->cache()),
      m_dumps(m_options.dumps, m_options.gpuName, m_log), m_background(*this) {
  if (m_options.onCompile || isLogged(LogLevel::Debug))
    m_partMaker->setCompileObserver([this](const CompileEvent &event) {
      if (isLogged(LogLevel::Debug))
        log(LogLevel::Debug, describe(event));
      if (m_options.onCompile)
        m_options.onCompile(event);
    });
  if (isLogged(LogLevel::Info))
    log(LogLevel::Info, fmt::format("a device for {}: Dovetail {} with LLVM {}, build {}", m_options.gpuName,
                                    dovetailVersion(), llvmVersion(), toolchainVersion().toHex()));
}

DeviceCore::~DeviceCore() = default;

Result<std::unique_ptr<DeviceCore>> DeviceCore::create(DeviceOptions options) {
  const TargetInfo *target = DOVETAIL_TRY(getTarget(options.gpuName));
  options.gpuName = target->gpuName;
  lgc::BuilderContext::initialize();
  if (options.archives.size() > MaxArchives)
    return makeError(ErrorCode::InvalidInput, "{} archives are asked for; a device has at most {}",
                     options.archives.size(), MaxArchives);
  const Log log = filteredLog(options);
  std::shared_ptr<PartStore> store = withArchives(openStore(options, log), options.archives, options.gpuName,
                                                  [&](std::string_view text) { log(LogLevel::Warning, text); });
  std::unique_ptr<PartMaker> partMaker =
      DOVETAIL_TRY(PartMaker::create(options.gpuName, std::move(store), options.driverCache));
  partMaker->setPackInOut(options.packInOut);
  return std::unique_ptr<DeviceCore>(new DeviceCore(std::move(options), std::move(partMaker)));
}

CodeTier DeviceCore::firstTier() const {
  return m_background.queue().isOpen() ? m_options.firstTier : CodeTier::Llvm;
}

uint32_t DeviceCore::bindsUntilOptimized() const {
  switch (m_options.policy) {
  case OptimizationPolicy::Off:
    return 0;
  case OptimizationPolicy::Hot:
    return std::max(m_options.hotBinds, 1u);
  case OptimizationPolicy::Always:
    return 1;
  }
  return 0;
}

void DeviceCore::publish(const std::unordered_map<Hash128, SlotUsers> &slots, const VariantRef &variant,
                         Replaced replaced) {
  for (const auto &[before, users] : m_tables.replace(slots, variant, replaced))
    announce(variant, before, users);
}

void DeviceCore::announce(const VariantRef &variant, const VariantRef &replaced, const SlotUsers &users) {
  uint64_t number = m_generation.fetch_add(1, std::memory_order_acq_rel) + 1;
  m_tables.collect();
  if (m_options.onPublication)
    m_options.onPublication({variant, replaced, number, users.program, users.state});
}

void DeviceCore::addBinder(VariantTables::Reader &reader, const BindCounters &counters) {
  std::scoped_lock lock(m_bindersMutex);
  m_binders.push_back(&counters);
  try {
    m_tables.addReader(reader);
  } catch (...) {
    m_binders.pop_back();
    throw;
  }
}

void DeviceCore::removeBinder(VariantTables::Reader &reader, const BindCounters &counters) {
  {
    std::scoped_lock lock(m_bindersMutex);
    std::erase(m_binders, &counters);
    addUp(counters, m_goneBinders);
  }
  m_tables.removeReader(reader);
}

DeviceStatistics DeviceCore::statistics() const {
  DeviceStatistics result;
  {
    std::scoped_lock lock(m_bindersMutex);
    BindCounters sum;
    addUp(m_goneBinders, sum);
    for (const BindCounters *counters : m_binders)
      addUp(*counters, sum);
    result.unchangedBinds = sum.unchanged;
    result.knownBinds = sum.known;
    result.waitedBinds = sum.waited;
    result.fallbacks = sum.fallbacks;
    result.notReadyBinds = sum.notReady;
    result.binds = sum.unchanged + sum.known + sum.fallbacks + sum.notReady + sum.others;
  }
  result.joinedVariants = m_built.joined;
  result.monolithicVariants = m_built.monolithic;
  const BackgroundBuilds::Counts background = m_background.counts();
  result.optimizedVariants = background.optimized;
  result.changedOverVariants = background.changedOver;
  result.failedChangeOvers = background.failedChangeOvers;
  result.failedBuilds = m_built.failed + background.failed;
  result.rejectedOptimizations = background.rejected;
  result.evictedVariants = m_tables.evictedCount();
  result.variants = m_tables.variantCount();
  result.variantBytes = m_tables.memoryBytes();
  result.generation = generation();
  result.parts = m_partMaker->cache().statistics();
  result.evictedParts = result.parts.evicted;
  result.optimizerOvertaken = m_tables.overtakings() + result.parts.optimizerOvertaken;
  result.firstCode = m_partMaker->firstCodeCounts();
  result.background = m_background.queue().statistics();
  if (const auto &store = m_partMaker->cache().store())
    result.store = store->statistics();
  return result;
}

} // namespace dovetail
