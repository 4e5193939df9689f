// SPDX-License-Identifier: MIT
#include "tests/project/driver_contract.h"
#include <doctest/doctest.h>

using namespace dovetail::project;

namespace {

constexpr const char *Document = "docs/driver-contract.md", *Header = "variants/c_api/include/dovetail_variant.h";

// The violations after `from` has become `to` in a file of the project.
std::vector<std::string> violationsWith(const char *path, const std::string &from, const std::string &to) {
  SourceTree project = readProject();
  SourceTree tree = {{Document, project[Document]}, {Header, project[Header]}};
  const size_t at = tree[path].find(from);
  REQUIRE(at != std::string::npos);
  tree[path].replace(at, from.size(), to);
  return findDriverContractViolations(tree);
}

} // namespace

TEST_CASE("what drivers are told are the numbers that programs are made with") {
  for (const std::string &violation : findDriverContractViolations(readProject()))
    FAIL_CHECK(violation);
}

TEST_CASE("the check of the driver's contract finds an entry that the document lacks") {
  CHECK(violationsWith(Document, "\n| 9 | `TESS_FACTORS` |", "\n| none | `TESS_FACTORS` |") ==
        std::vector<std::string>{"docs/driver-contract.md, The global table: 9 is missing"});
}

TEST_CASE("the check of the driver's contract finds an entry that only the document has") {
  CHECK(violationsWith(Document, "\n| 9 |", "\n| 15 | `GONE` | all | raw | x |\n| 9 |") ==
        std::vector<std::string>{"docs/driver-contract.md, The global table: there is no 15"});
}

TEST_CASE("the check of the driver's contract finds a descriptor of another kind, and other GPUs") {
  CHECK(violationsWith(Document, "`ES_RING_OUT` | GFX8 | swizzled", "`ES_RING_OUT` | all | raw").size() == 2);
}

TEST_CASE("the check of the driver's contract finds user data with another name") {
  CHECK(violationsWith(Document, "| 0x10000005 | `DRAW_INDEX` |", "| 0x10000005 | `BASE_INDEX` |").size() == 1);
}

TEST_CASE("the check of the driver's contract finds numbers that the header has otherwise, too many and too few") {
  CHECK(violationsWith(Header, "DOVETAIL_GLOBAL_TABLE_TESS_FACTORS = 9", "DOVETAIL_GLOBAL_TABLE_TESS_FACTORS = 11")
            .size() == 2);
  CHECK(violationsWith(Header, "DOVETAIL_GLOBAL_TABLE_TESS_FACTORS = 9,",
                       "DOVETAIL_GLOBAL_TABLE_TESS_FACTORS = 9, DOVETAIL_GLOBAL_TABLE_MORE = 33,")
            .size() == 1);
  CHECK(violationsWith(Header, "DOVETAIL_USER_DATA_DRAW_INDEX = 0x10000005,", "").size() == 1);
}
