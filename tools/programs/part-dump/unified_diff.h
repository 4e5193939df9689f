// SPDX-License-Identifier: MIT
//
// Writes the difference of two texts as `diff -u` does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dovetail::part_dump {

// Empty if the texts are equal. Lines must not contain line feeds.
std::string unifiedDiff(const std::vector<std::string> &before, const std::vector<std::string> &after,
                        std::string_view beforeName, std::string_view afterName);

} // namespace dovetail::part_dump
