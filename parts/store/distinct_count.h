// SPDX-License-Identifier: MIT
//
// About how many different things were counted, in 64 bytes, however often each was: HyperLogLog (Flajolet, Fusy,
// Gandouet, Meunier, 2007). The first bits of a thing's hash choose one of 128 registers, which remembers the longest
// run of zeros that follow; long runs are rare, so they tell of many things. The standard error is 9 %, and less for
// small numbers, where the registers that are still empty are counted instead.
#pragma once

#include "src/base/hash.h"
#include <array>
#include <cstdint>
#include <span>

namespace dovetail::store {

class DistinctCount {
public:
  static constexpr size_t Bytes = 64;

  DistinctCount() = default;
  // From what `registers` were. Of another length: nothing was counted.
  explicit DistinctCount(std::span<const uint8_t> bytes);

  void add(const Hash128 &hash);
  void merge(const DistinctCount &other);
  uint64_t estimate() const;

  // Two registers of four bits in each byte.
  std::array<uint8_t, Bytes> registers = {};

  bool operator==(const DistinctCount &) const = default;

private:
  static constexpr unsigned RegisterBits = 7;
  static constexpr unsigned RegisterCount = 1u << RegisterBits;

  unsigned get(unsigned index) const { return registers[index / 2] >> (index % 2 * 4) & 15; }
  void raise(unsigned index, unsigned rank);
};

} // namespace dovetail::store
