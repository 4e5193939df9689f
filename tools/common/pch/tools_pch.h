// SPDX-License-Identifier: MIT
// Headers that nearly every command line includes, compiled once. GCC compiles this header as a main file, in which it
// warns of #pragma once.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>
