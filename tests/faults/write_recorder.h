// SPDX-License-Identifier: MIT
//
// Records the writes and syncs of a process to the files of a store's database, except to files that do not outlive the
// process. Then it can tell what files a power cut would have left. It stands between SQLite and the C library:
// write_recorder.cpp defines the functions that SQLite writes with.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>

namespace dovetail::faults {

// Begins a new record, with no files.
void startRecording();
void stopRecording();

// The number of recorded writes, cuts and syncs.
size_t recordedSteps();

// The files, by their names, as they may be if the power goes after `steps` steps. Everything that was synced before is
// there. Of the later changes to a file, some sectors of 512 bytes are there, in whatever order the disk has written
// them.
std::map<std::string, std::string> filesAfterPowerCut(size_t steps, std::mt19937_64 &random);

} // namespace dovetail::faults
