// SPDX-License-Identifier: MIT
#include "tests/tools/temporary_folder.h"
#include "tools/common/pipelines/corpus_units.h"
#include <doctest/doctest.h>
#include <map>

using namespace dovetail;

namespace {

using Units = std::map<std::string, size_t>;

// The units of a folder that has these files: each as its name and its number of files.
Units unitsOf(const std::vector<std::string> &names) {
  TemporaryFolder folder;
  for (const std::string &name : names)
    folder.write(name, "void main() {}");
  Units units;
  const std::vector<CorpusUnit> found = findCorpusUnits({folder.path().string()}).value();
  for (const CorpusUnit &unit : found)
    units[unit.name.substr(folder.path().string().size() + 1)] = unit.files.size();
  return units;
}

} // namespace

TEST_CASE("shaders of one name are a program, in every language") {
  for (const char *ending : {"", ".glsl", ".hlsl", ".spv", ".spvasm", ".hlsl.spv"}) {
    CAPTURE(ending);
    CHECK(unitsOf({std::string("light.vert") + ending, std::string("light.frag") + ending}) == Units{{"light", 2}});
  }
  CHECK(unitsOf({"light.vert.hlsl", "shadow.frag.hlsl"}) == Units{{"light.vert.hlsl", 1}, {"shadow.frag.hlsl", 1}});
}
