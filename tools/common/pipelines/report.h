// SPDX-License-Identifier: MIT
//
// Prints what the command line says about a variant.
#pragma once

#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "variants/variant.h"
#include <string>
#include <vector>

namespace dovetail {

// CPU time by phase of everything that this process has compiled so far (src/base/compile_phases.h).
std::string printPhases();

// Prints one row per part: code bytes, instructions, cycles (variants/inspect/code_cost.h), registers, waves, scratch,
// LDS, made or found, tier of main parts, microseconds. Then one row per hardware shader; then printPhases(). Errors:
// those of the disassembler.
Result<std::string> printStatistics(const Variant &variant, const TargetInfo &target);
// The same figures and spills as a JSON object: {"gpu", "parts": [...], "programs": [...], "phases": {...}, "image":
// {...}}.
Result<std::string> printStatisticsJson(const Variant &variant, const TargetInfo &target);

// "first code" or "LLVM"; "" for parts that are no main parts.
std::string tierOf(const Part &part);

// Columns as wide as their widest cell; the first column is aligned to the left, the others to the right.
std::string printTable(const std::vector<std::vector<std::string>> &rows);

} // namespace dovetail
