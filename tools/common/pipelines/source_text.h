// SPDX-License-Identifier: MIT
#pragma once

#include "variants/assemble/source_lines.h"
#include <map>
#include <string>
#include <vector>

namespace dovetail {

// Prints source lines such as "light.frag:12  color = texture(image, place);", with the text if the file can be read.
class SourceText {
public:
  std::string describe(const CodeLine &line);

private:
  const std::vector<std::string> &linesOf(const std::string &file);

  std::map<std::string, std::vector<std::string>> m_files;
};

} // namespace dovetail
