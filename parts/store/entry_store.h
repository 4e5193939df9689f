// SPDX-License-Identifier: MIT
//
// A part store for a process that writes parts which others have made and encoded: the parent of worker processes. It
// has no thread of its own, because such a process forks others, and because memory that only one thread uses is
// cheaper.
#pragma once

#include "parts/store/part_store.h"

namespace dovetail {

class EntryStore : public PartStore {
public:
  // As PartStore::open(). But nothing is written before write(), flush() or the destructor, on their threads.
  static Result<std::shared_ptr<EntryStore>> open(PartStoreOptions options);

  // As put(), for an entry that store::encodeEntry() made of a part with this key.
  virtual void putEntry(const PartKey &key, std::vector<uint8_t> entry, std::string_view gpuName) = 0;
  // Commits what waits. It outlives this process then; with flush(), also a power cut. Returns whether the store has
  // taken all parts since the last call.
  virtual bool write() = 0;
};

} // namespace dovetail
