// SPDX-License-Identifier: MIT
#include "tools/common/report/page.h"
#include "tools/common/report/svg.h"
#include <algorithm>
#include <fmt/format.h>

namespace dovetail::report {

namespace {

// Widths of a chart's two drawings. The style below shows the narrow one in windows of less than 720 pixels. The wide
// one is drawn smaller than a desk's window shows it, so that its text stays large enough on a tablet.
constexpr unsigned NarrowWidth = 336, WideWidth = 800;

// The colours can be told apart without red and green (Okabe and Ito's palette, with greys for paper and night).
constexpr std::string_view ChartStyle = R"(
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --soft: #5b6470; --rule: #d9dee4; --card: #f4f6f8;
  --s0: #0072b2; --s1: #56b4e9; --s2: #009e73; --s3: #1b1f24; --s4: #e69f00; --s5: #d55e00; --s6: #b3568f; --s7: #8a8f98;
  --s8: #7a4a1f; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e8eaed; --soft: #a4acb6; --rule: #343a42;
  --card: #1e2226; --s0: #4aa8e0; --s1: #9ad4f5; --s2: #35c79b; --s3: #f2f2f2; --s4: #f0b93a; --s5: #f0813c; --s6: #d98bb9;
  --s8: #c79a6b; } }
svg { font: 12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
svg text { fill: var(--ink); }
svg .mark { fill: var(--soft); }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
)";

constexpr std::string_view Style = R"(
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 16px 12px 48px; max-width: 884px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: break-word; }
h1 { font-size: 26px; line-height: 1.2; margin: 8px 0; }
h2 { font-size: 20px; margin: 40px 0 8px; }
p { margin: 8px 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 8px; margin: 16px 0; }
.card { background: var(--card); border-radius: 8px; padding: 10px 12px; }
.card b { display: block; font-size: 22px; line-height: 1.2; }
.card span { color: var(--soft); font-size: 13px; line-height: 1.3; display: block; }
figure { margin: 16px 0; }
figure img { max-width: 100%; image-rendering: pixelated; }
figcaption { color: var(--soft); font-size: 14px; margin: 4px 0 8px; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: 13px; margin: 0 0 6px; padding: 0; list-style: none; }
.legend i { display: inline-block; width: 14px; height: 4px; border-radius: 2px; margin-right: 6px; vertical-align: middle; }
svg { display: block; width: 100%; height: auto; }
.narrow { display: block; max-width: 480px; } .wide { display: none; }
@media (min-width: 720px) { .narrow { display: none; } .wide { display: block; } }
.scroll { overflow-x: auto; margin: 12px 0; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 7px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--rule); }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: var(--paper); }
th { color: var(--soft); font-weight: 600; }
.prose { width: 100%; }
.prose th, .prose td { vertical-align: top; }
.prose .text { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 17em; }
@media (max-width: 859px) {
  .prose, .prose tbody, .prose tr, .prose td { display: block; }
  .prose tr:first-child { display: none; }
  .prose tr { padding: 6px 0; border-bottom: 1px solid var(--rule); }
  .prose td, .prose td.text { display: flex; gap: 8px; padding: 2px 0; border: 0; text-align: left; white-space: normal;
    overflow-wrap: anywhere; min-width: 0; position: static; }
  .prose td::before { content: attr(data-name); color: var(--soft); flex: 0 0 5.5em; overflow-wrap: normal; }
  .prose td span { flex: 1 1 0; min-width: 0; }
}
)";

std::string seriesStyle() {
  std::string style;
  for (size_t i = 0; i < ColorCount; ++i)
    style += fmt::format(".line.s{0} {{ stroke: var(--s{0}); }} .dot.s{0}, .bar.s{0} {{ fill: var(--s{0}); }} "
                         ".legend .s{0} {{ background: var(--s{0}); }}\n",
                         i);
  return style;
}

} // namespace

void Page::section(const std::string &heading) {
  m_body += fmt::format("<h2>{}</h2>\n", escape(heading));
}

void Page::paragraph(const std::string &text) {
  m_body += fmt::format("<p>{}</p>\n", escape(text));
}

void Page::highlights(const std::vector<Highlight> &highlights) {
  m_body += "<div class=\"cards\">\n";
  for (const Highlight &highlight : highlights)
    m_body += fmt::format("<div class=\"card\"><b>{}</b><span>{}</span></div>\n", escape(highlight.figure),
                          escape(highlight.name));
  m_body += "</div>\n";
}

