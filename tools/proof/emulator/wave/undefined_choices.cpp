// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/wave/undefined_choices.h"
#include <limits>

namespace dovetail::emulator {

std::string_view toString(UndefinedEvent event) {
  switch (event) {
  case UndefinedEvent::QuadLanesOff:
    return "implicit LOD or derivative with lanes of the quad off";
  case UndefinedEvent::ImageCoordinate:
    return "image coordinate that is not finite";
  case UndefinedEvent::Conversion:
    return "conversion out of range";
  case UndefinedEvent::Clamp:
    return "clamp with minimum above maximum";
  case UndefinedEvent::Division:
    return "division by zero";
  case UndefinedEvent::NotANumber:
    return "result that is not a number";
  }
  return "?";
}

float UndefinedChoices::number() {
  constexpr float Large = 1e20f;
  switch (bits() % 8) {
  case 0:
    return 0;
  case 1:
    return std::numeric_limits<float>::quiet_NaN();
  case 2:
    return std::numeric_limits<float>::infinity();
  case 3:
    return -Large;
  default:
    return 2 * unit() - 1;
  }
}

} // namespace dovetail::emulator
