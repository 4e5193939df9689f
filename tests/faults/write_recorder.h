// SPDX-License-Identifier: MIT
//
// Records what a process writes to files named data.mdb and when it has the disk write it down, to tell afterwards what
// a power cut would have left of them. It stands between LMDB and the C library: the functions that LMDB writes
// with are defined in write_recorder.cpp.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace dovetail::faults {

// Begins anew, with an empty file.
void startRecording();
void stopRecording();

// How many writes and syncs were recorded.
size_t recordedSteps();

// What the file may hold if the power goes after so many steps: everything that was synced before, and of what was
// written since then, sectors of 512 bytes that the disk happened to have written, in whatever order.
std::string fileAfterPowerCut(size_t steps, std::mt19937_64 &random);

} // namespace dovetail::faults
