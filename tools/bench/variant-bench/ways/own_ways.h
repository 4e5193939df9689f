// SPDX-License-Identifier: MIT
//
// Runs the library's own ways to variants. Each way has a device, which all programs of a round share.
#pragma once

#include "tools/bench/variant-bench/measure/programs.h"
#include "tools/bench/variant-bench/measure/way.h"
#include "variants/bind/device.h"
#include <map>
#include <set>
#include <string>

namespace dovetail {

// The number of parts of a kind, and how often variants use them.
struct PartSharing {
  uint64_t uses = 0, parts = 0, codeBytes = 0;
};

class OwnWays {
public:
  // `store`, `archive`: a folder and a file that each hold all parts. `firstTier`: see DeviceOptions. Errors:
  // UnknownGpu.
  static Result<OwnWays> create(const std::string &gpu, CodeTier firstTier, const std::string &store,
                                const std::string &archive);
  // Fills both for create(). Errors: those of binding; Io.
  static Result<void> fillStore(const std::string &gpu, const std::string &store, const std::string &archive,
                                std::span<const BenchProgram> programs);

  // Draws with each state once. `way` must not be one of RADV's. Errors: those of binding.
  Result<Pass> run(Way way, const BenchProgram &program);
  // Over all runs of Way::Parts.
  const std::map<PartKind, PartSharing> &sharing() const { return m_sharing; }

private:
  void noteSharing(const Variant &variant);

  std::array<std::unique_ptr<Device>, WayCount> m_devices;
  std::map<PartKind, PartSharing> m_sharing;
  std::set<PartKey> m_seen;
};

// Prepares a compiler, so that the first shader does not pay for it. Errors: those of the compiler.
Result<void> warmUp(Device &device);

} // namespace dovetail
