// SPDX-License-Identifier: MIT
//
// What was bound, as a Fossilize database: each set of shaders and state once, in the order in which they were bound
// first. tools/common/fossilize/capture.h writes it; `dovetail compile`, `draw` and `corpus` read it.
#pragma once

#include "tools/common/fossilize/capture.h"
#include "tools/programs/layer/session/objects.h"
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace dovetail::layer {

// A captured pipeline and the variant that it came to.
struct CapturedVariant {
  std::string pipeline; // its hash in the database
  uint64_t key[2] = {}; // dovetail_variant_info; zeros: it was refused
};

// Thread-safe.
class Captures {
public:
  // nullptr and the reason if the file cannot be made.
  static std::unique_ptr<Captures> open(const std::string &path, std::string &reason);

  // `fields`: nullptr for compute. `variant`: nullptr if it was refused. Returns what went wrong, or nothing.
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
