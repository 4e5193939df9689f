// SPDX-License-Identifier: MIT
#include "tools/common/report/svg.h"
#include <fmt/format.h>

namespace dovetail::report {

namespace {

constexpr double CharacterWidth = 6.7; // of 12 pixels sans-serif: a little more than the mean
constexpr std::string_view Ellipsis = "…";

// Whether a byte of UTF-8 continues a character.
bool isContinuation(char byte) {
  return (byte & 0xc0) == 0x80;
}

std::string classAttribute(std::string_view style) {
  return style.empty() ? "" : fmt::format(" class=\"{}\"", style);
}

std::string element(std::string head, std::string_view name, std::string_view hint) {
  return hint.empty() ? head + "/>\n" : fmt::format("{}><title>{}</title></{}>\n", head, escape(hint), name);
}

} // namespace

std::string escape(std::string_view text) {
  std::string escaped;
  for (char letter : text)
    switch (letter) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += letter;
    }
  return escaped;
}

double widthOf(std::string_view text) {
  size_t characters = 0;
  for (char byte : text)
    characters += isContinuation(byte) ? 0 : 1;
  return CharacterWidth * double(characters);
}

std::string shorten(const std::string &text, double width) {
  if (widthOf(text) <= width)
    return text;
  std::string shortened = text;
  while (!shortened.empty() && widthOf(shortened) + CharacterWidth > width) {
    while (isContinuation(shortened.back()))
      shortened.pop_back();
    shortened.pop_back();
  }
  return shortened + std::string(Ellipsis);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view style) {
  m_elements += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"{}/>\n", x1, y1, x2, y2,
                            classAttribute(style));
}

void Svg::polyline(const std::vector<std::pair<double, double>> &points, std::string_view style) {
  m_elements += fmt::format("<polyline{} points=\"", classAttribute(style));
  for (size_t i = 0; i < points.size(); ++i)
    m_elements += fmt::format("{}{:.1f},{:.1f}", i == 0 ? "" : " ", points[i].first, points[i].second);
  m_elements += "\"/>\n";
}

void Svg::circle(double x, double y, double radius, std::string_view style, std::string_view hint) {
  m_elements +=
      element(fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"{}", x, y, radius, classAttribute(style)),
              "circle", hint);
}

void Svg::rectangle(double x, double y, double width, double height, std::string_view style, std::string_view hint) {
  m_elements += element(fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"{}", x, y, width,
                                    height, classAttribute(style)),
                        "rect", hint);
}

void Svg::text(double x, double y, std::string_view text, Anchor anchor, std::string_view style) {
  constexpr std::string_view Anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  m_elements += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}{}>{}</text>\n", x, y, Anchors[unsigned(anchor)],
                            classAttribute(style), escape(text));
}

void Svg::style(std::string_view rules) {
  m_elements += fmt::format("<style>{}</style>\n", rules);
}

void Svg::nested(double y, const std::string &svg) {
  constexpr std::string_view Begin = "<svg ";
  m_elements += fmt::format("{}y=\"{:.1f}\" {}", Begin, y, svg.substr(Begin.size()));
}

std::string Svg::finish(double width, double height, std::string_view description) const {
  return fmt::format("<svg viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
                     "aria-label=\"{2}\">\n{3}</svg>\n",
                     width, height, escape(description), m_elements);
}

} // namespace dovetail::report
