// SPDX-License-Identifier: MIT
//
// Compiles one unit of a corpus. Runs in a worker process: what it finds travels as text.
#pragma once

#include "tools/common/inputs/read_shaders.h"
#include "tools/common/pipelines/corpus_units.h"
#include "tools/programs/dovetail/inspect/inspected_json.h"
#include "variants/bind/device.h"
#include <string>
#include <vector>

namespace dovetail {

struct ShaderOutcome {
  enum class Status { Compiled, Failed, Invalid };
  std::string name;
  Status status = Status::Compiled;
  std::string reason;          // Failed and Invalid
  double mainMicroseconds = 0; // of making its main part
  uint32_t mainBytes = 0;      // of the main part's code
  // Compiled: by which shader, hardware stage and layout it is found again; and the main part's key.
  std::string shader, layout, mainKey;
};

struct UnitOutcome {
  std::vector<ShaderOutcome> shaders;
  // If rows are wanted: what the unit's programs cost, under the unit's name. If a shader is refused or they do not go
  // together: why, under that name; and what the shaders cost that compile alone, under names of their own.
  std::vector<InspectedPipeline> pipelines;
};

enum class UnitRows : uint8_t { Unwanted, Wanted };

// Of a unit of which nothing is known but why.
UnitOutcome failedUnit(const CorpusUnit &unit, const std::string &reason);

// Never fails as a whole: each shader has its outcome. A unit whose shaders do not go together is tried shader by
// shader, so that the blame falls on the right one.
UnitOutcome compileUnit(Device &device, const CorpusUnit &unit, const BuildOptions &options = {},
                        const ReadOptions &read = {}, UnitRows rows = UnitRows::Unwanted);

std::string printOutcome(const UnitOutcome &outcome);
Result<UnitOutcome> parseOutcome(const std::string &text);

std::string_view toString(ShaderOutcome::Status status);

} // namespace dovetail
