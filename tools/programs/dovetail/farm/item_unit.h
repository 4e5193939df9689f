// SPDX-License-Identifier: MIT
//
// What the parent and a worker process tell each other. A worker process gets some items at once, because small items
// cost less if the processes, and the server, talk once for all of them. It asks the parent for the parts that it would
// have to compile, once for the main parts of all its items, and replies with what it made. The bytes stay on this
// machine and come from this program, so only what a worker process says is checked, because it may be out of its mind.
#pragma once

#include "parts/part_fields.h"
#include "src/base/field_bytes.h"
#include "src/spirv/validate/valid_modules.h"
#include "tools/programs/dovetail/corpus/warmed.h"
#include "tools/programs/dovetail/farm/work_queue.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

DOVETAIL_FIELDS(Warmed, made, known, lost, microseconds, reason, isFatal)

namespace farm {

struct ReadyItem {
  TakenItem taken;
  std::shared_ptr<const QueuedPipeline> pipeline;
};

constexpr ItemTier lastOf(ItemTier) {
  return ItemTier::Optimized;
}

// The text of each pipeline is there once.
struct ItemUnit {
  struct Entry {
    std::string gpu;
    ItemTier tier = ItemTier::Joined;
    uint32_t text = 0; // index of the pipeline's
  };
  std::vector<std::string> texts;
  std::vector<Entry> entries; // those of a pipeline are neighbours

  static ItemUnit of(const std::vector<ReadyItem> &items);
};
DOVETAIL_FIELDS(ItemUnit::Entry, gpu, tier, text)
DOVETAIL_FIELDS(ItemUnit, texts, entries)

struct PartName {
  std::string gpu;
  PartKey key;

  bool operator<(const PartName &other) const { return std::tie(gpu, key) < std::tie(other.gpu, other.key); }
};
DOVETAIL_FIELDS(PartName, gpu, key)

// A worker process's question.
struct PartQuestion {
  std::vector<PartName> parts;
};
DOVETAIL_FIELDS(PartQuestion, parts)

// The entries of the parts (store::encodeEntry), in their order; empty for those that nobody has.
struct PartAnswer {
  std::vector<std::vector<uint8_t>> entries;
};
DOVETAIL_FIELDS(PartAnswer, entries)

// A part, encoded.
struct MadeEntry {
  PartName name;
  std::vector<uint8_t> entry;
};
DOVETAIL_FIELDS(MadeEntry, name, entry)

struct UnitReply {
  std::vector<Warmed> items; // one for each of the unit, in their order
  std::vector<MadeEntry> parts;
  std::vector<spirv::ModuleDigest> validModules;
};
DOVETAIL_FIELDS(UnitReply, items, parts, validModules)

template <HasFields T> std::string encode(const T &value) {
  FieldWriter writer;
  const std::span<const std::byte> bytes = writer.add(value).bytes();
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

// Nothing if the bytes are not those of such a value.
template <HasFields T> std::optional<T> decode(std::string_view bytes) {
  FieldReader reader({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
  T value;
  reader.read(value);
  if (!reader.isGood() || !reader.isAtEnd())
    return std::nullopt;
  return value;
}

} // namespace farm

} // namespace dovetail
