// SPDX-License-Identifier: MIT
//
// The library's own ways to come by variants: a device for each, which all programs of a round share.
#pragma once

#include "tools/bench/variant-bench/measure/programs.h"
#include "tools/bench/variant-bench/measure/way.h"
#include "variants/bind/device.h"
#include <map>
#include <set>
#include <string>

namespace dovetail {

// How often parts of a kind are in variants, and how many there are.
struct PartSharing {
  uint64_t uses = 0, parts = 0, codeBytes = 0;
};

class OwnWays {
public:
  // `store`: a folder that holds all parts. Errors: UnknownGpu.
  static Result<OwnWays> create(const std::string &gpu, const std::string &store);
  // Makes the store that create() is given. Errors: those of binding; Io.
  static Result<void> fillStore(const std::string &gpu, const std::string &store,
                                std::span<const BenchProgram> programs);

  // Draws with each state once. `way` is none of RADV's. Errors: those of binding.
  Result<Pass> run(Way way, const BenchProgram &program);
  // Over all that Way::Parts has run.
  const std::map<PartKind, PartSharing> &sharing() const { return m_sharing; }

private:
  void noteSharing(const Variant &variant);

  std::array<std::unique_ptr<Device>, WayCount> m_devices;
  std::map<PartKind, PartSharing> m_sharing;
  std::set<PartKey> m_seen;
};

// Has a compiler ready, so that the first shader does not pay for it. Errors: those of the compiler.
Result<void> warmUp(Device &device);

} // namespace dovetail
