// SPDX-License-Identifier: MIT
//
// Maps values to pixels, and chooses the marks of an axis.
#pragma once

#include "tools/common/report/chart.h"

namespace dovetail::report {

class Scale {
public:
  // For these values, between two pixels. At least one value must be drawable. If it is not logarithmic, the axis
  // begins at 0.
  Scale(const Axis &axis, const std::vector<double> &values, double firstPixel, double lastPixel);

  bool has(double value) const; // whether the value can be drawn
  double pixel(double value) const;
  // Round values, about `most` at most.
  std::vector<double> ticks(unsigned most) const;

private:
  double place(double value) const; // the value's logarithm, or the value itself

  bool m_isLogarithmic;
  double m_least, m_most; // results of place()
  double m_firstPixel, m_lastPixel;
};

} // namespace dovetail::report
