// SPDX-License-Identifier: MIT
// What nearly every command line includes; compiled once.
#pragma once
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>
