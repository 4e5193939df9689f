// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

namespace dovetail::test {

// The parts of this build in a store: the bytes of each as an archive has them (parts/store/archive.h), by its kind,
// key, GPU and build. Equal parts have equal bytes, whoever made them.
using StoreContents = std::map<std::string, std::string>;
StoreContents contentsOf(const std::string &store);

// Fails the test case, with a few names, if the stores have different parts.
void checkSameContents(const std::string &store, const std::string &expected);

} // namespace dovetail::test
