// SPDX-License-Identifier: MIT
#include "src/abi/hardware_stage.h"

namespace dovetail {

std::string_view toString(HardwareStage stage) {
  static constexpr std::string_view Names[HardwareStageCount] = {"ls", "hs", "es", "gs", "vs", "ps", "cs"};
  return Names[unsigned(stage)];
}

} // namespace dovetail
