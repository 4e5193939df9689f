// SPDX-License-Identifier: MIT
//
// Documents and comments refer to files, folders, types, functions, options and tools. These checks find references to
// things that do not exist.
#pragma once

#include "tests/project/source_tree.h"

namespace dovetail::project {

// Links of documents that lead nowhere, and names in `code` that the project does not have: paths, file names,
// identifiers, options of the command line, programs in build/.
std::vector<std::string> findDocumentViolations(const SourceTree &tree);

// Comments in sources with paths of the project's own that do not exist.
std::vector<std::string> findCommentViolations(const SourceTree &tree);

// Options of the tools that their documents do not name.
std::vector<std::string> findUnnamedOptions(const SourceTree &tree);

} // namespace dovetail::project
