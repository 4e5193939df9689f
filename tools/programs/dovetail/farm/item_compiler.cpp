// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/farm/item_compiler.h"
#include "merge/check/check_image.h"
#include "parts/cache/part_maker.h"
#include "parts/compile/toolchain_version.h"
#include "tools/common/pipe-file/pipe_file.h"
#include "tools/programs/dovetail/corpus/corpus_unit_compile.h"
#include "tools/programs/dovetail/corpus/warmed.h"
#include "variants/optimize/optimized_variant.h"
#include "variants/state/canonicalize.h"
#include <cstdio>

namespace dovetail::farm {

namespace {

Result<PipelineInput> readText(std::string_view text) {
  PipeFile file = DOVETAIL_TRY(PipeFile::parse("item", text));
  return readPipeFile(file, "item");
}

Result<void> makeOptimized(Device &device, const PipelineInput &pipeline, const Variant &joined) {
  const PipelineState state = canonicalize(pipeline.state, pipeline.shaders);
  const OptimizedBuild optimized =
      DOVETAIL_TRY(buildOptimizedVariant(device.partMaker(), makeOptimizedKey(pipeline.shaders, state, nullptr),
                                         pipeline.shaders, state, nullptr, joined, [] { return false; }));
  return optimized.variant ? checkImage(*optimized.variant->image) : Result<void>();
}

Result<void> make(Device &device, const Result<PipelineInput> &pipeline, ItemTier tier) {
  if (!pipeline)
    return tl::unexpected(pipeline.error());
  storeValidModules(device, shadersOf(*pipeline));
  const VariantRef variant = DOVETAIL_TRY(device.bind(pipeline->shaders, pipeline->state));
  DOVETAIL_CHECK(checkImage(*variant->image));
  return tier == ItemTier::Optimized ? makeOptimized(device, *pipeline, *variant) : Result<void>();
}

void warn(std::string_view text) {
  std::fprintf(stderr, "dovetail: warning: %.*s\n", int(text.size()), text.data());
}

} // namespace

ItemCompiler::ItemCompiler(const FarmChoice &farm, const StoreChoice &store) : m_choice(store) {
  PartStoreOptions options = storeOptions(store);
  options.gatherTime = std::chrono::milliseconds(500); // keepParts() says when it matters
  options.countsUses = false;
  options.onWarning = warn;
  if (Result<std::shared_ptr<PartStore>> opened = PartStore::open(std::move(options)))
    m_store = std::move(*opened);
  else
    warn(opened.error().text);

  // The parts are in the store, too, so a compile does not wait long for a server.
  RedisOptions redis = farm.redis;
  redis.patience = std::chrono::seconds(1);
  Result<Sealer> sealer = Sealer::create(farm.keyFile);
  Result<std::unique_ptr<Redis>> connected = Redis::connect(redis);
  if (sealer && connected) {
    m_sealer = std::move(*sealer);
    m_redis = std::move(*connected);
    m_exchange.emplace(*m_redis, m_sealer, toolchainVersion().toHex());
  }
}

Result<Device *> ItemCompiler::deviceFor(const std::string &gpu) {
  std::unique_ptr<Device> &device = m_devices[gpu];
  if (!device)
    device = DOVETAIL_TRY(
        openDevice(gpu, m_choice, m_exchange ? m_exchange->cacheFor(gpu, m_store.get()) : DriverCache(), m_store));
  return device.get();
}

const Result<PipelineInput> &ItemCompiler::read(const std::string &text) {
  if (text != m_text) {
    m_pipeline = readText(text);
    m_text = text;
  }
  return m_pipeline;
}

std::string ItemCompiler::compile(const std::string &bytes) {
  const ItemUnit unit = ItemUnit::decode(bytes);
  std::vector<Warmed> all;
  for (const ItemUnit::Entry &entry : unit.entries) {
    const Result<Device *> device = deviceFor(entry.gpu);
    if (!device) {
      all.push_back({.reason = device.error().text});
      continue;
    }
    const auto compileIt = [&]() -> std::string {
      const Result<void> made = make(**device, read(unit.texts[entry.text]), entry.tier);
      return made ? "" : made.error().text;
    };
    all.push_back(warm(**device, compileIt, WarmFlush::Later));
  }
  const bool haveMade = std::ranges::any_of(all, [](const Warmed &warmed) { return warmed.made != 0; });
  if (const std::string reason = haveMade ? keepParts() : ""; !reason.empty())
    for (Warmed &warmed : all)
      if (warmed.made != 0 && warmed.reason.empty())
        warmed.reason = reason;
  if (m_store && !all.empty()) { // commits come later than the items
    for (Warmed &warmed : all)
      warmed.lost = 0;
    const PartStoreStatistics now = m_store->statistics();
    const uint64_t lost = now.evicted + now.dropped;
    all.front().lost = lost - std::exchange(m_lost, lost);
  }
  return toReply(all);
}

// Waiting for the disk takes longer than the server.
std::string ItemCompiler::keepParts() {
  if (m_exchange && m_exchange->pushMade())
    return "";
  if (m_store) {
    m_store->flush();
    const PartStoreStatistics now = m_store->statistics();
    if (now.isWritable && std::exchange(m_dropped, now.dropped) == now.dropped)
      return "";
  }
  return fmt::format("neither the server nor the part store in {} takes parts", m_choice.folder);
}

void ItemCompiler::flush() {
  if (m_store)
    m_store->flush();
}

} // namespace dovetail::farm
