// SPDX-License-Identifier: MIT
//
// Builds an SVG picture, element by element. Coordinates are pixels from the upper left corner.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dovetail::report {

// Escapes text for HTML or SVG, or for an attribute's value.
std::string escape(std::string_view text);

// The approximate width of a text in a chart, in pixels.
double widthOf(std::string_view text);
// Cuts the text with an ellipsis if it is wider.
std::string shorten(const std::string &text, double width);

enum class Anchor { Start, Middle, End };

class Svg {
public:
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  void polyline(const std::vector<std::pair<double, double>> &points, std::string_view style);
  // Shows `hint` while the pointer is over it.
  void circle(double x, double y, double radius, std::string_view style, std::string_view hint);
  void rectangle(double x, double y, double width, double height, std::string_view style, std::string_view hint);
  void text(double x, double y, std::string_view text, Anchor anchor = Anchor::Start, std::string_view style = "");

  void style(std::string_view rules);
  // Adds another picture, from this height on.
  void nested(double y, const std::string &svg);

  std::string finish(double width, double height, std::string_view description) const;

private:
  std::string m_elements;
};

} // namespace dovetail::report
