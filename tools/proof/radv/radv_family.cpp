// SPDX-License-Identifier: MIT
#include "tools/proof/radv/radv_family.h"
#include <utility>

namespace dovetail {

Result<std::string> radvFamilyOf(std::string_view gpu) {
  constexpr std::pair<std::string_view, std::string_view> Families[] = {
      {"gfx801", "carrizo"}, {"gfx802", "tonga"},  {"gfx803", "polaris10"}, {"gfx805", "tonga"},
      {"gfx810", "stoney"},  {"gfx900", "vega10"}, {"gfx902", "raven"},     {"gfx904", "vega12"},
      {"gfx906", "vega20"},  {"gfx909", "raven2"}, {"gfx90c", "renoir"}};
  for (auto [name, family] : Families)
    if (gpu == name)
      return std::string(family);
  return makeError(ErrorCode::UnknownGpu, "RADV has no name for {}", gpu);
}

} // namespace dovetail
