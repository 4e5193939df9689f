// SPDX-License-Identifier: MIT
//
// What readers and writers of archives agree on beyond their tables (archive.h).
#pragma once

#include "parts/store/archive.h"
#include "src/base/hash.h"

namespace dovetail {

constexpr int64_t ArchiveApplicationId = 0x64767461; // "dvta"
// Must change whenever the meaning of any column changes.
constexpr int64_t ArchiveFormatVersion = 1;

// Covers what Archive::open() believes.
inline std::string archiveChecksum(const ArchiveAbout &about) {
  Hasher hasher;
  hasher.add(ArchiveFormatVersion).add(about.parts).add(about.validModules).add(about.digest);
  for (const auto &list : {about.builds, about.gpus}) {
    hasher.add(list.size());
    for (const std::string &word : list)
      hasher.add(word);
  }
  return hasher.finish().toHex();
}

inline void addToArchiveDigest(Hasher &digest, const PartKey &key, std::string_view build, std::string_view gpu,
                               store::Bytes value) {
  digest.add(key.kind).add(key.hash).add(build).add(gpu).add(value.size()).addBytes(std::as_bytes(value));
}

} // namespace dovetail
