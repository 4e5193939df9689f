// SPDX-License-Identifier: MIT
//
// SingleFlight: a table in which every value is made once, even if many threads ask for it at the same time. The first
// thread that asks makes it; the others wait for that thread. An Error goes to all of them and is not remembered: the
// next call tries again.
//
// There are two exceptions. A thread that draws must not wait for the optimiser, and a thread that binds without
// compiling must wait for nobody (src/base/asking_thread.h). If such a thread needs a value that another thread is
// making, it makes the value itself; the first one to be ready wins.
//
// The table is split by key into shards. Each shard has a lock, which is held for a look-up or an insertion, never
// while a value is made. So making one value may use the table for others, and threads that want other values do not
// wait.
#pragma once

#include "parts/cache/eviction_sample.h"
#include "parts/cache/flat_table.h"
#include "src/base/asking_thread.h"
#include "src/base/error.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace dovetail {

// Thread-safe. Key has a std::hash and ==; Value is cheap to copy, as shared_ptr is. `Shards`: so many that each shard
// is small, because threads wait for a shard that grows.
template <typename Key, typename Value, size_t Shards = 256> class SingleFlight {
public:
  static constexpr size_t ShardCount = Shards;

  struct Lookup {
    Value value = {};
    bool made = false;   // by this call
    bool waited = false; // for another thread, which was making the value
  };

  // `make`: Result<Value>(), called if nobody has the value yet.
  template <typename Make> Result<Lookup> getOrMake(const Key &key, const Make &make) {
    Shard &shard = shardOf(key);
    uint64_t ticket = 0;            // of the first thread that makes the value
    std::shared_ptr<Flight> flight; // if this thread is to wait
    bool isFirst = false;
    {
      std::scoped_lock lock(shard.mutex);
      if (Made *made = shard.made.find(key)) {
        made->lastUse = m_tick.load(std::memory_order_relaxed);
        return Lookup{made->value};
      }
      Making *making = shard.findMaking(key);
      isFirst = !making;
      if (isFirst) {
        ticket = ++shard.tickets;
        shard.making.push_back({key, ticket, isOptimizingThread, nullptr});
      } else {
        ticket = making->ticket;
        if (mayWaitFor(*making))
          flight = making->flight ? making->flight : (making->flight = std::make_shared<Flight>());
      }
    }
    // Beyond this point, no lock is held.

    if (flight)
      return lookUp(*flight, false, true);
    m_overtakings.fetch_add(!isFirst, std::memory_order_relaxed);
    try {
      Result<Value> result = call(make);
      const Finished finished = finish(shard, key, ticket, isFirst, result);
      if (finished.flight) {
        finished.flight->land(std::move(result));
        return lookUp(*finished.flight, finished.isOurs, false);
      }
      if (!result)
        return tl::unexpected<Error>(std::move(result.error()));
      return Lookup{std::move(*result), finished.isOurs, false};
    } catch (...) { // memory ran out
      if (isFirst)
        abandon(shard, key, ticket);
      throw;
    }
  }

  // Nothing if the value is absent or still being made. Counts as a use.
  std::optional<Value> find(const Key &key) const {
    Shard &shard = shardOf(key);
    std::scoped_lock lock(shard.mutex);
    Made *made = shard.made.find(key);
    if (!made)
      return std::nullopt;
    made->lastUse = m_tick.load(std::memory_order_relaxed);
    return made->value;
  }

  // Calls visit(key, value, lastUse) for all finished values in a piece of the table, in no order; the shard is locked
  // meanwhile. lastUse is a tick() of the past.
  template <typename Visit> void forEachIn(const TablePiece &piece, const Visit &visit) const {
    Shard &shard = m_shards[piece.shard];
    std::scoped_lock lock(shard.mutex);
    const size_t cells = shard.made.cellCount();
    shard.made.forEachIn(piece.begin(cells), piece.end(cells),
                         [&](const Key &key, const Made &made) { visit(key, made.value, made.lastUse); });
  }

  // The same for the whole table, one shard after the other.
  template <typename Visit> void forEach(const Visit &visit) const {
    for (size_t shard = 0; shard < ShardCount; ++shard)
      forEachIn({.shard = shard}, visit);
  }

  // Forgets a value if mayGo(value) says so; meanwhile nobody can get it from the table. Returns the forgotten value,
  // so that it is destroyed without a lock.
  template <typename MayGo> std::optional<Value> eraseIf(const Key &key, const MayGo &mayGo) {
    Shard &shard = shardOf(key);
    std::scoped_lock lock(shard.mutex);
    Made *made = shard.made.find(key);
    if (!made || !mayGo(made->value))
      return std::nullopt;
    std::optional<Value> value = std::move(made->value);
    shard.made.erase(made);
    return value;
  }

  // Puts a value in the place of the one that the key has. Returns that one; nothing, and changes nothing, if the key
  // has none.
  std::optional<Value> exchange(const Key &key, Value value) {
    Shard &shard = shardOf(key);
    std::scoped_lock lock(shard.mutex);
    Made *made = shard.made.find(key);
    return made ? std::optional(std::exchange(made->value, std::move(value))) : std::nullopt;
  }

  // The clock of lastUse. It counts finished makings.
  uint64_t tick() const { return m_tick.load(std::memory_order_relaxed); }

  // How often a thread made a value that another thread was making already, rather than wait for it.
  uint64_t overtakings() const { return m_overtakings.load(std::memory_order_relaxed); }

private:
  // The object that threads wait for while a value is being made. It is only created when somebody waits.
  class Flight {
  public:
    // Wakes the waiting threads.
    void land(Result<Value> outcome) noexcept {
      m_outcome = std::move(outcome);
      m_hasLanded.store(true, std::memory_order_release);
      m_hasLanded.notify_all();
    }
    const Result<Value> &wait() const {
      m_hasLanded.wait(false, std::memory_order_acquire);
      return m_outcome;
    }

  private:
    Result<Value> m_outcome;
    std::atomic<int> m_hasLanded = false;
  };
  struct Made {
    Value value = {};
    uint64_t lastUse = 0;
  };
  struct Making {
    Key key;
    uint64_t ticket; // unique in its shard
    bool isOptimizers;
    std::shared_ptr<Flight> flight;
  };
  struct Shard {
    std::mutex mutex;
    FlatTable<Key, Made> made;
    boost::container::small_vector<Making, 1> making; // few
    uint64_t tickets = 0;

    Making *findMaking(const Key &key) {
      auto place = std::ranges::find(making, key, &Making::key);
      return place == making.end() ? nullptr : &*place;
    }
    // Returns the flight, if somebody waits for it.
    std::shared_ptr<Flight> remove(Making *gone) {
      std::shared_ptr<Flight> flight = std::move(gone->flight);
      if (gone != &making.back())
        *gone = std::move(making.back());
      making.pop_back();
      return flight;
    }
  };

  // Waits for a flight. It does not copy the tl::expected as a whole: if memory for the Error's text ran out during
  // that copy, the process would end.
  static Result<Lookup> lookUp(const Flight &flight, bool isMade, bool hasWaited) {
    const Result<Value> &result = flight.wait();
    if (!result)
      return tl::unexpected<Error>(result.error());
    return Lookup{*result, isMade, hasWaited};
  }

  // An exception of a maker becomes an Error. Only std::bad_alloc is thrown on.
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

  // For the first thread, when memory ran out: the waiting threads must not wait for ever. Takes no memory itself.
  static void abandon(Shard &shard, const Key &key, uint64_t ticket) noexcept {
    std::shared_ptr<Flight> flight;
    {
      std::scoped_lock lock(shard.mutex);
      if (Making *making = shard.findMaking(key); making && making->ticket == ticket)
        flight = shard.remove(making);
    }
    if (flight)
      flight->land(makeError(ErrorCode::Internal, "out of memory")); // so short that the text needs no memory
  }

  static bool mayWaitFor(const Making &making) { return mayWait && (!making.isOptimizers || isOptimizingThread); }

  struct Finished {
    bool isOurs = false;
    std::shared_ptr<Flight> flight; // to be landed with the result
  };

  // Puts the result into the table. If another thread did so meanwhile, the result becomes that thread's. To be called
  // before the waiters wake up, so that none of them finds a failure again.
  Finished finish(Shard &shard, const Key &key, uint64_t ticket, bool isFirst, Result<Value> &result) {
    const uint64_t now = m_tick.fetch_add(1, std::memory_order_relaxed) + 1;
    std::scoped_lock lock(shard.mutex);
    if (const Made *made = shard.made.find(key)) {
      result = made->value;
      return {};
    }
    Making *making = shard.findMaking(key);
    if (making && making->ticket != ticket)
      return {}; // the value was made and forgotten, and another thread makes it again
    if (!result)
      return {false, isFirst && making ? shard.remove(making) : nullptr};
    Made &made = shard.made.insert(key);
    made.value = *result;
    made.lastUse = now;
    return {true, making ? shard.remove(making) : nullptr};
  }

  Shard &shardOf(const Key &key) const {
    // The shard's table uses the low bits.
    return m_shards[(std::hash<Key>()(key) >> 32) % ShardCount];
  }

  mutable std::array<Shard, ShardCount> m_shards;
  std::atomic<uint64_t> m_tick = 0;
  std::atomic<uint64_t> m_overtakings = 0;
};

} // namespace dovetail
