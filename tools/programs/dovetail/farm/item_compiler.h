// SPDX-License-Identifier: MIT
//
// Compiles items, in a worker process. It speaks to its parent alone (asked_store.h), and has no thread, so the
// compiler's memory costs what it costs in a process that does nothing else.
#pragma once

#include "parts/kinds/main_part.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include "tools/programs/dovetail/farm/asked_store.h"
#include "variants/bind/device.h"

namespace dovetail::farm {

class ItemCompiler {
public:
  // An encoded ItemUnit; returns a UnitReply.
  std::string compile(const std::string &unit);

private:
  struct ReadPipeline {
    std::string text;
    Result<PipelineInput> input;
    std::vector<MainPartKey> mainParts; // for no GPU in particular
    std::vector<spirv::ModuleDigest> validModules;
  };

  Result<Device *> deviceFor(const std::string &gpu);
  // Reads a pipeline, if it is not one of the last unit.
  ReadPipeline read(const std::string &text);
  void readAll(const ItemUnit &unit);
  void askForMainParts(const ItemUnit &unit);
  Warmed compileItem(const ItemUnit::Entry &entry);

  Collected m_collected;                                    // by one unit
  std::map<std::string, std::unique_ptr<Device>> m_devices; // by GPU
  std::vector<ReadPipeline> m_pipelines;                    // of the unit, by ItemUnit::Entry::text
};

} // namespace dovetail::farm
