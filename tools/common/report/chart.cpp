// SPDX-License-Identifier: MIT
#include "tools/common/report/chart.h"
#include "tools/common/report/scale.h"
#include "tools/common/report/svg.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dovetail::report {

namespace {

constexpr double LineHeight = 16, TextHeight = 12, Margin = 8;
constexpr double BelowAxis = 2 * LineHeight + Margin; // room for marks and the axis' name
// From this width on, names of rows are left of the rows; below it, above them.
constexpr unsigned WideFrom = 600;

struct UnitStep {
  double factor;
  const char *name;
  double from = factor; // the least value that is written with this unit
};

std::string scaled(double value, std::initializer_list<UnitStep> steps) {
  for (const auto &[factor, name, from] : steps)
    if (std::abs(value) >= from * 0.9995) {
      const double number = value / factor;
      const int digits = std::abs(number) >= 99.95 || number == std::round(number) ? 0
                         : std::abs(number) >= 9.995                               ? 1
                                                                                   : 2;
      std::string text = fmt::format("{:.{}f}", number, digits);
      while (digits > 0 && text.back() == '0')
        text.pop_back();
      if (text.back() == '.')
        text.pop_back();
      return text + name;
    }
  return value == 0 ? "0" : fmt::format("{:.2g}{}", value / std::rbegin(steps)->factor, std::rbegin(steps)->name);
}

// Marks, grid lines and the name of a horizontal axis below a plot.
void drawHorizontalAxis(Svg &svg, const Axis &axis, const Scale &scale, double left, double right, double top,
                        double bottom) {
  constexpr double RoomOfMark = 70;
  double free = left - Margin; // the end of the last mark
  for (double tick : scale.ticks(std::max(2u, unsigned((right - left) / RoomOfMark)))) {
    const double x = scale.pixel(tick);
    svg.line(x, top, x, bottom, "grid");
    const std::string mark = format(tick, axis.unit);
    const double half = widthOf(mark) / 2;
    const double center = std::min(x, right + Margin - half);
    if (center - half < free)
      continue;
    svg.text(center, bottom + LineHeight, mark, Anchor::Middle, "mark");
    free = center + half + Margin / 2;
  }
  svg.text((left + right) / 2, bottom + 2 * LineHeight + Margin / 2, shorten(axis.name, right - left), Anchor::Middle);
}

std::vector<double> valuesOf(const std::vector<Row> &rows) {
  std::vector<double> values;
  for (const Row &row : rows)
    values.insert(values.end(), row.values.begin(), row.values.end());
  return values;
}

double widestName(const std::vector<Row> &rows) {
  double widest = 0;
  for (const Row &row : rows)
    widest = std::max(widest, widthOf(row.name));
  return widest;
}

// The layout of a chart's rows: names are left of them, or above them.
struct RowLayout {
  bool isWide;
  double left, right, nameHeight;

  RowLayout(const std::vector<Row> &rows, unsigned width, double roomAtEnd)
      : isWide(width >= WideFrom), left(isWide ? std::min(widestName(rows) + 2 * Margin, width * 0.3) : Margin),
        right(width - roomAtEnd), nameHeight(isWide ? 0 : LineHeight) {}

  // `top`: of the row including its name; `height`: of the row without its name.
  void drawName(Svg &svg, const std::string &name, double top, double height) const {
    if (isWide)
      svg.text(left - Margin, top + height / 2 + TextHeight / 3, shorten(name, left - Margin), Anchor::End);
    else
      svg.text(left, top + TextHeight, shorten(name, right - left));
  }
};

std::string hintOf(const std::string &row, const std::string &series, double value, const Axis &axis) {
  return fmt::format("{}, {}: {}", row, series, format(value, axis.unit));
}

void drawLine(Svg &svg, const LineChart &chart, size_t number, const Scale &x, const Scale &y) {
  std::vector<std::pair<double, double>> pixels;
  for (auto [horizontal, vertical] : chart.series[number].points) {
    if (!x.has(horizontal) || !y.has(vertical))
      continue;
    const std::pair<double, double> pixel = {x.pixel(horizontal), y.pixel(vertical)};
    if (chart.hasSteps && !pixels.empty())
      pixels.push_back({pixel.first, pixels.back().second});
    pixels.push_back(pixel);
  }
  if (pixels.size() == 1) // a single point would be invisible
    pixels.push_back({pixels[0].first + 2, pixels[0].second});
  if (!pixels.empty())
    svg.polyline(pixels, "line " + seriesClass(chart.colors, number));
}

} // namespace

std::string format(double value, Unit unit) {
  switch (unit) {
  case Unit::Plain:
    return scaled(value, {{1e9, "G"}, {1e6, "M"}, {1e3, "k", 1e4}, {1, ""}});
  case Unit::Microseconds:
    return scaled(value, {{1e6, " s"}, {1e3, " ms"}, {1, " µs"}, {1e-3, " ns"}});
  case Unit::Bytes:
    return scaled(value, {{1 << 20, " MB"}, {1 << 10, " KB"}, {1, " B"}});
  case Unit::Percent:
    return scaled(value, {{1, " %"}});
  }
  return "";
}

