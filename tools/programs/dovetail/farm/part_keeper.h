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
  // Makes sure that the parts outlive this process: on the server, or else on the disk. Returns why that fails; empty:
  // it does not.
  std::string keep();
  // There is nothing to do: the store may write.
  void rest();

private:
  EntryStore &m_store;
  PartExchange &m_exchange;
  bool m_hasTaken = false; // since the last rest()
  uint64_t m_dropped = 0;  // by the store, as far as keep() knows
};

} // namespace dovetail::farm
