// SPDX-License-Identifier: MIT
//
// The store of a device in a worker process. The process has no store and no connection: it asks its parent for parts
// that it would have to compile, and collects what it makes, for the parent to keep (part_keeper.h). Parts that are
// encoded in microseconds are made, because asking takes longer.
#pragma once

#include "parts/store/part_store.h"
#include "tools/programs/dovetail/farm/item_unit.h"
#include <map>

namespace dovetail::farm {

// What the devices of a worker process collect.
struct Collected {
  std::vector<std::pair<PartRef, std::string>> parts; // with their GPU
  std::vector<spirv::ModuleDigest> validModules;
  std::map<PartName, std::vector<uint8_t>> answers; // of the parent
};

// Asks the parent for all of them at once. Only in a worker process of runInWorkers().
void askFor(std::vector<PartName> parts, Collected &collected);

class AskedStore final : public PartStore {
public:
  AskedStore(const std::string &gpu, Collected &collected) : m_gpu(gpu), m_collected(collected) {}

  PartRef find(const PartKey &key) override;
  void put(const PartRef &part, std::string_view gpuName) override;
  bool hasValidModule(const spirv::ModuleDigest &) override { return false; }
  void putValidModule(const spirv::ModuleDigest &digest) override { m_collected.validModules.push_back(digest); }
  void noteVariant(const Hash128 &, std::span<const PartKey>) override {}
  void flush() override {}
  Result<Verification> verify() override { return Verification(); }
  Result<uint64_t> prune(uint64_t) override { return 0; }
  Result<std::vector<PartStoreEntry>> entries() override { return std::vector<PartStoreEntry>(); }
  Result<std::vector<spirv::ModuleDigest>> validRows() override { return std::vector<spirv::ModuleDigest>(); }
  PartStoreStatistics statistics() override { return {.isReadable = true, .isWritable = true}; }
  const PartStoreOptions &options() const override { return m_options; }

private:
  const std::string m_gpu;
  Collected &m_collected;
  const PartStoreOptions m_options;
};

} // namespace dovetail::farm
