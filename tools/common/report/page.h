// SPDX-License-Identifier: MIT
//
// A report as one HTML page that needs nothing but itself: no script, no network, no other file. It suits phones, desks
// and dark rooms.
#pragma once

#include "tools/common/report/chart.h"
#include <string>
#include <vector>

namespace dovetail::report {

class Page {
public:
  explicit Page(std::string title) : m_title(std::move(title)) {}

  void section(const std::string &heading);
  void paragraph(const std::string &text);
  // Figures that matter most, large, each with what it is.
  struct Highlight {
    std::string figure, name;
  };
  void highlights(const std::vector<Highlight> &highlights);
  // The first row is the head; all but the first column are numbers.
  void table(const std::vector<std::vector<std::string>> &rows);
  // `caption`: what it shows, and how to read it.
  void figure(const LineChart &chart, const std::string &caption);
  void figure(const DotChart &chart, const std::string &caption);
  void figure(const BarChart &chart, const std::string &caption);

  std::string html() const;

private:
  template <typename Chart>
  void addFigure(const Chart &chart, const std::vector<std::string> &series, const std::string &caption);

  std::string m_title, m_body;
};

// A chart of lines as an SVG file of its own, with its legend: for documents. It suits dark pages, too.
std::string picture(const LineChart &chart, const std::string &description);

} // namespace dovetail::report
