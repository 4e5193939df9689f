// SPDX-License-Identifier: MIT
//
// Files that are either written whole or not at all.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dovetail {

// Replaces the file `path` by these bytes. They go to a new file in the same folder, which is synced and then renamed,
// so that no reader ever sees half of them and a full disk leaves what was there before. What is not a regular file (a
// device, a pipe) is written in place. Errors: Io, naming the file and the system's reason.
Result<void> writeFileAtomically(const std::string &path, std::span<const uint8_t> bytes);
Result<void> writeFileAtomically(const std::string &path, std::string_view text);

// Makes a folder unless it is there. Its parents are not made: a mistyped path is an Error and no tree of folders.
// Errors: Io.
Result<void> makeFolder(const std::string &path);

// The whole file. Errors: Io.
Result<std::string> readWholeFile(const std::string &path);

} // namespace dovetail
