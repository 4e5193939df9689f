// SPDX-License-Identifier: MIT
#include "parts/part_cache.h"
#include <chrono>
#include <exception>

namespace dovetail {

namespace {

// What is thrown out of a maker (memory running out) must not leave the waiters waiting.
Result<PartRef> callMaker(const PartCache::Maker &make) {
  try {
    return make();
  } catch (const std::exception &exception) {
    return makeError(ErrorCode::Internal, "making a part failed: {}", exception.what());
  }
}

} // namespace

Result<PartLookup> PartCache::getOrMake(const PartKey &key, const Maker &make) {
  std::promise<Result<PartRef>> promise;
  Outcome outcome;
  bool isFirst;
  {
    Table::accessor place;
    isFirst = m_table.insert(place, key);
    if (isFirst)
      place->second = promise.get_future().share();
    outcome = place->second;
  }
  // Beyond this point, no lock is held.

  if (!isFirst) {
    const Result<PartRef> &result = outcome.get();
    if (!result)
      return tl::unexpected<Error>(result.error());
    m_found.fetch_add(1, std::memory_order_relaxed);
    return PartLookup{*result, false};
  }

  Result<PartRef> result = callMaker(make);
  if (!result) {
    m_failed.fetch_add(1, std::memory_order_relaxed);
    m_table.erase(key); // before the waiters wake up, so that none of them finds the failure again
    promise.set_value(result);
    return tl::unexpected<Error>(result.error());
  }
  m_made.fetch_add(1, std::memory_order_relaxed);
  m_bytes.fetch_add((*result)->code.size() + (*result)->constants.size(), std::memory_order_relaxed);
  promise.set_value(result);
  return PartLookup{*result, true};
}

PartRef PartCache::readyPart(const Outcome &outcome) {
  if (outcome.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return nullptr;
  const Result<PartRef> &result = outcome.get();
  return result ? *result : nullptr;
}

PartRef PartCache::find(const PartKey &key) const {
  Table::const_accessor place;
  if (!m_table.find(place, key))
    return nullptr;
  return readyPart(place->second);
}

PartCacheStatistics PartCache::statistics() const {
  return {m_made, m_found, m_failed, m_bytes};
}

std::vector<PartRef> PartCache::parts() const {
  std::vector<PartRef> result;
  for (const auto &[key, outcome] : m_table) {
    if (PartRef part = readyPart(outcome))
      result.push_back(std::move(part));
  }
  return result;
}

} // namespace dovetail
