// SPDX-License-Identifier: MIT
//
// What documents and comments refer to must be there: files, folders, types, functions, options, tools.
#pragma once

#include "tests/project/source_tree.h"

namespace dovetail::project {

// Links of documents that lead nowhere, and names in `code` that nothing in the project has: paths, file names,
// identifiers, options of the command line, programs in build/.
std::vector<std::string> findDocumentViolations(const SourceTree &tree);

// Paths of the project's own files in comments of sources that are not there.
std::vector<std::string> findCommentViolations(const SourceTree &tree);

// Options of the tools that their documents do not name.
std::vector<std::string> findUnnamedOptions(const SourceTree &tree);

} // namespace dovetail::project
