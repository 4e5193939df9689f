// SPDX-License-Identifier: MIT
//
// What became of the draws and dispatches that were to be executed, in all and by pipeline, for the report.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dovetail::layer {

struct ExecutionCounts {
  uint64_t matched = 0;
  uint64_t explained = 0; // differs, within what rounding noise and undefined values do to our own result
  uint64_t differed = 0;
  uint64_t trapped = 0;                    // the emulator found a defect of the code
  uint64_t notChosen = 0;                  // executions of draws that the options leave out
  std::map<std::string, uint64_t> refused; // by reason

  uint64_t executed() const { return matched + explained + differed + trapped; }
  uint64_t allRefused() const {
    uint64_t sum = 0;
    for (const auto &[reason, count] : refused)
      sum += count;
    return sum;
  }
};

// A draw that differs or traps.
struct Miss {
  std::string pipeline, text; // text: of the comparison, or of the trap
  std::string scene, picture; // files in the output folder, relative to it; "": not written
  std::vector<uint8_t> png;   // the picture, of the first misses that have one
};

struct ExecutionTotals {
  bool isOn = false;
  ExecutionCounts all;
  std::map<std::string, ExecutionCounts> byPipeline; // by the names of its shaders
  std::vector<Miss> misses;                          // the first ones
  uint64_t waves = 0, instructions = 0;
  double seconds = 0; // of the emulator's threads
};

} // namespace dovetail::layer
