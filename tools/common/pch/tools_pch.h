// SPDX-License-Identifier: MIT
// What nearly every command line includes; compiled once. It is a main file, in which GCC warns of #pragma once.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>
