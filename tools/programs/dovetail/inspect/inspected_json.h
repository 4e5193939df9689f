// SPDX-License-Identifier: MIT
//
// Reads and writes the costs of pipelines: `dovetail inspect --json` and `dovetail corpus --json` write them, `dovetail
// compare` reads them.
#pragma once

#include "src/base/error.h"
#include "tools/programs/dovetail/inspect/program_row.h"
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace dovetail {

struct InspectedPipeline {
  std::string name;
  std::vector<ProgramRow> programs; // empty: `failure` says why
  std::string failure;
};

struct InspectedList {
  std::string gpu;
  std::vector<InspectedPipeline> pipelines;
};

nlohmann::ordered_json toJson(const InspectedPipeline &pipeline);
nlohmann::ordered_json toJson(const std::vector<InspectedPipeline> &pipelines);
// `name`: the file's. Errors: InvalidInput, naming the file and the first wrong field.
Result<InspectedPipeline> inspectedFromJson(const nlohmann::ordered_json &json, const std::string &name);

// Reads a file with "gpu" and "pipelines"; "-" is the standard input. Errors: Io; InvalidInput, naming the file and the
// field.
Result<InspectedList> readInspected(const std::string &path);

} // namespace dovetail
