// SPDX-License-Identifier: MIT
#include "tests/project/layering.h"
#include <doctest/doctest.h>
#include <sstream>

using namespace dovetail::project;

namespace {

std::vector<std::string> installedHeaders() {
  std::istringstream names(DOVETAIL_INSTALLED_HEADERS);
  std::vector<std::string> headers;
  for (std::string name; std::getline(names, name, ' ');)
    headers.push_back(name);
  return headers;
}

} // namespace

TEST_CASE("folders depend on each other in one direction only") {
  for (const std::string &violation : findLayeringViolations(readProject()))
    FAIL_CHECK(violation);
}

TEST_CASE("the layering check catches a part that looks into merge") {
  SourceTree tree = {{"parts/a.h", "#include \"merge/join.h\"\n"}};
  CHECK(findLayeringViolations(tree).size() == 1);
}

TEST_CASE("the layering check lets merge look into parts") {
  SourceTree tree = {{"merge/a.h", "#include \"parts/part.h\"\n#include <vector>\n"}};
  CHECK(findLayeringViolations(tree).empty());
}

TEST_CASE("the layering check catches a cycle between folders of src") {
  SourceTree tree = {{"src/lgc/a.h", "#include \"src/spirv/b.h\"\n"}, {"src/spirv/b.h", "#include \"src/lgc/a.h\"\n"}};
  CHECK(findLayeringViolations(tree).size() == 1);
}

TEST_CASE("the layering check catches a pass that knows the Pipeline, and lets the Pipeline know passes") {
  SourceTree tree = {{"src/lgc/lowering/a.h", "#include \"src/lgc/pipeline.h\"\n"},
                     {"src/lgc/pipeline.cpp", "#include \"src/lgc/lowering/a.h\"\n"}};
  REQUIRE(findLayeringViolations(tree).size() == 1);
  CHECK(findLayeringViolations(tree)[0].starts_with("src/lgc/lowering/a.h"));
}

TEST_CASE("the layering check catches LLVM behind a header that merge includes") {
  SourceTree tree = {{"merge/a.h", "#include \"src/mc/b.h\"\n"}, {"src/mc/b.h", "# include <llvm/MC/MCInst.h>\n"}};
  REQUIRE(findLayeringViolations(tree).size() == 1);
  CHECK(findLayeringViolations(tree)[0].find("src/mc/b.h includes <llvm/MC/MCInst.h>") != std::string::npos);
}

TEST_CASE("the layering check catches an include that is relative to its own folder") {
  SourceTree tree = {{"parts/a.cpp", "#include \"part.h\"\n"}};
  CHECK(findLayeringViolations(tree).size() == 1);
}

TEST_CASE("the layering check catches a library that needs the emulator") {
  SourceTree tree = {{"variants/a.cpp", "#include \"tools/scene/scene.h\"\n"}};
  CHECK(findLayeringViolations(tree).size() == 1);
}

TEST_CASE("the layering check catches a front end whose reading of modules needs the translation") {
  SourceTree tree = {{"src/spirv/module/a.cpp", "#include \"src/spirv/translate/b.h\"\n"}};
  CHECK(findLayeringViolations(tree).size() == 1);
}

TEST_CASE("no installed header needs LLVM or Boost.Preprocessor") {
  std::vector<std::string> headers = installedHeaders();
  CHECK(headers.size() > 20);
  for (const std::string &violation : findCompilerInHeaders(readProject(), headers))
    FAIL_CHECK(violation);
}

TEST_CASE("the check of installed headers catches LLVM behind another header, and a header that is gone") {
  SourceTree tree = {{"variants/a.h", "#include \"src/lgc/b.h\"\n"},
                     {"src/lgc/b.h", "#include <boost/preprocessor/seq/for_each.hpp>\n"},
                     {"merge/image.h", "#include <boost/container/static_vector.hpp>\n"}};
  CHECK(findCompilerInHeaders(tree, {"variants/a.h"}).size() == 1);
  CHECK(findCompilerInHeaders(tree, {"variants/gone.h"}).size() == 1);
  CHECK(findCompilerInHeaders(tree, {"merge/image.h"}).empty());
}
