// SPDX-License-Identifier: MIT
#include "variants/c_api/convert/failure.h"
#include "src/base/enumerators.h"
#include <algorithm>
#include <cstring>

namespace dovetail::c_api {

namespace {

// C has the codes in the same order, behind DOVETAIL_OK.
constexpr dovetail_status statusOf(ErrorCode code) {
  return static_cast<dovetail_status>(int(code) + 1);
}
static_assert(statusOf(ErrorCode::InvalidInput) == DOVETAIL_INVALID_INPUT &&
              statusOf(ErrorCode::Unsupported) == DOVETAIL_UNSUPPORTED &&
              statusOf(ErrorCode::UnknownGpu) == DOVETAIL_UNKNOWN_GPU &&
              statusOf(ErrorCode::StateMismatch) == DOVETAIL_STATE_MISMATCH &&
              statusOf(ErrorCode::CompileFailed) == DOVETAIL_COMPILE_FAILED &&
              statusOf(ErrorCode::JoinRefused) == DOVETAIL_JOIN_REFUSED &&
              statusOf(ErrorCode::CheckFailed) == DOVETAIL_CHECK_FAILED && statusOf(ErrorCode::Io) == DOVETAIL_IO &&
              statusOf(ErrorCode::NotReady) == DOVETAIL_NOT_READY &&
              statusOf(ErrorCode::Cancelled) == DOVETAIL_CANCELLED &&
              statusOf(ErrorCode::Internal) == DOVETAIL_INTERNAL && enumeratorCount<ErrorCode>() == DOVETAIL_INTERNAL);

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
