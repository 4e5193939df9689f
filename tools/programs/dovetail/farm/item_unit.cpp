// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/farm/item_unit.h"
#include <nlohmann/json.hpp>

namespace dovetail::farm {

ItemUnit ItemUnit::of(const std::vector<ReadyItem> &items) {
  ItemUnit unit;
  const QueuedPipeline *last = nullptr;
  for (const ReadyItem &item : items) {
    if (item.pipeline.get() != last)
      unit.texts.push_back(item.pipeline->text);
    last = item.pipeline.get();
    unit.entries.push_back({item.taken.item.gpu, item.taken.item.tier, unit.texts.size() - 1});
  }
  return unit;
}

// A line of JSON with the entries and the sizes of the texts, then the texts.
std::string ItemUnit::encode() const {
  nlohmann::json list = nlohmann::json::array(), sizes = nlohmann::json::array();
  for (const Entry &entry : entries)
    list.push_back({entry.gpu, unsigned(entry.tier), entry.text});
  for (const std::string &text : texts)
    sizes.push_back(text.size());
  std::string bytes = nlohmann::json{{"entries", std::move(list)}, {"sizes", std::move(sizes)}}.dump() + "\n";
  for (const std::string &text : texts)
    bytes += text;
  return bytes;
}

ItemUnit ItemUnit::decode(std::string_view bytes) {
  const size_t line = bytes.find('\n');
  const nlohmann::json head = nlohmann::json::parse(bytes.substr(0, line));
  ItemUnit unit;
  for (const nlohmann::json &entry : head["entries"])
    unit.entries.push_back({entry[0], ItemTier(entry[1].get<unsigned>()), entry[2]});
  size_t at = line + 1;
  for (const nlohmann::json &size : head["sizes"]) {
    unit.texts.emplace_back(bytes.substr(at, size));
    at += size.get<size_t>();
  }
  return unit;
}

} // namespace dovetail::farm
