// SPDX-License-Identifier: MIT
//
// The order in which folders may depend on each other, as one list, and the check of a source tree against it.
#pragma once

#include "tests/project/source_tree.h"

namespace dovetail::project {

// One sentence for each #include that points the wrong way, for each file in a folder that the order does not name, and
// for each file of merge that reaches an LLVM header.
std::vector<std::string> findLayeringViolations(const SourceTree &tree);

// One sentence for each folder that has more files than a reader takes in at once. Folders of data may have more.
std::vector<std::string> findFullFolders(const SourceTree &tree);

// One sentence for each #include in the headers as they are installed that is neither <dovetail/...> nor a header that
// who uses the library has.
std::vector<std::string> findHeaderViolations(const SourceTree &installed);

} // namespace dovetail::project
