// SPDX-License-Identifier: MIT
//
// The border between the C API and C++: no exception crosses it, and every failure becomes a status and a message. A
// call can also fail in ways that only C has (a struct of a wrong size, a value that is not in its enumeration), so a
// Failure has more codes than the library's Errors.
#pragma once

#include "src/base/error.h"
#include "variants/c_api/include/dovetail.h"
#include <exception>
#include <new>
#include <string>
#include <string_view>

namespace dovetail::c_api {

struct [[nodiscard]] Failure {
  Failure(dovetail_status failedStatus, std::string failedText) : status(failedStatus), text(std::move(failedText)) {}
  explicit Failure(Error error);

  dovetail_status status;
  std::string text;
};

template <typename T> using Outcome = tl::expected<T, Failure>;

template <typename... Args>
[[nodiscard]] tl::unexpected<Failure> badArgument(fmt::format_string<Args...> format, Args &&...args) {
  return tl::unexpected<Failure>(Failure(DOVETAIL_BAD_ARGUMENT, fmt::format(format, std::forward<Args>(args)...)));
}

// Copies as much of the text as fits, and shows if it was cut off. `message` may be NULL.
void setMessage(dovetail_message *message, std::string_view text) noexcept;

// Calls `body`, which returns an Outcome<void>, and returns its status and message.
template <typename Body> dovetail_status guarded(dovetail_message *message, const Body &body) noexcept {
  try {
    const Outcome<void> outcome = body();
    setMessage(message, outcome ? std::string_view() : std::string_view(outcome.error().text));
    return outcome ? DOVETAIL_OK : outcome.error().status;
  } catch (const std::bad_alloc &) {
    setMessage(message, "out of memory");
    return DOVETAIL_OUT_OF_MEMORY;
  } catch (const std::exception &exception) {
    setMessage(message, exception.what());
    return DOVETAIL_INTERNAL;
  } catch (...) {
    setMessage(message, "something was thrown that is no std::exception");
    return DOVETAIL_INTERNAL;
  }
}

} // namespace dovetail::c_api

// DOVETAIL_TRY and DOVETAIL_CHECK for functions that return an Outcome. Takes Results and Outcomes.
#define DOVETAIL_C_TRY(expression)                                                                                     \
  ({                                                                                                                   \
    auto &&dovetailOutcome = (expression);                                                                             \
    if (!dovetailOutcome)                                                                                              \
      return tl::unexpected<::dovetail::c_api::Failure>(                                                               \
          ::dovetail::c_api::Failure(std::move(dovetailOutcome).error()));                                             \
    *std::forward<decltype(dovetailOutcome)>(dovetailOutcome);                                                         \
  })

#define DOVETAIL_C_CHECK(expression)                                                                                   \
  do {                                                                                                                 \
    if (auto &&dovetailOutcome = (expression); !dovetailOutcome)                                                       \
      return tl::unexpected<::dovetail::c_api::Failure>(                                                               \
          ::dovetail::c_api::Failure(std::move(dovetailOutcome).error()));                                             \
  } while (false)
