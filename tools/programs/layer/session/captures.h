// SPDX-License-Identifier: MIT
//
// Writes the pipelines that were bound to a Fossilize database: each set of shaders and state once, in the order of
// their first binds. tools/common/fossilize/capture.h does the writing; `dovetail compile`, `draw` and `corpus` read
// the database.
#pragma once

#include "tools/common/fossilize/capture.h"
#include "tools/programs/layer/session/objects.h"
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace dovetail::layer {

// A captured pipeline and its variant.
struct CapturedVariant {
  std::string pipeline; // its hash in the database
  uint64_t key[2] = {}; // dovetail_variant_info's key; zeros: the bind was refused
};

// Thread-safe.
class Captures {
public:
  // nullptr and the reason if the file cannot be made.
  static std::unique_ptr<Captures> open(const std::string &path, std::string &reason);

  // `fields`: nullptr for compute. `variant`: nullptr if the bind was refused. Returns the error, or an empty text.
  std::string add(const Pipeline &pipeline, const StateFields *fields, const dovetail_variant *variant);
  std::vector<CapturedVariant> variants() const;

private:
  explicit Captures(std::unique_ptr<fossilize::Capture> writer) : m_writer(std::move(writer)) {}

  std::unique_ptr<fossilize::Capture> m_writer;
  mutable std::mutex m_mutex; // guards what follows
  std::set<uint64_t> m_known; // hashes of pipelines
  std::vector<CapturedVariant> m_variants;
};

} // namespace dovetail::layer
