// SPDX-License-Identifier: MIT
#include "tools/common/command/part_way.h"
#include "parts/cache/part_maker.h"
#include "variants/bind/device.h"
#include <CLI/CLI.hpp>

namespace dovetail {

void addPartWayOption(CLI::App &command, std::string &way) {
  way = EncodedParts;
  command
      .add_option("--parts", way,
                  "how prologs and epilogs are made that are joined: encoded (direct), or compiled from LLVM IR (ir)")
      ->check(CLI::IsMember({EncodedParts, CompiledParts}))
      ->capture_default_str();
}

void usePartWay(Device &device, const std::string &way) {
  if (way == CompiledParts)
    device.partMaker().compilePrologsAndEpilogs();
}

} // namespace dovetail
