// SPDX-License-Identifier: MIT
#include "parts/store/archived_store.h"
#include "parts/compile/toolchain_version.h"
#include <algorithm>

namespace dovetail {

namespace {

class ArchivedStore final : public PartStore {
public:
  ArchivedStore(std::shared_ptr<PartStore> own, std::vector<std::shared_ptr<Archive>> archives)
      : m_own(std::move(own)), m_archives(std::move(archives)) {}

  PartRef find(const PartKey &key) override {
    for (const std::shared_ptr<Archive> &archive : m_archives)
      if (PartRef part = archive->find(key)) {
        ++m_hits;
        return part;
      }
    return m_own ? m_own->find(key) : nullptr;
  }
  bool hasValidModule(const spirv::ModuleDigest &digest) override {
    return std::ranges::any_of(m_archives, [&](const auto &archive) { return archive->hasValidModule(digest); }) ||
           (m_own && m_own->hasValidModule(digest));
  }
  void put(const PartRef &part, std::string_view gpuName) override {
    if (m_own)
      m_own->put(part, gpuName);
  }
  void putValidModule(const spirv::ModuleDigest &digest) override {
    if (m_own)
      m_own->putValidModule(digest);
  }
  void noteVariant(const Hash128 &variant, std::span<const PartKey> parts) override {
    if (m_own)
      m_own->noteVariant(variant, parts);
  }
  void flush() override {
    if (m_own)
      m_own->flush();
  }
  Result<Verification> verify() override { return m_own ? m_own->verify() : Verification(); }
  Result<uint64_t> prune(uint64_t maxBytes) override { return m_own ? m_own->prune(maxBytes) : 0; }
  Result<std::vector<PartStoreEntry>> entries() override {
    return m_own ? m_own->entries() : std::vector<PartStoreEntry>();
  }
  Result<std::vector<spirv::ModuleDigest>> validRows() override {
    return m_own ? m_own->validRows() : std::vector<spirv::ModuleDigest>();
  }
  PartStoreStatistics statistics() override {
    PartStoreStatistics statistics = m_own ? m_own->statistics() : PartStoreStatistics();
    statistics.archives = m_archives.size();
    statistics.archiveHits = m_hits;
    for (const std::shared_ptr<Archive> &archive : m_archives)
      statistics.archiveDamaged += archive->damaged();
    return statistics;
  }
  const PartStoreOptions &options() const override { return m_own ? m_own->options() : m_noOptions; }

private:
  const std::shared_ptr<PartStore> m_own; // nullptr: there is none
  const std::vector<std::shared_ptr<Archive>> m_archives;
  const PartStoreOptions m_noOptions;
  std::atomic<uint64_t> m_hits = 0;
};

} // namespace

std::shared_ptr<PartStore> withArchives(std::shared_ptr<PartStore> store, const std::vector<std::string> &paths,
                                        std::string_view gpuName, const std::function<void(std::string_view)> &warn) {
  std::vector<std::shared_ptr<Archive>> used;
  const std::string build = toolchainVersion().toHex();
  for (const std::string &path : paths) {
    Result<std::shared_ptr<Archive>> archive = Archive::open(path);
    if (!archive) {
      warn(archive.error().text + "; it is not used");
      continue;
    }
    const ArchiveAbout &about = (*archive)->about();
    if (std::ranges::count(about.builds, build) == 0)
      warn(fmt::format("archive {}: it is for other builds than {}, and not used", path, build));
    else if (std::ranges::count(about.gpus, gpuName) == 0)
      warn(fmt::format("archive {}: it has nothing for {}, and is not used", path, gpuName));
    else
      used.push_back(std::move(*archive));
  }
  if (used.empty())
    return store;
  return std::make_shared<ArchivedStore>(std::move(store), std::move(used));
}

} // namespace dovetail
