// SPDX-License-Identifier: MIT
//
// What a worker process gets at once: some items. Small items cost less if they share a unit, because the processes
// talk to each other, and to the server, once for all of them. A unit has the text of each pipeline once.
#pragma once

#include "tools/programs/dovetail/farm/work_queue.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::farm {

struct ReadyItem {
  TakenItem taken;
  std::shared_ptr<const QueuedPipeline> pipeline;
};

struct ItemUnit {
  struct Entry {
    std::string gpu;
    ItemTier tier;
    size_t text; // index of the pipeline's
  };
  std::vector<std::string> texts;
  std::vector<Entry> entries; // those of a pipeline are neighbours

  static ItemUnit of(const std::vector<ReadyItem> &items);
  std::string encode() const;
  // `unit`: from encode().
  static ItemUnit decode(std::string_view unit);
};

} // namespace dovetail::farm
