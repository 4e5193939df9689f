// SPDX-License-Identifier: MIT
#include "parts/store/distinct_count.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace dovetail::store {

DistinctCount::DistinctCount(std::span<const uint8_t> bytes) {
  if (bytes.size() == registers.size())
    std::ranges::copy(bytes, registers.begin());
}

void DistinctCount::raise(unsigned index, unsigned rank) {
  if (rank > get(index))
    registers[index / 2] = uint8_t((registers[index / 2] & (index % 2 == 0 ? 0xf0 : 0x0f)) | rank << (index % 2 * 4));
}

void DistinctCount::add(const Hash128 &hash) {
  uint64_t bits = hash.low;
  raise(unsigned(bits >> (64 - RegisterBits)), unsigned(std::min(std::countl_zero(bits << RegisterBits) + 1, 15)));
}

void DistinctCount::merge(const DistinctCount &other) {
  for (unsigned index = 0; index < RegisterCount; ++index)
    raise(index, other.get(index));
}

uint64_t DistinctCount::estimate() const {
  double sum = 0;
  unsigned empty = 0;
  for (unsigned index = 0; index < RegisterCount; ++index) {
    sum += std::ldexp(1.0, -int(get(index)));
    empty += get(index) == 0;
  }
  constexpr double Count = RegisterCount;
  double estimate = 0.7213 / (1 + 1.079 / Count) * Count * Count / sum;
  if (estimate <= 2.5 * Count && empty > 0)
    estimate = Count * std::log(Count / empty);
  return uint64_t(std::llround(estimate));
}

} // namespace dovetail::store
