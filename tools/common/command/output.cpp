// SPDX-License-Identifier: MIT
#include "tools/common/command/output.h"
#include "tools/common/command/write_file.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace dovetail {

namespace {

constexpr const char *StandardOutput = "the standard output";

// The stream of print(), and the errno of its first failure.
FILE *g_printed = nullptr;
int g_failure = 0;

FILE *printed() {
  return g_printed ? g_printed : stdout;
}

} // namespace

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), printed()) != text.size() && g_failure == 0)
    g_failure = errno;
}

Result<void> finishOutput() {
  if (std::fflush(printed()) != 0 && g_failure == 0)
    g_failure = errno;
  if (g_failure != 0)
    return makeError(ErrorCode::Io, "cannot write to {}: {}", StandardOutput, std::strerror(g_failure));
  return {};
}

bool isStandardOutput(std::string_view path) {
  return path == "-";
}

Result<void> reserveOutput(const std::string &path, std::span<const std::string> inputs) {
  if (!isStandardOutput(path)) {
    for (const std::string &input : inputs) {
      std::error_code error; // a missing file is a different file
      if (std::filesystem::equivalent(path, input, error) ||
          std::filesystem::equivalent(path, input.substr(0, input.rfind('#')), error))
        return makeError(ErrorCode::InvalidInput, "{} is read, and would be overwritten", path);
    }
    return {};
  }
  if (::isatty(STDOUT_FILENO))
    return makeError(ErrorCode::InvalidInput, "-o -: {} is a terminal", StandardOutput);
  if (g_printed)
    return makeError(ErrorCode::InvalidInput, "two files are to be written to {}", StandardOutput);
  g_printed = stderr;
  return {};
}

Result<void> writeOutput(const std::string &path, std::span<const uint8_t> bytes) {
  return isStandardOutput(path) ? writeDescriptor(STDOUT_FILENO, bytes, StandardOutput)
                                : writeFileAtomically(path, bytes);
}

Result<void> writeOutput(const std::string &path, std::string_view text) {
  return writeOutput(path, std::span(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
}

} // namespace dovetail
