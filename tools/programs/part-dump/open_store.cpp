// SPDX-License-Identifier: MIT
#include "tools/programs/part-dump/open_store.h"
#include "tools/common/command/options.h"
#include "tools/programs/part-dump/terminal.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace dovetail::part_dump {

namespace {

std::string toLower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) { return char(std::tolower(letter)); });
  return text;
}

void warn(std::string_view text) {
  std::fprintf(stderr, "part-dump: warning: %.*s\n", int(text.size()), text.data());
}

} // namespace

Result<std::shared_ptr<PartStore>> openStore(const std::string &path, Access access) {
  if (path.empty())
    return makeError(ErrorCode::InvalidInput, "STORE is an empty name");
  const std::filesystem::path data = std::filesystem::path(path) / PartStoreFile;
  std::error_code failure;
  const uint64_t size = std::filesystem::file_size(data, failure);
  if (failure)
    return makeError(ErrorCode::Io, "there is no part store in {}: {}: {}", path, data.string(), failure.message());

  PartStoreOptions options;
  options.path = path;
  options.readOnly = access == Access::Read;
  options.trustFolder = true; // code that is only looked at is not run
  // The store's users decide its size limit. Opening a store to look at it must not make it smaller.
  options.maxBytes = std::max(options.maxBytes, 2 * size);
  if (access == Access::Write) {
    PartStoreOptions reading = options;
    reading.readOnly = true;
    const std::shared_ptr<PartStore> store = DOVETAIL_TRY(PartStore::open(std::move(reading)));
    DOVETAIL_TRY(readEntries(*store));
  }
  // With Access::Write, a failure is the Error of the later write.
  if (access == Access::Repair)
    options.onWarning = warn;
  return PartStore::open(options);
}

Result<std::vector<PartStoreEntry>> readEntries(PartStore &store, std::optional<PartKind> kind) {
  std::vector<PartStoreEntry> entries = DOVETAIL_TRY(store.entries());
  std::erase_if(entries, [&](const PartStoreEntry &entry) { return kind && entry.key.kind != *kind; });
  return entries;
}

Result<std::vector<StoredPart>> readParts(PartStore &store, std::optional<PartKind> kind) {
  std::vector<PartStoreEntry> entries = DOVETAIL_TRY(readEntries(store, kind));
  std::vector<StoredPart> parts;
  for (PartStoreEntry &entry : entries)
    if (PartRef part = store.find(entry.key))
      parts.push_back({std::move(entry), std::move(part)});
  if (const uint64_t damaged = store.statistics().damaged; damaged > 0)
    warn(fmt::format("{} left out, see part-dump verify", count(damaged, "damaged part")));
  return parts;
}

Result<StoredPart> findPart(PartStore &store, std::string prefix) {
  prefix = toLower(prefix);
  if (prefix.empty() || prefix.find_first_not_of("0123456789abcdef") != std::string::npos)
    return makeError(ErrorCode::InvalidInput, "'{}' is not a key: keys are hexadecimal digits", prefix);
  std::vector<PartStoreEntry> found;
  for (const PartStoreEntry &entry : DOVETAIL_TRY(readEntries(store)))
    if (entry.key.hash.toHex().starts_with(prefix))
      found.push_back(entry);
  if (found.empty())
    return makeError(ErrorCode::InvalidInput, "no part in {} has a key that begins with {}", store.options().path,
                     prefix);
  if (found.size() > 1) {
    constexpr size_t Shown = 8;
    std::string list;
    for (size_t index = 0; index < std::min(found.size(), Shown); ++index)
      list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", found[index].key.hash.toHex(),
                          toString(found[index].key.kind));
    if (found.size() > Shown)
      list += fmt::format(" and {} more", found.size() - Shown);
    return makeError(ErrorCode::InvalidInput, "{} keys in {} begin with {}: {}", found.size(), store.options().path,
                     prefix, list);
  }
  PartRef part = store.find(found.front().key);
  if (!part)
    return makeError(ErrorCode::Io, "the entry of {} in {} is damaged, or went this moment",
                     found.front().key.hash.toHex(), store.options().path);
  return StoredPart{found.front(), part};
}

size_t shortKeyLength(const std::vector<StoredPart> &parts) {
  std::vector<std::string> keys;
  for (const StoredPart &stored : parts)
    keys.push_back(stored.entry.key.hash.toHex());
  std::ranges::sort(keys);
  size_t length = MinShortKey;
  for (size_t index = 1; index < keys.size(); ++index) {
    auto [a, b] = std::ranges::mismatch(keys[index - 1], keys[index]);
    if (a != keys[index - 1].end())
      length = std::max(length, size_t(a - keys[index - 1].begin()) + 1);
  }
  return length;
}

CLI::Option *addKindOption(CLI::App &command, std::optional<PartKind> &kind) {
  std::map<std::string, PartKind> kinds;
  for (unsigned number = 0; number < PartKindCount; ++number)
    kinds.emplace(toSymbol(PartKind(number)), PartKind(number));
  return addChoice<PartKind>(
      command, "--kind", kinds, [&kind](PartKind chosen) { kind = chosen; },
      "parts of this kind only, for example fragment_epilog");
}

} // namespace dovetail::part_dump
