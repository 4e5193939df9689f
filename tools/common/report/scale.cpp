// SPDX-License-Identifier: MIT
#include "tools/common/report/scale.h"
#include <algorithm>
#include <cmath>

namespace dovetail::report {

namespace {

// The least number from `value` on that is 1, 2 or 5 times a power of ten.
double roundUp(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= value * 0.999)
      return factor * power;
  return 10 * power;
}

} // namespace

Scale::Scale(const Axis &axis, const std::vector<double> &values, double firstPixel, double lastPixel)
    : m_isLogarithmic(axis.isLogarithmic), m_firstPixel(firstPixel), m_lastPixel(lastPixel) {
  double least = INFINITY, most = -INFINITY;
  for (double value : values)
    if (has(value)) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  if (!(least <= most))
    least = most = 1;
  if (m_isLogarithmic) { // whole decades would waste room
    m_least = std::log10(least) - 0.05;
    m_most = std::max(std::log10(most) + 0.05, m_least + 1);
  } else {
    m_least = 0;
    m_most = most > 0 ? most : 1;
  }
}

bool Scale::has(double value) const {
  return std::isfinite(value) && (!m_isLogarithmic || value > 0);
}

double Scale::place(double value) const {
  return m_isLogarithmic ? std::log10(value) : value;
}

double Scale::pixel(double value) const {
  return m_firstPixel + (place(value) - m_least) / (m_most - m_least) * (m_lastPixel - m_firstPixel);
}

std::vector<double> Scale::ticks(unsigned most) const {
  std::vector<double> ticks;
  if (!m_isLogarithmic) {
    const double step = roundUp(m_most / most);
    for (unsigned i = 0; i * step <= m_most * 1.0001; ++i)
      ticks.push_back(i * step);
    return ticks;
  }
  const int first = int(std::ceil(m_least)), last = int(std::floor(m_most));
  const int every = std::max(1, int(std::ceil(double(last - first + 1) / most)));
  for (int power = first; power <= last; power += every)
    ticks.push_back(std::pow(10, power));
  return ticks;
}

} // namespace dovetail::report
