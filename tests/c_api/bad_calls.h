// SPDX-License-Identifier: MIT
//
// Helpers for the tests of wrong calls.
#pragma once

#include "tests/c_api/objects.h"
#include <string_view>

namespace dovetail::c_test {

// A failing call must set its handle to NULL. So that this shows, the handle begins with this value.
template <typename Handle> Handle *garbage() {
  return reinterpret_cast<Handle *>(uintptr_t(0x1234560));
}

// `named`: a text that the message must contain.
inline void checkBad(dovetail_status status, const dovetail_message &message, std::string_view named) {
  CHECK(status == DOVETAIL_BAD_ARGUMENT);
  CHECK_MESSAGE(std::string_view(message.text).find(named) != std::string_view::npos, message.text);
}

} // namespace dovetail::c_test
