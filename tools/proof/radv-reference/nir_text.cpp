// SPDX-License-Identifier: MIT
//
// Reads lines such as
//   decl_var shader_in INTERP_MODE_NONE mat4 transform (VERT_ATTRIB_GENERIC2.xyzw, 17, 0)
// Arrays and matrices take a location for each element. (Interfaces have no structures at this point.)
#include "tools/proof/radv-reference/nir_text.h"
#include <regex>
#include <string>

namespace dovetail {

namespace {

unsigned slotsOf(const std::string &type) {
  unsigned slots = 1;
  if (size_t matrix = type.find("mat"); matrix != std::string::npos)
    slots *= static_cast<unsigned>(type[matrix + 3] - '0');
  for (size_t bracket = type.find('['); bracket != std::string::npos; bracket = type.find('[', bracket + 1))
    slots *= static_cast<unsigned>(std::stoul(type.substr(bracket + 1)));
  return slots;
}

} // namespace

std::set<unsigned> vertexLocations(std::string_view nir) {
  static const std::regex Input(
      R"(decl_var shader_in .*?INTERP_MODE_\w+ (?:highp |mediump |lowp )?(\S+) (?:\S+ )?\(VERT_ATTRIB_GENERIC(\d+))");
  std::set<unsigned> locations;
  const std::string text(nir);
  for (auto match = std::sregex_iterator(text.begin(), text.end(), Input); match != std::sregex_iterator(); ++match) {
    const auto first = static_cast<unsigned>(std::stoul((*match)[2]));
    for (unsigned slot = 0; slot < slotsOf((*match)[1]); ++slot)
      locations.insert(first + slot);
  }
  return locations;
}

} // namespace dovetail
