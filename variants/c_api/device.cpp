// SPDX-License-Identifier: MIT
#include "parts/store/archived_store.h"
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/handles.h"
#include "variants/c_api/convert/sized_struct.h"

using namespace dovetail;
using namespace dovetail::c_api;

namespace {

static_assert(int(LogLevel::Warning) == DOVETAIL_LOG_WARNING && int(LogLevel::Error) == DOVETAIL_LOG_ERROR &&
              int(LogLevel::Info) == DOVETAIL_LOG_INFO && int(LogLevel::Debug) == DOVETAIL_LOG_DEBUG);
static_assert(int(CompilePurpose::Caller) == DOVETAIL_COMPILE_FOR_CALLER &&
              int(CompilePurpose::Background) == DOVETAIL_COMPILE_FOR_BACKGROUND &&
              int(CompilePurpose::Optimized) == DOVETAIL_COMPILE_FOR_OPTIMIZED);
static_assert(int(OptimizationPolicy::Off) == DOVETAIL_POLICY_OFF &&
              int(OptimizationPolicy::Hot) == DOVETAIL_POLICY_HOT &&
              int(OptimizationPolicy::Always) == DOVETAIL_POLICY_ALWAYS);

// For options where 0 stands for the default.
template <typename Field, typename Given> void setUnless0(Field &field, Given given) {
  if (given != 0)
    field = given;
}

// Far larger than any part.
constexpr size_t MaxPartBytes = size_t(256) << 20;

DriverCache toDriverCache(const dovetail_part_cache &given) {
  DriverCache cache;
  if (given.get)
    cache.get = [get = given.get, user = given.user](const DriverCacheKey &key) -> std::optional<std::vector<uint8_t>> {
      std::vector<uint8_t> bytes(16384); // most parts are smaller
      for (int attempt = 0; attempt < 2; ++attempt) {
        const size_t size = get(user, key.data(), bytes.data(), bytes.size());
        if (size == 0 || size > MaxPartBytes)
          return std::nullopt;
        const bool fits = size <= bytes.size();
        bytes.resize(size);
        if (fits)
          return bytes;
      }
      return std::nullopt; // the entry has grown meanwhile
    };
  if (given.put)
    cache.put = [put = given.put, user = given.user](const DriverCacheKey &key, std::span<const uint8_t> bytes) {
      put(user, key.data(), bytes.data(), bytes.size());
    };
  return cache;
}

// `shaders`, `refusal`: the event's, with a final 0.
dovetail_compile_event toEvent(const CompileEvent &event, const std::string &shaders, const std::string &refusal) {
  dovetail_compile_event told = {};
  told.size = sizeof told;
  told.kind = static_cast<uint32_t>(event.key.kind);
  told.purpose = static_cast<uint32_t>(event.purpose);
  setKey(told.key, event.key.hash);
  told.shaders = shaders.c_str();
  setKey(told.shader_hash, event.words);
  told.error = event.error ? event.error->text.c_str() : "";
  told.tier = toTier(event.tier);
  told.first_code_refusal = refusal.c_str();
  told.status = event.error ? Failure(*event.error).status : DOVETAIL_OK;
  if (event.part) {
    const Usage &usage = event.part->usage;
    told.instruction_count = event.part->instructionCount;
    told.sgprs = usage.sgprs;
    told.vgprs = usage.vgprs;
    told.scratch_bytes = usage.scratchBytes;
    told.spilled_sgprs = usage.spilledSgprs;
    told.spilled_vgprs = usage.spilledVgprs;
  }
  told.microseconds = event.microseconds;
  told.front_microseconds = event.frontMicroseconds;
  told.optimize_microseconds = event.optimizeMicroseconds;
  told.codegen_microseconds = event.codegenMicroseconds;
  return told;
}

void setCallbacks(DeviceOptions &options, const dovetail_device_options &given) {
  if (auto log = given.log)
    options.onLog = [log, user = given.log_user](LogLevel level, std::string_view text) {
      dovetail_message terminated; // whose text is C's
      setMessage(&terminated, text);
      log(user, static_cast<dovetail_log_level>(level), terminated.text);
    };
  if (auto onCompile = given.on_compile)
    options.onCompile = [onCompile, user = given.compile_user](const CompileEvent &event) {
      const std::string shaders(event.shaders), refusal(event.refusal);
      const dovetail_compile_event told = toEvent(event, shaders, refusal);
      onCompile(user, &told);
    };
  if (auto onPublication = given.on_publication)
    options.onPublication = [onPublication, user = given.publication_user](const Publication &publication) {
      const dovetail_publication told = {sizeof(told),
                                         toHandle(publication.variant.get()),
                                         toHandle(publication.replaced.get()),
                                         publication.generation,
                                         publication.programUser,
                                         publication.stateUser};
      onPublication(user, &told);
    };
}

Outcome<DeviceOptions> toOptions(const dovetail_device_options &given) {
  DOVETAIL_C_CHECK(checkNotNull(given.gpu, "options->gpu"));
  if (given.store_path && !*given.store_path)
    return badArgument("options->store_path is empty; it is NULL without a store");
  if (!given.part_cache.get != !given.part_cache.put)
    return badArgument("options->part_cache has one of get and put; it is to have both or none");
  if (!given.allocator.allocate != !given.allocator.free)
    return badArgument("options->allocator has one of allocate and free; it is to have both or none");
  DeviceOptions options;
  options.gpuName = given.gpu;
  options.policy = DOVETAIL_C_TRY(readEnum(given.policy, OptimizationPolicy::Always, "options->policy"));
  setUnless0(options.hotBinds, given.hot_binds);
  setUnless0(options.background.threads, given.threads);
  setUnless0(options.background.maxQueued, given.max_queued);
  setUnless0(options.memoryBudget, given.memory_budget);
  options.store.path = given.store_path ? given.store_path : "";
  setUnless0(options.store.maxBytes, given.store_max_bytes);
  options.store.readOnly = DOVETAIL_C_TRY(readBool(given.store_read_only, "options->store_read_only"));
  options.store.trustFolder = DOVETAIL_C_TRY(readBool(given.store_trust_folder, "options->store_trust_folder"));
  if (given.dump_path && !*given.dump_path)
    return badArgument("options->dump_path is empty; NULL stands for no dumps");
  options.dumps.folder = given.dump_path ? given.dump_path : "";
  if (!(given.dump_slow_milliseconds >= 0))
    return badArgument("options->dump_slow_milliseconds is {}; it is to be 0 or more", given.dump_slow_milliseconds);
  options.dumps.slowMilliseconds = given.dump_slow_milliseconds;
  options.logLevel = DOVETAIL_C_TRY(readEnum(given.log_level, LogLevel::Debug, "options->log_level"));
  options.background.startsEarly =
      DOVETAIL_C_TRY(readBool(given.start_background_early, "options->start_background_early"));
  options.packInOut = !DOVETAIL_C_TRY(readBool(given.keep_unpacked, "options->keep_unpacked"));
  if (given.archive_count > MaxArchives)
    return badArgument("options->archive_count is {}; a device has at most {} archives", given.archive_count,
                       MaxArchives);
  if (given.archive_count > 0)
    DOVETAIL_C_CHECK(checkNotNull(given.archives, "options->archives"));
  for (uint32_t index = 0; index < given.archive_count; ++index) {
    DOVETAIL_C_CHECK(checkNotNull(given.archives[index], "options->archives[]"));
    options.archives.push_back(given.archives[index]);
  }
  const auto tier = DOVETAIL_C_TRY(readEnum(given.first_tier, DOVETAIL_TIER_LLVM, "options->first_tier"));
  if (tier != DOVETAIL_TIER_NONE)
    options.firstTier = tier == DOVETAIL_TIER_LLVM ? CodeTier::Llvm : CodeTier::FirstCode;
  setCallbacks(options, given);
  options.driverCache = toDriverCache(given.part_cache);
  return options;
}

} // namespace

