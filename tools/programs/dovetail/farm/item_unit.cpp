// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/farm/item_unit.h"

namespace dovetail::farm {

ItemUnit ItemUnit::of(const std::vector<ReadyItem> &items) {
  ItemUnit unit;
  const QueuedPipeline *last = nullptr;
  for (const ReadyItem &item : items) {
    if (item.pipeline.get() != last)
      unit.texts.push_back(item.pipeline->text);
    last = item.pipeline.get();
    unit.entries.push_back({item.taken.item.gpu, item.taken.item.tier, uint32_t(unit.texts.size() - 1)});
  }
  return unit;
}

} // namespace dovetail::farm
