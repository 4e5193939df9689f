// SPDX-License-Identifier: MIT
//
// Opens part stores for part-dump: only if they exist, and usually read-only. So looking at a store changes nothing in
// it, not even the order in which its parts will be evicted.
#pragma once

#include "parts/store/part_store.h"
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::part_dump {

enum class Access : uint8_t {
  Read,
  Write,  // refuses a damaged database, because a store would begin a new one and the old one would be lost
  Repair, // may put a damaged database aside
};

// Says on the standard error what happens to a damaged database. Errors: Io, naming the path, if there is no store or
// it cannot be used.
Result<std::shared_ptr<PartStore>> openStore(const std::string &path, Access access = Access::Read);

// An entry's metadata, and its part.
struct StoredPart {
  PartStoreEntry entry;
  PartRef part;
};

// All entries of the store, or all of a kind, in the order of the keys. Entries that vanish meanwhile are left out.
// Damaged ones are left out with a warning on the standard error.
Result<std::vector<PartStoreEntry>> readEntries(PartStore &store, std::optional<PartKind> kind = {});
Result<std::vector<StoredPart>> readParts(PartStore &store, std::optional<PartKind> kind = {});

// The part whose key begins with these hexadecimal digits. Errors: InvalidInput if no part has such a key, or if
// several have; the text lists them.
Result<StoredPart> findPart(PartStore &store, std::string prefix);

// The shortest prefix length, at least MinShortKey, that tells all keys apart.
constexpr size_t MinShortKey = 6;
size_t shortKeyLength(const std::vector<StoredPart> &parts);

// Adds the option --kind, which takes the symbols of the kinds ("vertex_prolog").
CLI::Option *addKindOption(CLI::App &command, std::optional<PartKind> &kind);

} // namespace dovetail::part_dump
