// SPDX-License-Identifier: MIT
//
// Charts as plain data, and as SVG. A chart is drawn for a width in pixels: a page has it in two, for phones and for
// desks (page.h), because text that shrinks with its picture cannot be read. Colours are classes, s0 to s7, whose style
// is the page's. There is no legend: the page has it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dovetail::report {

// How numbers are written: 1,200; 1.2 ms; 1.2 KB; 12 %.
enum class Unit { Plain, Microseconds, Bytes, Percent };
std::string format(double value, Unit unit);

struct Axis {
  std::string name; // "variants"
  Unit unit = Unit::Plain;
  bool isLogarithmic = false; // only positive values are drawn then
};

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points; // in the order of x
};

// Of a chart's series, by number; a series without one has that of its own number.
using Colors = std::vector<unsigned>;

// Lines through points, all on the same axes.
struct LineChart {
  Axis x, y;
  std::vector<Series> series;
  Colors colors;
  bool hasSteps = false; // a value lasts until the next one
};

// Rows of values, a value for each series; NaN: none.
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

// A group of bars for each row, a bar for each value; or one bar, of the values one behind the other.
struct BarChart {
  Axis x;
  std::vector<std::string> series;
  std::vector<Row> rows;
  Colors colors;
  bool isStacked = false;
};

// The class of a series' marks.
std::string seriesClass(const Colors &colors, size_t series);

// An <svg> element of this width, as high as it needs to be. `description`: what it shows, for those who cannot see it.
std::string draw(const LineChart &chart, unsigned width, const std::string &description);
unsigned heightOfLineChart(unsigned width);
std::string draw(const DotChart &chart, unsigned width, const std::string &description);
std::string draw(const BarChart &chart, unsigned width, const std::string &description);

} // namespace dovetail::report
