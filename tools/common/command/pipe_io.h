// SPDX-License-Identifier: MIT
//
// Reads and writes a pipe completely, however many calls that takes.
#pragma once

#include <cstddef>

namespace dovetail {

// False if the other end closes or fails before all bytes are through.
bool readFully(int descriptor, void *data, size_t size);
bool writeFully(int descriptor, const void *data, size_t size);

} // namespace dovetail
