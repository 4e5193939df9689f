// SPDX-License-Identifier: MIT
//
// Many values as few.
#pragma once

#include <vector>

namespace dovetail {

// Of no values: not a number.
double median(std::vector<double> values);
// The smallest value that at least this share of the values does not exceed; share: 0 to 1.
double percentile(std::vector<double> values, double share);
double sum(const std::vector<double> &values);

// What several rounds gave.
struct Spread {
  double median, least, most;
};
Spread spreadOf(const std::vector<double> &values);

// Value by value the median over rounds, which all have as many values.
std::vector<double> medianOfRounds(const std::vector<std::vector<double>> &rounds);

} // namespace dovetail