dovetail_status dovetail_device_create(const dovetail_device_options *options, dovetail_device **device,
                                       dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(device, "device"));
    *device = nullptr;
    const dovetail_device_options given = DOVETAIL_C_TRY(readSized(options, dovetail_device_options{}, "options"));
    DeviceOptions deviceOptions = DOVETAIL_C_TRY(toOptions(given));
    const Allocator allocator(given.allocator);
    auto destroy = [&](dovetail_device *handle) { allocator.destroy(handle); };
    std::unique_ptr<dovetail_device, decltype(destroy)> handle(allocator.make<dovetail_device>(given.allocator),
                                                               destroy);
    handle->device = DOVETAIL_C_TRY(Device::create(std::move(deviceOptions)));
    *device = handle.release();
    return {};
  });
}

dovetail_status dovetail_device_destroy(dovetail_device *device, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    if (!device)
      return {};
    if (uint64_t handles = device->handles)
      return badArgument("device: {} of its shaders, programs, states, uniforms and binders still exist", handles);
    const Allocator allocator = device->allocator;
    allocator.destroy(device);
    return {};
  });
}

dovetail_status dovetail_device_drain(dovetail_device *device, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(device, "device"));
    device->device->drain();
    return {};
  });
}

dovetail_status dovetail_device_flush_store(dovetail_device *device, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(device, "device"));
    DOVETAIL_C_CHECK(device->device->flushStore());
    return {};
  });
}

