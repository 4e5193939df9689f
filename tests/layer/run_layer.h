// SPDX-License-Identifier: MIT
//
// Runs headless_app with and without the layer.
#pragma once

#include "tests/tools/run_command.h"
#include "tests/tools/temporary_folder.h"
#include <nlohmann/json.hpp>

namespace dovetail::layer_tests {

using Json = nlohmann::json;

// Variables in front of a command line, each with a space behind it.
extern const std::string Lavapipe, Layer;

// The only file with this extension.
std::string readOnly(const TemporaryFolder &folder, const std::string &extension);

// What a scenario prints: hashes of its pictures.
std::string picturesOf(const std::string &scenario, const std::string &variables);

// The report of a scenario. The scenario's pictures must be the same as without the layer.
Json reportOf(const std::string &scenario, const TemporaryFolder &folder, const std::string &variables = "");

} // namespace dovetail::layer_tests
