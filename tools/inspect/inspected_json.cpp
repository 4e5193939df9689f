// SPDX-License-Identifier: MIT
#include "tools/inspect/inspected_json.h"
#include "tools/command/write_file.h"
#include "tools/inputs/json_reader.h"
#include <cstdint>

namespace dovetail {

namespace {

struct Count {
  const char *name;
  uint32_t ProgramRow::*value;
  bool isOptional = false; // lists of earlier versions have none
};
constexpr Count Counts[] = {
    {"instructions", &ProgramRow::instructions},
    {"bytes", &ProgramRow::bytes},
    {"sgprs", &ProgramRow::sgprs},
    {"vgprs", &ProgramRow::vgprs},
    {"scratchBytes", &ProgramRow::scratchBytes},
    {"ldsBytes", &ProgramRow::ldsBytes},
    {"waves", &ProgramRow::waves},
    {"cycles", &ProgramRow::cycles, true},
    {"spilledSgprs", &ProgramRow::spilledSgprs, true},
    {"spilledVgprs", &ProgramRow::spilledVgprs, true},
};

Json toJson(const ProgramRow &row) {
  Json json = {{"stage", row.stage}};
  for (const Count &count : Counts)
    json[count.name] = row.*count.value;
  json["limit"] = row.limit;
  return json;
}

void readRow(const Json &json, const std::string &path, Complaint &complaint, ProgramRow &row) {
  ObjectReader reader(json, path, complaint);
  reader.require("stage", row.stage);
  for (const Count &count : Counts)
    count.isOptional ? reader.read(count.name, row.*count.value) : reader.require(count.name, row.*count.value);
  reader.require("limit", row.limit);
}

void readPipeline(const Json &json, const std::string &path, Complaint &complaint, InspectedPipeline &pipeline) {
  ObjectReader reader(json, path, complaint);
  reader.require("name", pipeline.name).require("failure", pipeline.failure);
  reader.requireArray("programs", [&](const Json &row, const std::string &rowPath) {
    readRow(row, rowPath, complaint, pipeline.programs.emplace_back());
  });
}

} // namespace

Json toJson(const InspectedPipeline &pipeline) {
  Json json = {{"name", pipeline.name}, {"failure", pipeline.failure}, {"programs", Json::array()}};
  for (const ProgramRow &row : pipeline.programs)
    json["programs"].push_back(toJson(row));
  return json;
}

Json toJson(const std::vector<InspectedPipeline> &pipelines) {
  Json list = Json::array();
  for (const InspectedPipeline &pipeline : pipelines)
    list.push_back(toJson(pipeline));
  return list;
}

Result<InspectedPipeline> inspectedFromJson(const Json &json, const std::string &name) {
  Complaint complaint = {name, {}};
  InspectedPipeline pipeline;
  readPipeline(json, "", complaint, pipeline);
  if (complaint.error)
    return tl::unexpected(std::move(*complaint.error));
  return pipeline;
}

Result<InspectedList> readInspected(const std::string &path) {
  const Json root = DOVETAIL_TRY(parseJson(DOVETAIL_TRY(readWholeFile(path)), path));
  Complaint complaint = {path, {}};
  InspectedList list;
  ObjectReader reader(root, "", complaint);
  reader.require("gpu", list.gpu);
  reader.requireArray("pipelines", [&](const Json &pipeline, const std::string &pipelinePath) {
    readPipeline(pipeline, pipelinePath, complaint, list.pipelines.emplace_back());
  });
  if (complaint.error)
    return tl::unexpected(std::move(*complaint.error));
  return list;
}

} // namespace dovetail
