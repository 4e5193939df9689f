// SPDX-License-Identifier: MIT
//
// The short form of mutation-check: a few images.
#include "tests/mutations/report.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::mutations;

TEST_CASE("deliberately broken images are caught") {
  Result<Report> report = checkMutations(24, 12, CodeTier::Llvm, [](const std::string &) {});
  if (!report)
    FAIL(report.error().text);
  INFO(report->text());
  CHECK(report->images == 37); // with fewer images, the rate depends on the choice of images
  for (size_t kind = 0; kind < MutationKindCount; ++kind) {
    size_t tried = 0;
    for (size_t count : report->counts[kind])
      tried += count;
    INFO(std::string(toString(MutationKind(kind))));
    CHECK(tried > 0);
  }
  CHECK(report->isGood());
}

TEST_CASE("deliberately broken images of first code are caught") {
  const Result<Report> report = checkMutations(24, 12, CodeTier::FirstCode, [](const std::string &) {});
  if (!report)
    FAIL(report.error().text);
  INFO(report->text());
  CHECK(report->images >= 32); // first code refuses the others
  CHECK(report->rate() >= 0.98);
}
