// SPDX-License-Identifier: MIT
//
// Condenses many values to a few.
#pragma once

#include <vector>

namespace dovetail {

// Not a number without values.
double median(std::vector<double> values);
// The smallest value that at least this share of the values does not exceed; share: 0 to 1.
double percentile(std::vector<double> values, double share);
double sum(const std::vector<double> &values);

// The results of several rounds.
struct Spread {
  double median, least, most;
};
Spread spreadOf(const std::vector<double> &values);

// The median over rounds, value by value. All rounds must have the same number of values.
std::vector<double> medianOfRounds(const std::vector<std::vector<double>> &rounds);

} // namespace dovetail
