// SPDX-License-Identifier: MIT
//
// Charts as plain data, drawn as SVG. A chart is drawn for a width in pixels. A page draws it for two widths, for
// phones and for desks (page.h), because text that shrinks with its picture cannot be read. Colours are the classes s0
// to s8; the page defines their style and draws the legend.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dovetail::report {

// The form of numbers: 1,200; 1.2 ms; 1.2 KB; 12 %.
enum class Unit { Plain, Microseconds, Bytes, Percent };
std::string format(double value, Unit unit);

struct Axis {
  std::string name; // "variants"
  Unit unit = Unit::Plain;
  bool isLogarithmic = false; // draws only positive values
};

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points; // in the order of x
};

// The colours of a chart's series, by number. A series beyond the list has the colour of its own number.
using Colors = std::vector<unsigned>;
constexpr size_t ColorCount = 9;

// Lines through points, all on the same axes.
struct LineChart {
  Axis x, y;
  std::vector<Series> series;
  Colors colors;
  bool hasSteps = false; // a value lasts until the next one
};

// A row has a value for each series; NaN: none.
struct Row {
  std::string name;
  std::vector<double> values;
};

// A line for each row, with a dot for each value.
struct DotChart {
  Axis x;
  std::vector<std::string> series;
  std::vector<Row> rows;
  Colors colors;
};

// A group of bars for each row, with a bar for each value; stacked: one bar of all values.
struct BarChart {
  Axis x;
  std::vector<std::string> series;
  std::vector<Row> rows;
  Colors colors;
  bool isStacked = false;
};

// The class of a series' marks.
std::string seriesClass(const Colors &colors, size_t series);

// Makes an <svg> element of this width; its height follows. `description`: what the chart shows, for users who cannot
// see it.
std::string draw(const LineChart &chart, unsigned width, const std::string &description);
unsigned heightOfLineChart(unsigned width);
std::string draw(const DotChart &chart, unsigned width, const std::string &description);
std::string draw(const BarChart &chart, unsigned width, const std::string &description);

} // namespace dovetail::report
