// SPDX-License-Identifier: MIT
//
// A part store as part-dump sees it: opened only if it is there, usually without the right to write, so that looking at
// it changes nothing in it, not even the order in which its parts will be evicted.
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
  Write,  // refused if the database is damaged: a store begins a new one then, and what there was would be gone
  Repair, // a damaged database may be put aside
};

// What happens to a damaged database is told on the standard error. Errors: Io, naming the path, if there is no store
// or it cannot be used.
Result<std::shared_ptr<PartStore>> openStore(const std::string &path, Access access = Access::Read);

// What is known of an entry, and its part.
struct StoredPart {
  PartStoreEntry entry;
  PartRef part;
};

// Everything in the store, or everything of a kind, in the order of the keys. What vanishes meanwhile is left out, and
// what is damaged; there is a warning about that on the standard error.
Result<std::vector<PartStoreEntry>> readEntries(PartStore &store, std::optional<PartKind> kind = {});
Result<std::vector<StoredPart>> readParts(PartStore &store, std::optional<PartKind> kind = {});

// The part whose key begins with these hexadecimal digits. Errors: InvalidInput if there is none, or several, which are
// listed.
Result<StoredPart> findPart(PartStore &store, std::string prefix);

// The shortest prefix length, at least MinShortKey, at which no two keys are the same.
constexpr size_t MinShortKey = 6;
size_t shortKeyLength(const std::vector<StoredPart> &parts);

// Adds the option --kind, which takes the symbols of the kinds ("vertex_prolog").
CLI::Option *addKindOption(CLI::App &command, std::optional<PartKind> &kind);

} // namespace dovetail::part_dump
