// SPDX-License-Identifier: MIT
#include "src/base/error.h"
#include "src/base/enumerators.h"

namespace dovetail {

std::string_view toString(ErrorCode code) {
  static constexpr std::string_view Names[] = {
      "invalid input",  "unsupported",  "unknown GPU",        "state contradicts shader",
      "compile failed", "join refused", "image check failed", "file error",
      "not ready",      "cancelled",    "internal error",
  };
  static_assert(std::size(Names) == enumeratorCount<ErrorCode>());
  return Names[size_t(code)];
}

tl::unexpected<Error> makeError(ErrorCode code, std::string text) {
  return tl::unexpected<Error>(Error{code, std::move(text)});
}

} // namespace dovetail
