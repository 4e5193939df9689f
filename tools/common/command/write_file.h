// SPDX-License-Identifier: MIT
//
// Files that are either written whole or not at all, and files that are read up to a limit.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dovetail {

// Replaces the file `path` by these bytes. They go to a new file in the same folder, which is synced and then renamed,
// so that no reader ever sees half of them and a full disk leaves what was there before. Links are followed, also one
// to a file that is not there yet. What is not a regular file (a device, a pipe) is written in place, and a link into
// /proc (/dev/stdout, /dev/fd/3) is appended to. Errors: Io, naming the file and the system's reason.
Result<void> writeFileAtomically(const std::string &path, std::span<const uint8_t> bytes);
Result<void> writeFileAtomically(const std::string &path, std::string_view text);

// Writes all of it. Errors: Io, naming `name` and the system's reason.
Result<void> writeDescriptor(int descriptor, std::span<const uint8_t> bytes, const std::string &name);

// Makes a folder unless it is there. Its parents are not made: a mistyped path is an Error and no tree of folders.
// Errors: Io.
Result<void> makeFolder(const std::string &path);

// More than any shader, state or picture has; a device that never ends is refused at this size.
constexpr size_t MaxFileBytes = size_t(256) << 20;

// The whole file. Errors: Io; InvalidInput if it has more bytes than that.
Result<std::string> readWholeFile(const std::string &path, size_t maxBytes = MaxFileBytes);

} // namespace dovetail
