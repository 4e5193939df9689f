// SPDX-License-Identifier: MIT
#pragma once

#include "variants/bind/device.h"
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace dovetail {

struct StoreChoice {
  std::string folder; // empty: no store
  bool isTrusted = false;
  uint64_t maxBytes = PartStoreOptions().maxBytes;
  std::vector<std::string> archives;
};
// Adds --store and --trust-store.
void addStoreOptions(CLI::App &command, StoreChoice &store);
// Adds the same and --max-bytes, for commands that fill a store; --store is required.
void addFilledStoreOptions(CLI::App &command, StoreChoice &store);

// The options of the store that command lines ask for.
PartStoreOptions storeOptions(const StoreChoice &store);

// Makes a device as command lines ask for it. Warnings go to the standard error; a store that cannot be used is a
// warning. `opened`: DeviceOptions::openedStore. Errors: UnknownGpu.
Result<std::unique_ptr<Device>> openDevice(const std::string &gpuName, const StoreChoice &store, DriverCache cache = {},
                                           std::shared_ptr<PartStore> opened = nullptr);

} // namespace dovetail
