// SPDX-License-Identifier: MIT
#include "src/base/error.h"

namespace dovetail {

std::string_view toString(ErrorCode code) {
  switch (code) {
  case ErrorCode::InvalidInput:
    return "invalid input";
  case ErrorCode::Unsupported:
    return "unsupported";
  case ErrorCode::UnknownGpu:
    return "unknown GPU";
  case ErrorCode::StateMismatch:
    return "state contradicts shader";
  case ErrorCode::CompileFailed:
    return "compile failed";
  case ErrorCode::JoinRefused:
    return "join refused";
  case ErrorCode::CheckFailed:
    return "image check failed";
  case ErrorCode::Io:
    return "file error";
  case ErrorCode::Cancelled:
    return "cancelled";
  case ErrorCode::NotReady:
    return "not ready";
  case ErrorCode::Internal:
    return "internal error";
  }
  return "?";
}

tl::unexpected<Error> makeError(ErrorCode code, std::string text) {
  return tl::unexpected<Error>(Error{code, std::move(text)});
}

} // namespace dovetail
