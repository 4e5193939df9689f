// SPDX-License-Identifier: MIT
//
// Errors are values. Every function that can fail returns Result<T>; an Error says which kind of
// failure it is and, in its text, which input caused it (instruction word offset, set/binding,
// part key, file name). All Errors are made in makeError(), so one breakpoint finds any origin.
#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace dovetail {

enum class ErrorCode {
  InvalidInput,  // what the caller gave is malformed: SPIR-V that does not validate, a bad state file
  Unsupported,   // well formed, but nothing here implements it
  UnknownGpu,    // the GPU name is not in the target table
  StateMismatch, // the pipeline state contradicts the shader
  CompileFailed, // LLVM reported an error
  JoinRefused,   // contracts of neighbouring parts do not match, or the image cannot be laid out
  CheckFailed,   // checkImage found a defect in a finished image
  Io,            // a file could not be read or written
  NotReady,      // the value takes a compiler; the compiler was asked, and the caller does not wait
  Cancelled,     // nobody wants the result any more
  Internal,      // an invariant of ours does not hold
};

// The code's name as it is shown to users, for example "unsupported".
std::string_view toString(ErrorCode code);

struct [[nodiscard]] Error {
  ErrorCode code;
  std::string text;
};

template <typename T> using Result = tl::expected<T, Error>;

// Makes every Error.
[[nodiscard]] tl::unexpected<Error> makeError(ErrorCode code, std::string text);

template <typename... Args>
[[nodiscard]] tl::unexpected<Error> makeError(ErrorCode code, fmt::format_string<Args...> format, Args &&...args) {
  return makeError(code, fmt::format(format, std::forward<Args>(args)...));
}

} // namespace dovetail

// Evaluates to the value of a Result, or returns its Error from the enclosing function. Do not use it in an expression
// that has made another object before, such as an earlier element of a list: GCC does not destroy that object on
// return.
#define DOVETAIL_TRY(expression)                                                                                       \
  ({                                                                                                                   \
    auto &&dovetailResult = (expression);                                                                              \
    if (!dovetailResult)                                                                                               \
      return tl::unexpected<::dovetail::Error>(std::move(dovetailResult).error());                                     \
    *std::forward<decltype(dovetailResult)>(dovetailResult);                                                           \
  })

// Returns the Error of a Result<void> from the enclosing function, if there is one.
#define DOVETAIL_CHECK(expression)                                                                                     \
  do {                                                                                                                 \
    if (auto &&dovetailResult = (expression); !dovetailResult)                                                         \
      return tl::unexpected<::dovetail::Error>(std::move(dovetailResult).error());                                     \
  } while (false)
