// SPDX-License-Identifier: MIT
#include "tests/project/facts.h"
#include <doctest/doctest.h>

using namespace dovetail::project;

TEST_CASE("every table of facts about the hardware says where they are from") {
  for (const std::string &violation : findFactViolations(readProject()))
    FAIL_CHECK(violation);
}

TEST_CASE("the check of facts finds a register without a source") {
  SourceTree tree = {{"src/abi/registers/registers.def",
                      "// LLPC\nREGISTER(GOOD, 0x1, 1, Both, Ps, \"radv_x\") // (a \"b\")\n"
                      "REGISTER(BAD, 0x2, 1, Both, Ps, \"\")\n"
                      "REGISTER(WORSE, 0x3, 1, Both, Ps)\n"}};
  CHECK(findFactViolations(tree) == std::vector<std::string>{"src/abi/registers/registers.def: BAD has no source",
                                                             "src/abi/registers/registers.def: WORSE has no source"});
}

TEST_CASE("the check of facts finds an entry of the driver's contract without a source") {
  SourceTree tree = {{"src/abi/driver_contract.def",
                      "// PAL\nGLOBAL_TABLE(A, A, 0, Both, Raw, \"ours\")\nUSER_DATA(B, B, 1, \" \")\n"}};
  CHECK(findFactViolations(tree) == std::vector<std::string>{"src/abi/driver_contract.def: B has no source"});
}

TEST_CASE("the check of facts finds a file that names no source, unless its header does") {
  SourceTree tree = {{"src/isa/a.cpp", "constexpr int A = 1;\n"},
                     {"src/isa/b.cpp", "constexpr int B = 1;\n"},
                     {"src/isa/b.h", "// LLVM, SIDefines.h\n"},
                     {"src/isa/c.cpp", "const char *C = \"LLVM\";\n"},
                     {"variants/d.cpp", "constexpr int D = 1;\n"}};
  CHECK(findFactViolations(tree) ==
        std::vector<std::string>{"src/isa/a names no source of its facts", "src/isa/c names no source of its facts"});
}

TEST_CASE("the check of facts finds beliefs that are in the list or in the code only") {
  SourceTree tree = {{"docs/hardware-facts.md", "`merge/other.h`\n## Beliefs\n| x | `merge/a.h`, `merge/b.h` | y |\n"},
                     {"merge/a.h", "// docs/hardware-facts.md\n"},
                     {"merge/b.h", "\n"},
                     {"merge/c.h", "// docs/hardware-facts.md\n"}};
  CHECK(findFactViolations(tree) ==
        std::vector<std::string>{"merge/b.h does not refer to docs/hardware-facts.md, which lists it",
                                 "merge/c.h refers to docs/hardware-facts.md, which does not list it"});
}
