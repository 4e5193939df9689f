// SPDX-License-Identifier: MIT
//
// The project's own files as data, so that checks over them can be tested with trees that do not exist.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace dovetail::project {

// Root-relative path to content.
using SourceTree = std::map<std::string, std::string>;

// Every file below the root that is not in a build folder or git's.
SourceTree readProject();

// The same for another folder. The paths are relative to it.
SourceTree readFolder(const std::filesystem::path &root);

// The files whose names end like C++.
bool isCpp(const std::string &path);

// The first line, without its end.
std::string firstLine(const std::string &text);

size_t countLines(const std::string &text);

// The names in the #include lines of a file, with their quotes or angle brackets.
std::vector<std::string> includesOf(const std::string &text);

} // namespace dovetail::project
