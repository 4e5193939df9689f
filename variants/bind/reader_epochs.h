// SPDX-License-Identifier: MIT
//
// Reader epochs: how a table can be read without a lock while others replace and remove what is in it. What was removed
// must stay in memory until no reader can be looking at it any more, and readers must not pay for finding that out:
// they write nothing but a cache line of their own.
//
// There is a clock, which goes on by one with each removal. A reader writes the time into its record when it begins to
// read, and 0 when it ends. What is removed gets the time of its removal, and is destroyed once every reader that is
// reading began after that time. A reader can also pin two objects, which then stay beyond the end of its reading: what
// a Binder has bound. All state is in objects, none in thread-local storage, so the library can be unloaded.
//
// Memory ordering. A reader must not miss a removal and be missed by the remover at the same time:
//
//   reader:   epoch.store(now)       pointer.load()
//   remover:  pointer.store(other)   epoch.load()
//
// All four are sequentially consistent, so they have one order, in which either the reader's store comes before the
// remover's load, which then sees the reader, or the remover's store comes before the reader's load, which then sees
// the removal. On x86 this costs the reader one exchange; loads are plain ones. A reader's end is a release store,
// which the remover acquires: all that the reader did, its pins among it, happened before the remover looks at the pins
// and destroys. (Fences would do as well, but ThreadSanitizer does not understand them.)
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

    // Keeps what was found since enter() in memory until it is replaced here, whatever is removed. To be called
    // between enter() and leave(); nullptr may be pinned at any time.
    void pin(const void *first, const void *second) {
      m_pins[0].store(first, std::memory_order_release);
      m_pins[1].store(second, std::memory_order_release);
    }

  private:
    friend class ReaderEpochs;
    std::atomic<uint64_t> m_epoch = 0; // when it began to read; 0: it does not
    std::array<std::atomic<const void *>, 2> m_pins = {};
  };

  ReaderEpochs() = default;
  ReaderEpochs(const ReaderEpochs &) = delete;
  ReaderEpochs &operator=(const ReaderEpochs &) = delete;
  // No reader may be registered any more.
  ~ReaderEpochs() = default;

  void add(Reader &reader);
  // It must not be reading; its pins go.
  void remove(Reader &reader);

  // Pointers that are loaded with std::memory_order_seq_cst after enter() stay valid until leave().
  void enter(Reader &reader) const {
    reader.m_epoch.store(m_clock.load(std::memory_order_acquire), std::memory_order_seq_cst);
  }
  void leave(Reader &reader) const { reader.m_epoch.store(0, std::memory_order_release); }

  // Objects that are about to be removed. They are put here before, which takes memory: a removal that has begun cannot
  // fail any more.
  class Removal {
  public:
    // Readers find the object by this address.
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

  // To be called after the objects were removed, with stores of std::memory_order_seq_cst, from where readers find
  // them. Each is kept until a collect() at which no reader looks at it and its address is not pinned.
  void retire(Removal removal) noexcept;

  // Destroys what was retired and no reader looks at. To be called without locks that destructors might want.
  void collect() noexcept;

  // What is pinned at this moment; more may be before the call returns.
  std::unordered_set<const void *> pinned() const;
  // How many objects wait for their readers.
  size_t retiredCount() const;

private:
  uint64_t oldestReader() const;
  bool isPinned(const void *address) const;

  std::atomic<uint64_t> m_clock = 1;
  mutable std::mutex m_mutex; // guards what follows
  std::vector<Reader *> m_readers;
  std::list<Removal::Retired> m_retired;
};

} // namespace dovetail
