// SPDX-License-Identifier: MIT
#include "tools/common/command/input.h"
#include "tools/common/command/write_file.h"

namespace dovetail {

Result<InputFile> readInputFile(const std::string &path) {
  const bool isStandardInput = path == "-";
  std::string content = DOVETAIL_TRY(readWholeFile(isStandardInput ? "/dev/stdin" : path));
  return InputFile{isStandardInput ? "<stdin>" : path, std::move(content)};
}

} // namespace dovetail
