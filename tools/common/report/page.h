// SPDX-License-Identifier: MIT
//
// Writes a report as one self-contained HTML page: no script, no network, no other file. It suits phones, desks and
// dark rooms.
#pragma once

#include "tools/common/report/chart.h"
#include <cstdint>
#include <string>
#include <vector>

namespace dovetail::report {

class Page {
public:
  explicit Page(std::string title) : m_title(std::move(title)) {}

  void section(const std::string &heading);
  void paragraph(const std::string &text);
  // The most important figures, in large type, each with its name.
  struct Highlight {
    std::string figure, name;
  };
  void highlights(const std::vector<Highlight> &highlights);
  // The first row is the head; all columns but the first are numbers.
  void table(const std::vector<std::vector<std::string>> &rows);
  // A table with long texts in the columns of these numbers, whose lines break. A narrow window shows each row as a
  // block of its own, with the head's names in front of the cells.
  void proseTable(const std::vector<std::vector<std::string>> &rows, const std::vector<size_t> &prose);
  // `caption`: what the chart shows, and how to read it.
  void figure(const LineChart &chart, const std::string &caption);
  void figure(const DotChart &chart, const std::string &caption);
  void figure(const BarChart &chart, const std::string &caption);

  // A PNG, which becomes part of the page.
  void image(const std::vector<uint8_t> &png, const std::string &caption);

  std::string html() const;

private:
  template <typename Chart>
  void addFigure(const Chart &chart, const std::vector<std::string> &series, const std::string &caption);

  std::string m_title, m_body;
};

// Draws a line chart as an SVG file of its own, with its legend, for documents. It suits dark pages, too.
std::string picture(const LineChart &chart, const std::string &description);

} // namespace dovetail::report
