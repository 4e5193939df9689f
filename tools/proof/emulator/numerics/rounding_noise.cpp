// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/numerics/rounding_noise.h"

namespace dovetail::emulator {

std::string_view toString(NoiseSource source) {
  switch (source) {
  case NoiseSource::Interpolation:
    return "interpolation";
  case NoiseSource::Transcendental:
    return "transcendental functions";
  case NoiseSource::Arithmetic:
    return "arithmetic";
  case NoiseSource::Halves:
    return "halves";
  case NoiseSource::HalfDenormals:
    return "half denormals";
  case NoiseSource::Places:
    return "places in images";
  case NoiseSource::Conversions:
    return "conversions";
  }
  return "?";
}

} // namespace dovetail::emulator
