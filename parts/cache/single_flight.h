// SPDX-License-Identifier: MIT
//
// SingleFlight: a table in which every value is made once, however many threads ask for it at the same time. The first
// that asks makes it, the others wait for that one. An Error goes to all of them and is not remembered: the next call
// tries again.
//
// A thread that draws must not wait for the optimiser, though. If it needs what the optimiser is just making, it makes
// that itself; who is ready first wins.
//
// The table is split by key into shards, each with a lock that is held for a look-up or an insertion and never while a
// value is made; so making one value may use the table for others, and threads that want other values do not wait.
#pragma once

#include "parts/cache/eviction_sample.h"
#include "src/base/error.h"
#include "src/base/optimizing_thread.h"
#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <unordered_map>

namespace dovetail {

// Thread-safe. Key has a std::hash and ==; Value is cheap to copy, as shared_ptr is.
template <typename Key, typename Value> class SingleFlight {
public:
  // So many that none is large: when one grows, threads wait for all of it.
  static constexpr size_t ShardCount = 256;

  struct Lookup {
    Value value = {};
    bool made = false;   // by this call
    bool waited = false; // for another thread, which was making it
  };

  // `make`: Result<Value>(), called if nobody has the value yet.
  template <typename Make> Result<Lookup> getOrMake(const Key &key, const Make &make) {
    Shard &shard = shardOf(key);
    std::shared_ptr<Flight> flight;
    bool isFirst;
    {
      std::scoped_lock lock(shard.mutex);
      auto [place, isAbsent] = shard.entries.try_emplace(key);
      Entry &entry = place->second;
      isFirst = isAbsent;
      if (isFirst) {
        try {
          entry.flight = flight = std::make_shared<Flight>();
        } catch (...) { // no entry must be left behind that looks made
          shard.entries.erase(place);
          throw;
        }
      } else if (entry.flight) {
        flight = entry.flight;
      } else {
        entry.lastUse = m_tick.load(std::memory_order_relaxed);
        return Lookup{entry.value};
      }
    }
    // Beyond this point, no lock is held.

    if (!isFirst && mayWaitFor(*flight))
      return lookUp(*flight, false, true);
    m_overtakings.fetch_add(!isFirst, std::memory_order_relaxed);
    try {
      Result<Value> result = call(make);
      bool isOurs = finish(shard, key, flight, isFirst, result);
      // Nobody can come to wait for it any more.
      if (isFirst && flight.use_count() > 1) {
        flight->land(std::move(result));
        return lookUp(*flight, isOurs, false);
      }
      if (!result)
        return tl::unexpected<Error>(std::move(result.error()));
      return Lookup{std::move(*result), isOurs, false};
    } catch (...) { // memory ran out
      if (isFirst)
        abandon(shard, key, flight);
      throw;
    }
  }

  // Nothing if it is absent or still being made. Counts as a use.
  std::optional<Value> find(const Key &key) const {
    Shard &shard = shardOf(key);
    std::scoped_lock lock(shard.mutex);
    auto place = shard.entries.find(key);
    if (place == shard.entries.end() || place->second.flight)
      return std::nullopt;
    place->second.lastUse = m_tick.load(std::memory_order_relaxed);
    return place->second.value;
  }

  // visit(key, value, lastUse) for all that are made and in a piece of the table, in no order; the shard is locked
  // meanwhile. lastUse is a tick() of the past.
  template <typename Visit> void forEachIn(const TablePiece &piece, const Visit &visit) const {
    Shard &shard = m_shards[piece.shard];
    std::scoped_lock lock(shard.mutex);
    const size_t buckets = shard.entries.bucket_count();
    for (size_t bucket = piece.begin(buckets); bucket < piece.end(buckets); ++bucket)
      for (auto place = shard.entries.begin(bucket); place != shard.entries.end(bucket); ++place)
        if (const Entry &entry = place->second; !entry.flight)
          visit(place->first, entry.value, entry.lastUse);
  }

  // The same for all of it, a shard after the other.
  template <typename Visit> void forEach(const Visit &visit) const {
    for (size_t shard = 0; shard < ShardCount; ++shard)
      forEachIn({.shard = shard}, visit);
  }

  // Forgets a value if mayGo(value) says so; nobody can get it from the table meanwhile. Returns what was forgotten, so
  // that it is destroyed without a lock.
  template <typename MayGo> std::optional<Value> eraseIf(const Key &key, const MayGo &mayGo) {
    Shard &shard = shardOf(key);
    std::scoped_lock lock(shard.mutex);
    auto place = shard.entries.find(key);
    if (place == shard.entries.end() || place->second.flight || !mayGo(place->second.value))
      return std::nullopt;
    std::optional<Value> value = std::move(place->second.value);
    shard.entries.erase(place);
    return value;
  }

  // How many values were made: the clock of lastUse.
  uint64_t tick() const { return m_tick.load(std::memory_order_relaxed); }

  // How often a thread made what the optimiser was making already, rather than wait for it.
  uint64_t overtakings() const { return m_overtakings.load(std::memory_order_relaxed); }

private:
  class Flight {
  public:
    // Wakes those who wait. The first outcome stays.
    void land(Result<Value> outcome) noexcept {
      if (m_hasLanded.load(std::memory_order_relaxed))
        return;
      m_outcome = std::move(outcome);
      m_hasLanded.store(true, std::memory_order_release);
      m_hasLanded.notify_all();
    }
    const Result<Value> &wait() const {
      m_hasLanded.wait(false, std::memory_order_acquire);
      return m_outcome;
    }

    const bool isOptimizers = isOptimizingThread;

  private:
    Result<Value> m_outcome;
    std::atomic<int> m_hasLanded = false;
  };
  struct Entry {
    Value value = {};
    uint64_t lastUse = 0;
    std::shared_ptr<Flight> flight; // while it is being made
  };
  struct Shard {
    std::mutex mutex;
    std::unordered_map<Key, Entry> entries;
  };

  // Waits for a flight. A tl::expected is not copied as a whole: if there were no memory for the Error's text then,
  // that would end the process.
  static Result<Lookup> lookUp(const Flight &flight, bool isMade, bool hasWaited) {
    const Result<Value> &result = flight.wait();
    if (!result)
      return tl::unexpected<Error>(result.error());
    return Lookup{*result, isMade, hasWaited};
  }

  // What is thrown out of a maker is an Error; that memory ran out is thrown on.
  template <typename Make> static Result<Value> call(const Make &make) {
    try {
      return make();
    } catch (const std::bad_alloc &) {
      throw;
    } catch (const std::exception &exception) {
      return makeError(ErrorCode::Internal, "making a part or variant failed: {}", exception.what());
    } catch (...) {
      return makeError(ErrorCode::Internal, "making a part or variant failed");
    }
  }

  // For the first one, when memory ran out: those who wait must not wait for ever. Takes no memory itself.
  static void abandon(Shard &shard, const Key &key, const std::shared_ptr<Flight> &flight) noexcept {
    {
      std::scoped_lock lock(shard.mutex);
      auto place = shard.entries.find(key);
      if (place != shard.entries.end() && place->second.flight == flight)
        shard.entries.erase(place);
    }
    flight->land(makeError(ErrorCode::Internal, "out of memory")); // short enough to need none
  }

  static bool mayWaitFor(const Flight &flight) { return !flight.isOptimizers || isOptimizingThread; }

  // Puts the result into the table and returns true. If another thread did so meanwhile, the result becomes that
  // thread's. To be called before the waiters wake up, so that none of them finds a failure again.
  bool finish(Shard &shard, const Key &key, const std::shared_ptr<Flight> &flight, bool isFirst,
              Result<Value> &result) {
    uint64_t now = m_tick.fetch_add(1, std::memory_order_relaxed) + 1;
    std::scoped_lock lock(shard.mutex);
    auto place = shard.entries.find(key);
    const bool isAbsent = place == shard.entries.end();
    if (!isAbsent && !place->second.flight) {
      result = place->second.value;
      return false;
    }
    const bool isInFlight = !isAbsent && place->second.flight == flight;
    if (!result) {
      if (isFirst && isInFlight)
        shard.entries.erase(place);
      return false;
    }
    if (!isAbsent && !isInFlight)
      return false; // it was made and forgotten, and another thread makes it again
    Entry &entry = isAbsent ? shard.entries[key] : place->second;
    entry.value = *result;
    entry.lastUse = now;
    entry.flight.reset();
    return true;
  }

  Shard &shardOf(const Key &key) const {
    // std::unordered_map uses the low bits.
    return m_shards[(std::hash<Key>()(key) >> 32) % ShardCount];
  }

  mutable std::array<Shard, ShardCount> m_shards;
  std::atomic<uint64_t> m_tick = 0;
  std::atomic<uint64_t> m_overtakings = 0;
};

} // namespace dovetail
