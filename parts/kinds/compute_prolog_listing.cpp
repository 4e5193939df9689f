// SPDX-License-Identifier: MIT
//
// What a compute prolog does: eight rows of a workgroup are as many waves as the rows have squares. A lane's number
// within these rows says which of the squares it belongs to, and its low bits, where in it, squares of 2 by 2 first.
#include "parts/kinds/compute_prolog.h"
#include "parts/listing/listing.h"

namespace dovetail {

Listing listComputeProlog(const ComputePrologKey &key) {
  constexpr unsigned x = 0, y = 1, z = 2;
  constexpr uint32_t inSquare = 7;
  Listing listing(key.sgprCount, 0, false);
  auto shiftedDown = [&](Value value, unsigned count) {
    return listing.addImmediate(Operation::DivideUnsigned, value, 1u << count);
  };
  // The value's bits that the mask has, and the other one's besides.
  auto bitsOf = [&](Value value, uint32_t mask, Value other) {
    return listing.add(Step{.operation = Operation::SelectBits, .operands = {value, other}, .immediate = mask});
  };
  const Value idX = listing.input(RegisterBank::Vgpr, x), idY = listing.input(RegisterBank::Vgpr, y);
  const Value rowOfSquare = listing.add(Operation::And, idY, listing.constant(inSquare));
  const Value row = listing.addImmediate(Operation::MultiplySmall, rowOfSquare, key.rowLength);
  const Value lane = listing.add(Operation::Add, row, idX); // of eight rows
  const Value by2 = shiftedDown(lane, 1), by8 = shiftedDown(lane, 3);
  // Bits of the lane: 0, 2 and 3 are x in the square, 1, 4 and 5 are y; those above say which square.
  const Value newX = bitsOf(lane, 1, bitsOf(by2, 6, by8));
  const Value newY = bitsOf(by2, 1, bitsOf(by8, 6, idY));
  listing.give(newX, {RegisterBank::Vgpr, x});
  listing.give(newY, {RegisterBank::Vgpr, y});
  if (key.passesDepth)
    listing.give(listing.input(RegisterBank::Vgpr, z), {RegisterBank::Vgpr, z});
  return listing;
}

} // namespace dovetail
