// SPDX-License-Identifier: MIT
#include "tools/command/pipe_io.h"
#include <cerrno>
#include <unistd.h>

namespace dovetail {

bool readFully(int descriptor, void *data, size_t size) {
  auto *bytes = static_cast<char *>(data);
  while (size > 0) {
    ssize_t length = ::read(descriptor, bytes, size);
    if (length < 0 && errno == EINTR)
      continue;
    if (length <= 0)
      return false;
    bytes += length;
    size -= length;
  }
  return true;
}

bool writeFully(int descriptor, const void *data, size_t size) {
  const auto *bytes = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t length = ::write(descriptor, bytes, size);
    if (length < 0 && errno == EINTR)
      continue;
    if (length <= 0)
      return false;
    bytes += length;
    size -= length;
  }
  return true;
}

} // namespace dovetail
