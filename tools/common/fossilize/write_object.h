// SPDX-License-Identifier: MIT
//
// Writes objects as payloads of a database. An object's hash covers its payload, so equal objects have equal hashes in
// all databases. (Fossilize computes its hashes in another way; readers need not know how.)
#pragma once

#include "tools/common/fossilize/objects.h"

namespace dovetail::fossilize {

struct WrittenObject {
  ObjectHash hash;
  std::vector<uint8_t> payload;
};

// For each object type that kindOf() knows. Numbers that JSON lacks (infinities, NaN) become finite ones.
template <typename Object> WrittenObject writeObject(const Object &object);

// Writes the object unless the database has it. Errors: those of DatabaseWriter::write().
template <typename Object> Result<ObjectHash> addObject(DatabaseWriter &writer, const Object &object) {
  const WrittenObject written = writeObject(object);
  DOVETAIL_CHECK(writer.write(kindOf(&object), written.hash, written.payload));
  return written.hash;
}

} // namespace dovetail::fossilize