dovetail_status dovetail_device_export_parts(dovetail_device *device, void *buffer, size_t *size,
                                             dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(device, "device"));
    DOVETAIL_C_CHECK(checkNotNull(size, "size"));
    const std::vector<uint8_t> bytes = device->device->exportParts();
    return handOutBytes(bytes, buffer, size);
  });
}

dovetail_status dovetail_device_import_parts(dovetail_device *device, const void *data, size_t size,
                                             dovetail_import_info *info, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(device, "device"));
    DOVETAIL_C_CHECK(checkNotNull(data, "data"));
    if (info)
      DOVETAIL_C_CHECK(checkSize(info->size, alignof(dovetail_import_info), "info"));
    const ImportedParts imported =
        DOVETAIL_C_TRY(device->device->importParts({static_cast<const uint8_t *>(data), size}));
    dovetail_import_info answer = {};
    answer.imported = imported.imported;
    answer.known = imported.known;
    answer.damaged = imported.damaged;
    return info ? writeSized(answer, info, "info") : Outcome<void>();
  });
}

uint64_t dovetail_device_generation(const dovetail_device *device) {
  return device ? device->device->generation() : 0;
}

dovetail_status dovetail_device_get_statistics(const dovetail_device *device, dovetail_device_statistics *statistics,
                                               dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(device, "device"));
    const DeviceStatistics now = device->device->statistics();
    dovetail_device_statistics answer = {};
    answer.binds = now.binds;
    answer.unchanged_binds = now.unchangedBinds;
    answer.known_binds = now.knownBinds;
    answer.waited_binds = now.waitedBinds;
    answer.joined_variants = now.joinedVariants;
    answer.monolithic_variants = now.monolithicVariants;
    answer.optimized_variants = now.optimizedVariants;
    answer.failed_builds = now.failedBuilds;
    answer.rejected_optimizations = now.rejectedOptimizations;
    answer.fallbacks = now.fallbacks;
    answer.not_ready_binds = now.notReadyBinds;
    answer.first_code_parts = now.firstCode.made;
    answer.first_code_refused = now.firstCode.refused;
    answer.changed_over_variants = now.changedOverVariants;
    answer.failed_change_overs = now.failedChangeOvers;
    answer.parts_stored = now.parts.stored;
    answer.part_cache_damaged = now.parts.damaged;
    answer.optimizer_overtaken = now.optimizerOvertaken;
    answer.evicted_variants = now.evictedVariants;
    answer.evicted_parts = now.evictedParts;
    answer.variants = now.variants;
    answer.variant_bytes = now.variantBytes;
    answer.generation = now.generation;
    answer.parts_made = now.parts.made;
    answer.parts_found = now.parts.found;
    answer.part_bytes = now.parts.bytes;
    answer.part_memory_bytes = now.parts.memoryBytes;
    answer.background_queued = now.background.queued;
    answer.background_finished = now.background.finished;
    answer.background_failed = now.background.failed;
    answer.background_cancelled = now.background.cancelled;
    answer.background_refused = now.background.refused;
    answer.background_waiting = now.background.waiting;
    answer.background_running = now.background.running;
    answer.store_hits = now.store.hits;
    answer.store_misses = now.store.misses;
    answer.store_written = now.store.written;
    answer.store_damaged = now.store.damaged;
    answer.store_evicted = now.store.evicted;
    answer.store_dropped = now.store.dropped;
    answer.store_entries = now.store.entries;
    answer.store_bytes = now.store.bytes;
    answer.store_is_readable = now.store.isReadable;
    answer.store_is_writable = now.store.isWritable;
    answer.archives = now.store.archives;
    answer.archive_hits = now.store.archiveHits;
    answer.archive_damaged = now.store.archiveDamaged;
    return writeSized(answer, statistics, "statistics");
  });
}
