// SPDX-License-Identifier: MIT
//
// Keeps what worker processes make, in their parent: in the local store and on the server. The parent writes many parts
// at once, and answers its processes, which have neither a store nor a connection.
#pragma once

#include "parts/store/entry_store.h"
#include "tools/programs/dovetail/farm/part_exchange.h"

namespace dovetail::farm {

class PartKeeper {
public:
  // Both must outlive it.
  PartKeeper(EntryStore &store, PartExchange &exchange) : m_store(store), m_exchange(exchange) {}

  // A PartQuestion's answer: what was just made, then what the server has, then what the store has.
  PartAnswer find(const PartQuestion &question);
  void take(UnitReply &reply);
  // Makes sure that the parts outlive this process: in the store, because the server may evict them, and on the server,
  // as far as it takes them. Returns how many of the encoded parts the server had already. Errors, from then on: Io if
  // neither takes them.
  Result<uint64_t> keep();

private:
  EntryStore &m_store;
  PartExchange &m_exchange;
  bool m_hasLost = false; // parts that neither of them has
};

} // namespace dovetail::farm
