// SPDX-License-Identifier: MIT
//
// lgc compiles shaders that are LLVM IR with dialect ops, or runs single passes on them. docs/lgc.md describes it.
#include "tools/programs/lgc/lgc_options.h"
#include "tools/programs/lgc/run_lgc.h"
#include <cstdio>
#include <llvm/Support/InitLLVM.h>

int main(int argumentCount, char **arguments) {
  using namespace dovetail;
  Result<lgc_tool::Options> options = lgc_tool::parseOptions(argumentCount, arguments);
  Result<void> result = options ? lgc_tool::run(*options) : tl::unexpected(options.error());
  if (result)
    result = finishOutput();
  if (result)
    return 0;
  std::fprintf(stderr, "lgc: %s: %s\n", std::string(toString(result.error().code)).c_str(),
               result.error().text.c_str());
  return 1;
}