std::string seriesClass(const Colors &colors, size_t series) {
  return fmt::format("s{}", (series < colors.size() ? colors[series] : series) % ColorCount);
}

unsigned heightOfLineChart(unsigned width) {
  return std::clamp(width * 45 / 100, 260u, 380u);
}

std::string draw(const LineChart &chart, unsigned width, const std::string &description) {
  std::vector<double> horizontal, vertical;
  for (const Series &series : chart.series)
    for (auto [x, y] : series.points) {
      horizontal.push_back(x);
      vertical.push_back(y);
    }
  const double height = heightOfLineChart(width);
  const double top = LineHeight + Margin, bottom = height - BelowAxis, right = width - 2 * Margin;
  const Scale y(chart.y, vertical, bottom, top);
  const std::vector<double> marks = y.ticks(8);
  double left = 0;
  for (double mark : marks)
    left = std::max(left, widthOf(format(mark, chart.y.unit)));
  left += 2 * Margin;
  const Scale x(chart.x, horizontal, left, right);

  Svg svg;
  svg.text(Margin, TextHeight, shorten(chart.y.name, width - 2 * Margin));
  for (double mark : marks) {
    svg.line(left, y.pixel(mark), right, y.pixel(mark), "grid");
    svg.text(left - Margin, y.pixel(mark) + TextHeight / 3, format(mark, chart.y.unit), Anchor::End, "mark");
  }
  drawHorizontalAxis(svg, chart.x, x, left, right, top, bottom);
  for (size_t number = 0; number < chart.series.size(); ++number)
    drawLine(svg, chart, number, x, y);
  return svg.finish(width, height, description);
}

std::string draw(const DotChart &chart, unsigned width, const std::string &description) {
  constexpr double DotRadius = 4, DotStep = 4; // dots of one value must not hide each other
  const RowLayout layout(chart.rows, width, 3 * Margin);
  const double rowHeight = double(chart.series.size()) * DotStep + 2 * DotRadius;
  const double top = Margin;
  const double bottom = top + double(chart.rows.size()) * (rowHeight + layout.nameHeight);
  const Scale x(chart.x, valuesOf(chart.rows), layout.left + Margin, layout.right);
  Svg svg;
  drawHorizontalAxis(svg, chart.x, x, layout.left, layout.right, top, bottom);
  double y = top;
  for (const Row &row : chart.rows) {
    layout.drawName(svg, row.name, y, rowHeight);
    y += layout.nameHeight;
    svg.line(layout.left, y + rowHeight, layout.right, y + rowHeight, "grid");
    for (size_t i = 0; i < row.values.size(); ++i)
      if (x.has(row.values[i]))
        svg.circle(x.pixel(row.values[i]), y + DotRadius + DotStep * (double(i) + 0.5), DotRadius,
                   "dot " + seriesClass(chart.colors, i), hintOf(row.name, chart.series[i], row.values[i], chart.x));
    y += rowHeight;
  }
  return svg.finish(width, bottom + BelowAxis, description);
}

std::string draw(const BarChart &chart, unsigned width, const std::string &description) {
  constexpr double BarHeight = 16, BarGap = 2;
  const RowLayout layout(chart.rows, width, 9 * Margin); // room for the value behind a bar
  const double bars = chart.isStacked ? 1 : double(chart.series.size());
  const double rowHeight = bars * (BarHeight + BarGap);
  std::vector<double> values = valuesOf(chart.rows);
  if (chart.isStacked) {
    values.clear();
    for (const Row &row : chart.rows) {
      double total = 0;
      for (double value : row.values)
        total += std::isfinite(value) ? value : 0;
      values.push_back(total);
    }
  }
  const double top = Margin;
  const double bottom = top + double(chart.rows.size()) * (rowHeight + layout.nameHeight + Margin);
  const Scale x(chart.x, values, layout.left, layout.right);
  Svg svg;
  drawHorizontalAxis(svg, chart.x, x, layout.left, layout.right, top, bottom);
  double y = top;
  for (const Row &row : chart.rows) {
    layout.drawName(svg, row.name, y, rowHeight);
    y += layout.nameHeight;
    double end = layout.left, total = 0;
    for (size_t i = 0; i < row.values.size(); ++i) {
      const double value = row.values[i];
      if (!x.has(value))
        continue;
      const std::string hint = hintOf(row.name, chart.series[i], value, chart.x);
      const std::string style = "bar " + seriesClass(chart.colors, i);
      if (chart.isStacked) {
        const double begin = x.pixel(total);
        total += value;
        end = x.pixel(total);
        svg.rectangle(begin, y, end - begin, BarHeight, style, hint);
      } else {
        const double barTop = y + double(i) * (BarHeight + BarGap);
        end = x.pixel(value);
        svg.rectangle(layout.left, barTop, std::max(end - layout.left, 1.0), BarHeight, style, hint);
        svg.text(end + Margin / 2, barTop + TextHeight, format(value, chart.x.unit), Anchor::Start, "mark");
      }
    }
    if (chart.isStacked)
      svg.text(end + Margin / 2, y + TextHeight, format(total, chart.x.unit), Anchor::Start, "mark");
    y += rowHeight + Margin;
  }
  return svg.finish(width, bottom + BelowAxis, description);
}

} // namespace dovetail::report
