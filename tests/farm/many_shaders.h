// SPDX-License-Identifier: MIT
#pragma once

#include "tests/tools/temporary_folder.h"

namespace dovetail::test {

// Writes small compute shaders that differ, each a pipeline, into a new folder there. Returns its path.
std::string writeShaders(const TemporaryFolder &folder, unsigned count);

} // namespace dovetail::test
