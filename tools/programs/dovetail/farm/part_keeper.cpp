// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/farm/part_keeper.h"
#include "parts/store/entry.h"

namespace dovetail::farm {

PartAnswer PartKeeper::find(const PartQuestion &question) {
  PartAnswer answer{std::vector<std::vector<uint8_t>>(question.parts.size())};
  std::vector<PartName> others;
  std::vector<size_t> places;
  for (size_t index = 0; index < question.parts.size(); ++index)
    if (const std::vector<uint8_t> *made = m_exchange.waiting(question.parts[index])) {
      answer.entries[index] = *made;
    } else {
      others.push_back(question.parts[index]);
      places.push_back(index);
    }
  const std::vector<PartRef> found = m_exchange.find(others);
  for (size_t index = 0; index < others.size(); ++index) {
    const PartName &name = others[index];
    std::vector<uint8_t> &entry = answer.entries[places[index]];
    if (found[index]) {
      m_store.put(found[index], name.gpu);
      entry = store::encodeEntry(*found[index]);
    } else if (const PartRef part = m_store.find(name.key)) {
      entry = store::encodeEntry(*part);
      m_exchange.put({name, entry});
    }
  }
  return answer;
}

void PartKeeper::take(UnitReply &reply) {
  for (MadeEntry &made : reply.parts) {
    m_store.putEntry(made.name.key, made.entry, made.name.gpu);
    m_exchange.put(std::move(made));
  }
  for (const spirv::ModuleDigest &digest : reply.validModules)
    m_store.putValidModule(digest);
}

// What the store has committed is there after this process is killed, and on the disk soon. If the server has it, too,
// nobody waits for the disk.
Result<uint64_t> PartKeeper::keep() {
  const PartExchange::Pushed pushed = m_exchange.pushMade();
  if (!pushed.isAll)
    m_store.flush();
  const bool isInStore = m_store.write();
  m_hasLost = m_hasLost || (!isInStore && !pushed.isAll);
  if (m_hasLost)
    return makeError(ErrorCode::Io, "neither the server nor the part store in {} takes parts", m_store.options().path);
  return pushed.known;
}

} // namespace dovetail::farm
