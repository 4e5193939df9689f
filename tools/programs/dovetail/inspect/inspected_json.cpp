// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/inspect/inspected_json.h"
#include "tools/common/command/input.h"
#include "tools/common/inputs/json_reader.h"
#include <cstdint>
#include <iterator>

namespace dovetail {

namespace {

Json toJson(const ProgramRow &row) {
  Json json = {{"stage", row.stage}};
  for (const ProgramFigure &figure : ProgramFigures)
    if (!isMissing(row, figure))
      json[figure.name] = row.*figure.value;
  json["limit"] = row.limit;
  return json;
}

void readRow(const Json &json, const std::string &path, Complaint &complaint, ProgramRow &row) {
  ObjectReader reader(json, path, complaint);
  reader.require("stage", row.stage);
  for (size_t index = 0; index < std::size(ProgramFigures); ++index) {
    const ProgramFigure &figure = ProgramFigures[index];
    if (figure.isOptional && json.is_object() && !json.contains(figure.name))
      row.missing |= 1u << index;
    else
      reader.require(figure.name, row.*figure.value);
  }
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
  const InputFile file = DOVETAIL_TRY(readInputFile(path));
  const Json root = DOVETAIL_TRY(parseJson(file.content, file.name));
  Complaint complaint = {file.name, {}};
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
