// SPDX-License-Identifier: MIT
//
// A folder for a store that a test is going to maltreat, and what all these tests ask of it afterwards.
#pragma once

#include "parts/store/part_store.h"
#include "tests/tools/temporary_folder.h"
#include <map>
#include <span>
#include <string>
#include <vector>

namespace dovetail::faults {

using Numbers = std::vector<uint64_t>; // of test parts

// Opens a store; warnings are counted, as there must be one at most for each reason. `maxBytes` 0: the default.
struct OpenedStore {
  Result<std::shared_ptr<PartStore>> store;
  std::shared_ptr<std::vector<std::string>> warnings;
};
OpenedStore openStore(const std::string &path, bool readOnly = false, uint64_t maxBytes = 0, bool trusts = false);

// Makes a folder with these files, by their names, for nobody else.
void writeStore(const std::string &path, const std::map<std::string, std::string> &files);
// The files of a store that no process has open, or that killed ones had.
std::map<std::string, std::string> readStore(const std::string &path);

// All of these return "" or what is wrong, and are for children (child.h).

// Puts these parts and has them on disk.
std::string writeParts(const std::string &path, const Numbers &numbers);

// That each of these parts is either not there or right; how many are there goes to `found`.
std::string checkServed(PartStore &store, const Numbers &numbers, uint64_t &found);

// That all of these parts are there and right, that no other entry is wrong, and that the store takes another part.
std::string checkHealthy(const std::string &path, const Numbers &mustBeThere, uint64_t freshNumber);

// Whatever happened to the store: nothing wrong is served, it takes parts again, and when it has been opened a few
// times, all of them are there and nothing is damaged any more. `found`: how many of the parts were there at first.
std::string checkUsable(const std::string &path, const Numbers &numbers, uint64_t &found);

} // namespace dovetail::faults
