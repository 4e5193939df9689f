// SPDX-License-Identifier: MIT
#include "tests/project/layering.h"
#include <doctest/doctest.h>

using namespace dovetail::project;

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
  SourceTree tree = {{"src/lgc/a.h", "#include \"src/spirv/module/b.h\"\n"},
                     {"src/spirv/module/b.h", "#include \"src/lgc/a.h\"\n"}};
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
  SourceTree tree = {{"variants/a.cpp", "#include \"tools/proof/scene/scene.h\"\n"}};
  CHECK(findLayeringViolations(tree).size() == 1);
}

TEST_CASE("the layering check catches a front end whose reading of modules needs the translation") {
  SourceTree tree = {{"src/spirv/module/a.cpp", "#include \"src/spirv/translate/b.h\"\n"}};
  CHECK(findLayeringViolations(tree).size() == 1);
}

TEST_CASE("the layering check catches folders of one room that look into each other") {
  SourceTree tree = {{"variants/bind/a.h", "#include \"variants/optimize/b.h\"\n"},
                     {"variants/optimize/b.h", "#include \"variants/bind/a.h\"\n"}};
  REQUIRE(findLayeringViolations(tree).size() == 1);
  CHECK(findLayeringViolations(tree)[0].starts_with("variants/optimize/b.h"));
}

TEST_CASE("the layering check catches a folder that has no place in the order") {
  CHECK(findLayeringViolations({{"variants/new/a.h", ""}}).size() == 1);
  CHECK(findLayeringViolations({{"tests/new/a.h", ""}}).empty());
}

TEST_CASE("no folder has more files than a reader takes in") {
  for (const std::string &full : findFullFolders(readProject()))
    FAIL_CHECK(full);
}

TEST_CASE("the check of folders' sizes catches the file that is one too many") {
  SourceTree tree;
  for (char name = 'a'; name < 'a' + 25; ++name)
    tree[std::string("parts/") + name] = tree[std::string("tests/shaders/") + name] = "";
  CHECK(findFullFolders(tree).empty());
  tree["parts/z"] = tree["tests/shaders/z"] = "";
  CHECK(findFullFolders(tree) == std::vector<std::string>{"parts has 26 files; 25 are the most"});
}

TEST_CASE("installed headers include each other as <dovetail/...>, and neither LLVM nor Boost.Preprocessor") {
  const SourceTree installed = readFolder(DOVETAIL_INSTALLED_HEADERS);
  REQUIRE(installed.contains("dovetail.h"));
  REQUIRE(installed.contains("variants/bind/binder.h"));
  for (const std::string &violation : findHeaderViolations(installed))
    FAIL_CHECK(violation);
}

TEST_CASE("the check of installed headers catches what their users do not have") {
  auto violationsOf = [](const std::string &include) {
    return findHeaderViolations({{"a.h", "#include " + include + "\n"}, {"merge/b.h", "#include <vector>\n"}});
  };
  CHECK(violationsOf("<dovetail/merge/b.h>").empty());
  CHECK(violationsOf("<boost/container/static_vector.hpp>").empty());
  CHECK(violationsOf("<dovetail/merge/gone.h>").size() == 1);
  CHECK(violationsOf("\"merge/b.h\"").size() == 1);
  CHECK(violationsOf("<llvm/IR/Module.h>").size() == 1);
  CHECK(violationsOf("<boost/preprocessor/seq/for_each.hpp>").size() == 1);
}