void Page::table(const std::vector<std::vector<std::string>> &rows) {
  m_body += "<div class=\"scroll\"><table>\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    m_body += "<tr>";
    for (const std::string &cell : rows[i])
      m_body += fmt::format("<{0}>{1}</{0}>", i == 0 ? "th" : "td", escape(cell));
    m_body += "</tr>\n";
  }
  m_body += "</table></div>\n";
}

void Page::proseTable(const std::vector<std::vector<std::string>> &rows, const std::vector<size_t> &prose) {
  m_body += "<div class=\"scroll\"><table class=\"prose\">\n";
  for (size_t row = 0; row < rows.size(); ++row) {
    m_body += "<tr>";
    for (size_t column = 0; column < rows[row].size(); ++column) {
      const bool isText = std::ranges::find(prose, column) != prose.end();
      const std::string kind = isText ? " class=\"text\"" : "";
      const std::string cell = escape(rows[row][column]);
      m_body += row == 0
                    ? fmt::format("<th{}>{}</th>", kind, cell)
                    : fmt::format("<td{} data-name=\"{}\"><span>{}</span></td>", kind, escape(rows[0][column]), cell);
    }
    m_body += "</tr>\n";
  }
  m_body += "</table></div>\n";
}

template <typename Chart>
void Page::addFigure(const Chart &chart, const std::vector<std::string> &series, const std::string &caption) {
  m_body += fmt::format("<figure><figcaption>{}</figcaption>\n<ul class=\"legend\">", escape(caption));
  for (size_t i = 0; i < series.size(); ++i)
    m_body += fmt::format("<li><i class=\"{}\"></i>{}</li>", seriesClass(chart.colors, i), escape(series[i]));
  m_body += fmt::format("</ul>\n<div class=\"narrow\">{}</div>\n<div class=\"wide\">{}</div></figure>\n",
                        draw(chart, NarrowWidth, caption), draw(chart, WideWidth, caption));
}

void Page::image(const std::vector<uint8_t> &png, const std::string &caption) {
  constexpr std::string_view Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string base64;
  for (size_t at = 0; at < png.size(); at += 3) {
    const size_t given = std::min<size_t>(png.size() - at, 3);
    uint32_t bits = 0;
    for (size_t index = 0; index < 3; ++index)
      bits = bits << 8 | (index < given ? png[at + index] : 0u);
    for (size_t digit = 0; digit < 4; ++digit)
      base64 += digit <= given ? Digits[bits >> (18 - 6 * digit) & 63] : '=';
  }
  m_body += fmt::format("<figure><figcaption>{0}</figcaption>\n<img alt=\"{0}\" "
                        "src=\"data:image/png;base64,{1}\"></figure>\n",
                        escape(caption), base64);
}

void Page::figure(const LineChart &chart, const std::string &caption) {
  std::vector<std::string> names;
  for (const Series &series : chart.series)
    names.push_back(series.name);
  addFigure(chart, names, caption);
}

void Page::figure(const DotChart &chart, const std::string &caption) {
  addFigure(chart, chart.series, caption);
}

void Page::figure(const BarChart &chart, const std::string &caption) {
  addFigure(chart, chart.series, caption);
}

std::string Page::html() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}{2}{3}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{4}</body>\n</html>\n",
      escape(m_title), ChartStyle, Style, seriesStyle(), m_body);
}

std::string picture(const LineChart &chart, const std::string &description) {
  constexpr double LineHeight = 18, SwatchWidth = 14, Gap = 6;
  Svg legend;
  double x = Gap, y = LineHeight / 2;
  for (size_t i = 0; i < chart.series.size(); ++i) {
    const std::string &name = chart.series[i].name;
    const double width = SwatchWidth + Gap + widthOf(name) + 2 * Gap;
    if (x + width > WideWidth) {
      x = Gap;
      y += LineHeight;
    }
    legend.polyline({{x, y}, {x + SwatchWidth, y}}, "line " + seriesClass(chart.colors, i));
    legend.text(x + SwatchWidth + Gap, y + Gap * 0.7, name);
    x += width;
  }
  Svg whole;
  whole.style(fmt::format("{}{}svg {{ background: var(--paper); }}", ChartStyle, seriesStyle()));
  whole.nested(0, legend.finish(WideWidth, y + LineHeight, ""));
  const std::string drawn = draw(chart, WideWidth, "");
  whole.nested(y + LineHeight, drawn);
  std::string svg = whole.finish(WideWidth, y + LineHeight + heightOfLineChart(WideWidth), description);
  return svg.insert(std::string_view("<svg").size(),
                    " xmlns=\"http://www.w3.org/2000/svg\""); // needed in a file of its own
}

} // namespace dovetail::report
