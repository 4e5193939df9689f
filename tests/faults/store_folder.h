// SPDX-License-Identifier: MIT
//
// A folder for a store that a test is going to maltreat, and the checks that all these tests make afterwards.
#pragma once

#include "parts/store/part_store.h"
#include "tests/tools/temporary_folder.h"
#include <map>
#include <span>
#include <string>
#include <vector>

namespace dovetail::faults {

using Numbers = std::vector<uint64_t>; // of test parts

// Opens a store and counts its warnings: there must be one at most for each reason. `maxBytes` 0: the default.
struct OpenedStore {
  Result<std::shared_ptr<PartStore>> store;
  std::shared_ptr<std::vector<std::string>> warnings;
};
OpenedStore openStore(const std::string &path, bool readOnly = false, uint64_t maxBytes = 0, bool trusts = false);

// Makes a folder with these files, by their names. Only this user may read it.
void writeStore(const std::string &path, const std::map<std::string, std::string> &files);
// The files of a store that no process has open, or that only killed processes had open.
std::map<std::string, std::string> readStore(const std::string &path);

// The following functions run in children (child.h). They return "" or a defect, unless they say otherwise.

// Puts these parts and flushes them to disk.
std::string writeParts(const std::string &path, const Numbers &numbers);

// Puts parts until the store is off, which must happen within 100,000 parts. Then there is one warning, each part that
// is found is right, and those of `mustBeThere` are found.
std::string writeUntilOff(const std::string &path, uint64_t first, const Numbers &mustBeThere);

// Opens a store that already has the parts 0 to 3, where it cannot be written to, and tries to put another part.
// Returns "not opened" (with an Error that names the store), "4 found, read-only", or what is wrong.
std::string useUnwritable(const std::string &path, bool trusts = false);

// Checks that each of these parts is missing or right. `found` gets the number of those that are there.
std::string checkServed(PartStore &store, const Numbers &numbers, uint64_t &found);

// Checks that all of these parts are there and right, that no other entry is wrong, and that the store takes another
// part.
std::string checkHealthy(const std::string &path, const Numbers &mustBeThere, uint64_t freshNumber);

// Checks a store after any damage: it serves nothing wrong and takes parts again. When it has been opened a few times,
// all parts are there and no damage is left. `found`: the number of parts that were there at first.
std::string checkUsable(const std::string &path, const Numbers &numbers, uint64_t &found);

} // namespace dovetail::faults
