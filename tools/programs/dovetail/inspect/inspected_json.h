// SPDX-License-Identifier: MIT
//
// What pipelines cost, as `dovetail inspect --json` and `dovetail corpus --json` write it and `dovetail compare` reads
// it.
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
// `name`: of the file that it comes from. Errors: InvalidInput, naming the file and the first field that is wrong.
Result<InspectedPipeline> inspectedFromJson(const nlohmann::ordered_json &json, const std::string &name);

// Of a file with "gpu" and "pipelines"; "-": of the standard input. Errors: Io; InvalidInput, naming the file and the
// field.
Result<InspectedList> readInspected(const std::string &path);

} // namespace dovetail
