// SPDX-License-Identifier: MIT
//
// From values to pixels, and where an axis is marked.
#pragma once

#include "tools/common/report/chart.h"

namespace dovetail::report {

class Scale {
public:
  // For these values, at least one of which can be drawn, between two pixels. Not logarithmic: the axis begins at 0.
  Scale(const Axis &axis, const std::vector<double> &values, double firstPixel, double lastPixel);

  bool has(double value) const; // whether it can be drawn
  double pixel(double value) const;
  // Round values, at most about so many.
  std::vector<double> ticks(unsigned most) const;

private:
  double place(double value) const; // its logarithm, or itself

  bool m_isLogarithmic;
  double m_least, m_most; // places
  double m_firstPixel, m_lastPixel;
};

} // namespace dovetail::report
