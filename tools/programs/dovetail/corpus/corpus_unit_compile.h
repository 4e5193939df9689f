// SPDX-License-Identifier: MIT
//
// Compiles one unit of a corpus. Runs in a worker process, so its results travel as text.
#pragma once

#include "parts/cache/first_code_counts.h"
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
  std::string reason;          // if Failed or Invalid
  double mainMicroseconds = 0; // of making its main part
  uint32_t mainBytes = 0;      // of the main part's code
  // If Compiled: the shader, hardware stage and layout that identify the main part, and the main part's key.
  std::string shader, layout, mainKey;
};

struct UnitOutcome {
  std::vector<ShaderOutcome> shaders;
  // If rows are wanted: the costs of the unit's programs, under the unit's name. If a shader is refused or the shaders
  // do not go together: the reason, under the unit's name, and the costs of the shaders that compile alone, under names
  // of their own.
  std::vector<InspectedPipeline> pipelines;
  FirstCodeCounts firstCode; // of the main parts that the unit was the first to need
};

enum class UnitRows : uint8_t { Unwanted, Wanted };

// The outcome of a unit of which only the reason of its failure is known.
UnitOutcome failedUnit(const CorpusUnit &unit, const std::string &reason);

// Never fails as a whole: each shader has its outcome. If the shaders of a unit do not go together, each is tried
// alone, to find the faulty one.
UnitOutcome compileUnit(Device &device, const CorpusUnit &unit, const BuildOptions &options = {},
                        const ReadOptions &read = {}, UnitRows rows = UnitRows::Unwanted);

// Lets later processes with this device's store trust the modules, which createShader() has validated.
void storeValidModules(Device &device, const std::vector<ShaderRef> &shaders);

std::string printOutcome(const UnitOutcome &outcome);
Result<UnitOutcome> parseOutcome(const std::string &text);

std::string_view toString(ShaderOutcome::Status status);

} // namespace dovetail
