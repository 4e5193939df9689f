// SPDX-License-Identifier: MIT
//
// Compiles items, in a worker process. The devices of all GPUs share one store, so that a commit has the parts of many
// items. The process has a connection of its own to the server, for parts alone.
#pragma once

#include "tools/common/command/open_device.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include "tools/programs/dovetail/farm/farm_commands.h"
#include "tools/programs/dovetail/farm/item_unit.h"
#include "tools/programs/dovetail/farm/part_exchange.h"
#include <map>

namespace dovetail::farm {

class ItemCompiler {
public:
  ItemCompiler(const FarmChoice &farm, const StoreChoice &store);

  // The items of an ItemUnit; returns a Warmed for each, in their order. When it returns, the server or the disk has
  // the parts of those that are done.
  std::string compile(const std::string &unit);

  // Errors have been told by items; what is not on disk is on the server.
  void flush();

private:
  Result<Device *> deviceFor(const std::string &gpu);
  // Makes sure that the parts outlive this process. Returns why that fails; empty: it does not.
  std::string keepParts();

  // Reads the pipeline, if it is not that of the last call.
  const Result<PipelineInput> &read(const std::string &text);

  const StoreChoice &m_choice;
  Sealer m_sealer;
  std::unique_ptr<Redis> m_redis;
  std::optional<PartExchange> m_exchange;
  std::shared_ptr<PartStore> m_store;
  std::map<std::string, std::unique_ptr<Device>> m_devices; // by GPU
  uint64_t m_dropped = 0, m_lost = 0; // parts that the store did not keep, as far as they were told
  std::string m_text;
  Result<PipelineInput> m_pipeline; // of m_text
};

} // namespace dovetail::farm
