// SPDX-License-Identifier: MIT
//
// Writes files as a whole or not at all, and reads files up to a limit.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dovetail {

// Replaces the file `path` by these bytes. They go to a new file in the same folder, which is synced and then renamed.
// So no reader ever sees half of them, and a full disk keeps the old file. Links are followed, even to a missing file.
// A path that is no regular file (a device, a pipe) is written in place; a link into /proc (/dev/stdout, /dev/fd/3) is
// appended to. Errors: Io, naming the file and the system's reason.
Result<void> writeFileAtomically(const std::string &path, std::span<const uint8_t> bytes);
Result<void> writeFileAtomically(const std::string &path, std::string_view text);

// Writes all bytes. Errors: Io, naming `name` and the system's reason.
Result<void> writeDescriptor(int descriptor, std::span<const uint8_t> bytes, const std::string &name);

// Makes a folder unless it exists. Its parents must exist: so a mistyped path is an Error and makes no tree of folders.
// Errors: Io.
Result<void> makeFolder(const std::string &path);

// Larger than any shader, state or picture; a device that never ends is refused at this size.
constexpr size_t MaxFileBytes = size_t(256) << 20;

// Reads the whole file. Errors: Io; InvalidInput for a file of more than `maxBytes`.
Result<std::string> readWholeFile(const std::string &path, size_t maxBytes = MaxFileBytes);

} // namespace dovetail
