// SPDX-License-Identifier: MIT
#include "tests/merge/assembler.h"
#include "tests/merge/assemble_text.h"
#include <doctest/doctest.h>

namespace dovetail::test {

std::vector<uint8_t> assemble(std::string_view text, std::string_view gpuName) {
  Result<std::vector<uint8_t>> code = assembleText(text, gpuName);
  INFO((code ? std::string() : code.error().text));
  REQUIRE(code);
  return *code;
}

} // namespace dovetail::test
