// SPDX-License-Identifier: MIT
//
// Calls dovetail.h from C++. A status other than success becomes a Failure with the call's own text.
#pragma once

#include "variants/c_api/convert/failure.h"

namespace dovetail::emulator_library {

// `call` takes a message and returns a dovetail_status.
template <typename Call> c_api::Outcome<void> ask(const Call &call) {
  dovetail_message message;
  const dovetail_status status = call(&message);
  if (status != DOVETAIL_OK)
    return tl::unexpected<c_api::Failure>(c_api::Failure(status, message.text));
  return {};
}

} // namespace dovetail::emulator_library
