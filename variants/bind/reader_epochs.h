// SPDX-License-Identifier: MIT
//
// Reader epochs let readers use a table without a lock while other threads replace and remove objects in it. A removed
// object must stay in memory until no reader can be looking at it. Finding that out must cost readers nothing: they
// only write a cache line of their own.
//
// There is a clock, which goes on by one with each removal. A reader writes the time into its record when it begins to
// read, and 0 when it ends. A removed object gets the time of its removal. It is destroyed once every active reader
// began after that time. A reader can also pin two objects, which then stay beyond the end of its reading: the ones
// that a Binder has bound. All state is in objects, not in thread-local storage, so the library can be unloaded.
//
// Memory ordering. This must not happen: a reader misses a removal, and the remover misses the reader.
//
//   reader:   epoch.store(now)       pointer.load()
//   remover:  pointer.store(other)   epoch.load()
//
// All four are sequentially consistent, so they have one order. Either the reader's store comes before the remover's
// load, which then sees the reader. Or the remover's store comes before the reader's load, which then sees the removal.
// On x86 this costs the reader one exchange; loads are plain ones. A reader's end is a release store, which the remover
// acquires: all that the reader did, including its pins, happened before the remover looks at the pins and destroys.
// (Fences would do as well, but ThreadSanitizer does not understand them.)
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <utility>
#include <vector>

namespace dovetail {

constexpr size_t CacheLineBytes = 64;

// Thread-safe, apart from Readers, each of which belongs to one thread at a time.
class ReaderEpochs {
public:
  class alignas(CacheLineBytes) Reader {
  public:
    Reader() = default;
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;

    // Keeps objects that were found since enter() in memory, until other pins replace them here, even if they are
    // removed. To be called between enter() and leave(); nullptr may be pinned at any time.
    void pin(const void *first, const void *second) {
      m_pins[0].store(first, std::memory_order_release);
      m_pins[1].store(second, std::memory_order_release);
    }

  private:
    friend class ReaderEpochs;
    std::atomic<uint64_t> m_epoch = 0; // the time when it began to read; 0: it is not reading
    std::array<std::atomic<const void *>, 2> m_pins = {};
  };

  ReaderEpochs() = default;
  ReaderEpochs(const ReaderEpochs &) = delete;
  ReaderEpochs &operator=(const ReaderEpochs &) = delete;
  // No reader may be registered any more.
  ~ReaderEpochs() = default;

  void add(Reader &reader);
  // The reader must not be reading; its pins are released.
  void remove(Reader &reader);

  // Pointers that are loaded with std::memory_order_seq_cst after enter() stay valid until leave().
  void enter(Reader &reader) const {
    reader.m_epoch.store(m_clock.load(std::memory_order_acquire), std::memory_order_seq_cst);
  }
  void leave(Reader &reader) const { reader.m_epoch.store(0, std::memory_order_release); }

  // Objects that are about to be removed. They are added here before the removal begins, because that takes memory:
  // once it has begun, a removal must not fail.
  class Removal {
  public:
    // `address`: by which readers find the object.
    void add(std::shared_ptr<const void> object, const void *address) {
      m_objects.push_back({std::move(object), address, 0});
    }

  private:
    friend class ReaderEpochs;
    struct Retired {
      std::shared_ptr<const void> object;
      const void *address;
      uint64_t time;
    };
    std::list<Retired> m_objects;
  };

  // To be called after the objects were removed from where readers find them, with stores of std::memory_order_seq_cst.
  // Each object is kept until a collect() at which no reader looks at it and its address is not pinned.
  void retire(Removal removal) noexcept;

  // Destroys retired objects that no reader looks at. To be called without locks that destructors might take.
  void collect() noexcept;

  // The objects that are pinned at this moment; more may be pinned before the call returns.
  std::unordered_set<const void *> pinned() const;
  // The number of objects that wait for their readers.
  size_t retiredCount() const;

private:
  uint64_t oldestReader() const;
  bool isPinned(const void *address) const;

  std::atomic<uint64_t> m_clock = 1;
  mutable std::mutex m_mutex; // guards the members below
  std::vector<Reader *> m_readers;
  std::list<Removal::Retired> m_retired;
};

} // namespace dovetail
