// SPDX-License-Identifier: MIT
//
// What a geometry prolog does: it chooses between two vertices for each place.
#include "parts/kinds/geometry_prolog.h"
#include "parts/listing/listing.h"
#include "src/abi/entry_registers.h"
#include <array>

namespace dovetail {

namespace {

constexpr unsigned VertexCount = 6;

} // namespace

Listing listGeometryProlog(const GeometryPrologKey &key) {
  Listing listing(key.sgprCount, 0, false);
  std::array<Value, VertexCount> vertices;
  std::array<Register, VertexCount> places;
  Value primitiveId;
  std::span<const ValueName> vgprs = entryVgprs(HardwareStage::Gs);
  for (uint16_t i = 0; i != vgprs.size(); ++i) {
    const Value value = listing.input(RegisterBank::Vgpr, i);
    if (vgprs[i].kind == ValueKind::GsVertexOffset) {
      vertices[vgprs[i].index] = value;
      places[vgprs[i].index] = {RegisterBank::Vgpr, i};
      continue;
    }
    if (vgprs[i].kind == ValueKind::GsPrimitiveId)
      primitiveId = value;
    listing.give(value, {RegisterBank::Vgpr, i});
  }

  const Value isOdd = listing.add(Operation::IsNonzero, listing.add(Operation::And, primitiveId, listing.constant(1)));
  // Each place's old vertex is needed in the place before it in this order, and then no more.
  for (unsigned place : {0, 4, 2, 1, 5, 3})
    listing.give(listing.add(Operation::Select, isOdd, vertices[(place + 4) % VertexCount], vertices[place]),
                 places[place]);
  return listing;
}

} // namespace dovetail
