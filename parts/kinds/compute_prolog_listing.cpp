// SPDX-License-Identifier: MIT
//
// What a compute prolog does: eight rows of a workgroup are as many waves as the rows have squares. A lane's number
// within these rows says which of the squares it belongs to, and its low bits, where in it, squares of 2 by 2 first.
#include "parts/kinds/compute_prolog.h"
#include "parts/listing/listing.h"

namespace dovetail {

Listing listComputeProlog(const ComputePrologKey &key) {
  constexpr unsigned x = 0, y = 1, z = 2;
  constexpr uint32_t inSquare = 7, ofSquare = ~inSquare;
  Listing listing(key.sgprCount, 0, false);
  auto add = [&](Value a, Value b) { return listing.add(Operation::Add, a, b); };
  auto bitsOf = [&](Value value, uint32_t mask) { return listing.add(Operation::And, value, listing.constant(mask)); };
  auto shiftedDown = [&](Value value, unsigned count) {
    return listing.addImmediate(Operation::DivideUnsigned, value, 1u << count);
  };
  const Value idX = listing.input(RegisterBank::Vgpr, x), idY = listing.input(RegisterBank::Vgpr, y);
  const Value row = listing.addImmediate(Operation::MultiplySmall, bitsOf(idY, inSquare), key.rowLength);
  const Value lane = add(row, idX); // of eight rows
  const Value by2 = shiftedDown(lane, 1), by8 = shiftedDown(lane, 3);
  const Value firstRow = bitsOf(idY, ofSquare);
  // Bits of the lane: 0, 2 and 3 are x in the square, 1, 4 and 5 are y.
  const Value newX = add(add(bitsOf(by8, ofSquare), bitsOf(lane, 1)), bitsOf(by2, 6));
  const Value newY = add(add(firstRow, bitsOf(by2, 1)), bitsOf(by8, 6));
  listing.give(newX, {RegisterBank::Vgpr, x});
  listing.give(newY, {RegisterBank::Vgpr, y});
  if (key.passesDepth)
    listing.give(listing.input(RegisterBank::Vgpr, z), {RegisterBank::Vgpr, z});
  return listing;
}

} // namespace dovetail
