// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/farm/asked_store.h"
#include "parts/store/entry.h"
#include "tools/common/command/unit_link.h"

namespace dovetail::farm {

void askFor(std::vector<PartName> parts, Collected &collected) {
  if (parts.empty())
    return;
  const PartQuestion question{std::move(parts)};
  std::optional<PartAnswer> answer = decode<PartAnswer>(askPool(encode(question)));
  for (size_t index = 0; index < question.parts.size(); ++index) {
    std::vector<uint8_t> &entry = collected.answers[question.parts[index]];
    if (answer && answer->entries.size() == question.parts.size())
      entry = std::move(answer->entries[index]);
  }
}

PartRef AskedStore::find(const PartKey &key) {
  if (makingOf(key.kind) == PartMaking::Encoded)
    return nullptr;
  const PartName name{m_gpu, key};
  auto known = m_collected.answers.find(name);
  if (known == m_collected.answers.end()) {
    askFor({name}, m_collected);
    known = m_collected.answers.find(name);
  }
  if (known->second.empty())
    return nullptr;
  Result<Part> part = store::decodeEntry(key, known->second);
  return part ? std::make_shared<const Part>(std::move(*part)) : nullptr;
}

void AskedStore::put(const PartRef &part, std::string_view gpuName) {
  m_collected.parts.emplace_back(part, gpuName);
}

} // namespace dovetail::farm
