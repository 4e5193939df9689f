// SPDX-License-Identifier: MIT
#include "tools/proof/scene/maker/names.h"
#include <algorithm>
#include <cctype>
#include <string>

namespace dovetail {

namespace {

struct Row {
  std::string_view part; // a part of the last member of a name, in lower case
  Meaning meaning;
};
// The first row that matches counts.
constexpr Row Rows[] = {
    {"texcoord", Meaning::TextureCoordinate},
    {"tex_coord", Meaning::TextureCoordinate},
    {"texelsize", Meaning::TexelSize},
    {"texel", Meaning::TexelSize},
    {"pixelsize", Meaning::TexelSize},
    {"uv", Meaning::TextureCoordinate},
    {"normal", Meaning::Direction},
    {"tangent", Meaning::Direction},
    {"binormal", Meaning::Direction},
    {"bitangent", Meaning::Direction},
    {"direction", Meaning::Direction},
    {"resolution", Meaning::Resolution},
    {"viewport", Meaning::Resolution},
    {"screensize", Meaning::Resolution},
    {"cutoff", Meaning::Threshold},
    {"threshold", Meaning::Threshold},
    {"projection", Meaning::Camera},
    {"viewproj", Meaning::Camera},
    {"camera", Meaning::Camera},
    {"mvp", Meaning::Camera},
    {"position", Meaning::Position},
    {"count", Meaning::Count},
    {"length", Meaning::Count},
    {"size", Meaning::Count},
    {"width", Meaning::Count},
    {"height", Meaning::Count},
    {"num", Meaning::Count},
};

std::string lastMember(std::string_view name) {
  if (size_t dot = name.rfind('.'); dot != std::string_view::npos)
    name.remove_prefix(dot + 1);
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

} // namespace

Meaning meaningOf(std::string_view name) {
  std::string lower = lastMember(name);
  auto row = std::ranges::find_if(Rows, [&](const Row &each) { return lower.find(each.part) != std::string::npos; });
  return row == std::end(Rows) ? Meaning::Anything : row->meaning;
}

unsigned positionLikeness(std::string_view name) {
  std::string lower = lastMember(name);
  if (lower == "position" || lower == "pos" || lower == "gl_vertex" || lower == "piglit_vertex")
    return 4;
  if (lower.ends_with("position") || lower.ends_with("vertex") || lower.ends_with("_pos"))
    return 3;
  if (lower.find("position") != std::string::npos || lower.find("vertex") == 0 || lower.find("coord2d") == 0)
    return lower.find("color") == std::string::npos ? 2 : 0;
  return 0;
}

} // namespace dovetail
