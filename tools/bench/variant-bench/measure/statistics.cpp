// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/measure/statistics.h"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace dovetail {

double percentile(std::vector<double> values, double share) {
  if (values.empty())
    return std::numeric_limits<double>::quiet_NaN();
  const double rank = std::ceil(share * double(values.size()));
  const auto index = std::ptrdiff_t(std::clamp(rank, 1.0, double(values.size())) - 1);
  std::ranges::nth_element(values, values.begin() + index);
  return values[size_t(index)];
}

double median(std::vector<double> values) {
  return percentile(std::move(values), 0.5);
}

double sum(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

Spread spreadOf(const std::vector<double> &values) {
  return {percentile(values, 0.5), percentile(values, 0), percentile(values, 1)};
}

std::vector<double> medianOfRounds(const std::vector<std::vector<double>> &rounds) {
  std::vector<double> medians;
  for (size_t i = 0; !rounds.empty() && i < rounds[0].size(); ++i) {
    std::vector<double> values;
    for (const std::vector<double> &round : rounds)
      values.push_back(round[i]);
    medians.push_back(median(std::move(values)));
  }
  return medians;
}

} // namespace dovetail
