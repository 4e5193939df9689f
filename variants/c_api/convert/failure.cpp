// SPDX-License-Identifier: MIT
#include "variants/c_api/convert/failure.h"
#include <algorithm>
#include <cstring>

namespace dovetail::c_api {

namespace {

dovetail_status statusOf(ErrorCode code) {
  switch (code) {
  case ErrorCode::InvalidInput:
    return DOVETAIL_INVALID_INPUT;
  case ErrorCode::Unsupported:
    return DOVETAIL_UNSUPPORTED;
  case ErrorCode::UnknownGpu:
    return DOVETAIL_UNKNOWN_GPU;
  case ErrorCode::StateMismatch:
    return DOVETAIL_STATE_MISMATCH;
  case ErrorCode::CompileFailed:
    return DOVETAIL_COMPILE_FAILED;
  case ErrorCode::JoinRefused:
    return DOVETAIL_JOIN_REFUSED;
  case ErrorCode::CheckFailed:
    return DOVETAIL_CHECK_FAILED;
  case ErrorCode::Io:
    return DOVETAIL_IO;
  case ErrorCode::Cancelled:
    return DOVETAIL_CANCELLED;
  case ErrorCode::NotReady:
    return DOVETAIL_NOT_READY;
  case ErrorCode::Internal:
    break;
  }
  return DOVETAIL_INTERNAL;
}

} // namespace

Failure::Failure(Error error) : status(statusOf(error.code)), text(std::move(error.text)) {}

void setMessage(dovetail_message *message, std::string_view text) noexcept {
  if (!message)
    return;
  constexpr std::string_view Ellipsis = "...";
  constexpr size_t Room = sizeof(message->text) - 1;
  size_t length = text.size();
  const bool isCut = length > Room;
  if (isCut) {
    length = Room - Ellipsis.size();
    // UTF-8: do not cut a character in two. All its bytes but the first are 10xxxxxx.
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80)
      --length;
  }
  std::copy_n(text.data(), length, message->text);
  if (isCut) {
    std::copy_n(Ellipsis.data(), Ellipsis.size(), message->text + length);
    length += Ellipsis.size();
  }
  message->text[length] = '\0';
}

} // namespace dovetail::c_api
