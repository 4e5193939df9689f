// SPDX-License-Identifier: MIT
//
// What calls that are wrong have in common.
#pragma once

#include "tests/c_api/objects.h"
#include <string_view>

namespace dovetail::c_test {

// The handle that a failing call must set to NULL begins as this.
template <typename Handle> Handle *garbage() {
  return reinterpret_cast<Handle *>(uintptr_t(0x1234560));
}

// `named`: what the message says.
inline void checkBad(dovetail_status status, const dovetail_message &message, std::string_view named) {
  CHECK(status == DOVETAIL_BAD_ARGUMENT);
  CHECK_MESSAGE(std::string_view(message.text).find(named) != std::string_view::npos, message.text);
}

} // namespace dovetail::c_test
