// SPDX-License-Identifier: MIT
#include "tools/common/command/pipe_io.h"
#include <cerrno>
#include <unistd.h>

namespace dovetail {

namespace {

// `transfer` is read() or write().
template <typename Transfer, typename Byte>
bool transferFully(Transfer transfer, int descriptor, Byte *bytes, size_t size) {
  while (size > 0) {
    const ssize_t length = transfer(descriptor, bytes, size);
    if (length < 0 && errno == EINTR)
      continue;
    if (length <= 0)
      return false;
    bytes += length;
    size -= size_t(length);
  }
  return true;
}

} // namespace

bool readFully(int descriptor, void *data, size_t size) {
  return transferFully(::read, descriptor, static_cast<char *>(data), size);
}

bool writeFully(int descriptor, const void *data, size_t size) {
  return transferFully(::write, descriptor, static_cast<const char *>(data), size);
}

} // namespace dovetail
