// SPDX-License-Identifier: MIT
//
// All of what is read from a pipe or written into one, however many calls that takes.
#pragma once

#include <cstddef>

namespace dovetail {

// False if the other end has gone or fails before that.
bool readFully(int descriptor, void *data, size_t size);
bool writeFully(int descriptor, const void *data, size_t size);

} // namespace dovetail
