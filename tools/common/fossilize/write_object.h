// SPDX-License-Identifier: MIT
//
// Objects as payloads of a database. An object's hash is one of what is written, so equal objects have equal hashes in
// all databases. (Fossilize computes its own in another way, which readers need not know.)
#pragma once

#include "tools/common/fossilize/objects.h"

namespace dovetail::fossilize {

struct WrittenObject {
  ObjectHash hash;
  std::vector<uint8_t> payload;
};

// For each of the objects that kindOf() knows. Numbers that JSON does not have become finite ones.
template <typename Object> WrittenObject writeObject(const Object &object);

// Writes the object unless it is there. Errors: those of DatabaseWriter::write().
template <typename Object> Result<ObjectHash> addObject(DatabaseWriter &writer, const Object &object) {
  const WrittenObject written = writeObject(object);
  DOVETAIL_CHECK(writer.write(kindOf(&object), written.hash, written.payload));
  return written.hash;
}

} // namespace dovetail::fossilize
