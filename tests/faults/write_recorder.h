// SPDX-License-Identifier: MIT
//
// Records what a process does to the files of a store's database, except those that do not outlive it, and when it has
// the disk write it down, to tell afterwards what a power cut would have left of them. It stands between SQLite and the
// C library: the functions that SQLite writes with are defined in write_recorder.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>

namespace dovetail::faults {

// Begins anew, with no files.
void startRecording();
void stopRecording();

// How many writes, cuts and syncs were recorded.
size_t recordedSteps();

// What the files may hold if the power goes after so many steps, by their names: everything that was synced before, and
// of what was done to a file since then, sectors of 512 bytes that the disk happened to have written, in whatever
// order.
std::map<std::string, std::string> filesAfterPowerCut(size_t steps, std::mt19937_64 &random);

} // namespace dovetail::faults
