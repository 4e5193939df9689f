// SPDX-License-Identifier: MIT
#include "tools/common/command/open_device.h"
#include "tools/common/command/options.h"
#include <cstdio>

namespace dovetail {

void addStoreOptions(CLI::App &command, StoreChoice &store) {
  command.add_option("--store", store.folder, "folder of a part store, in which parts are looked for and kept")
      ->check(notEmpty());
  command.add_flag("--trust-store", store.isTrusted,
                   "use that folder even if it belongs to somebody else or others may write to it");
}

void addFilledStoreOptions(CLI::App &command, StoreChoice &store) {
  addStoreOptions(command, store);
  command.get_option("--store")->required();
  command
      .add_option("--max-bytes", store.maxBytes,
                  "so many bytes the store may have, for example 4G; a driver that opens it sets its own limit")
      ->transform(CLI::AsSizeValue(false))
      ->transform(wholeNumber()) // CLI11 calls the last transform first
      ->default_str("1G");
}

PartStoreOptions storeOptions(const StoreChoice &store) {
  PartStoreOptions options = {.path = store.folder, .maxBytes = store.maxBytes};
  options.trustFolder = store.isTrusted;
  return options;
}

Result<std::unique_ptr<Device>> openDevice(const std::string &gpuName, const StoreChoice &store, DriverCache cache,
                                           std::shared_ptr<PartStore> opened) {
  DeviceOptions options;
  options.gpuName = gpuName;
  options.store = storeOptions(store);
  options.openedStore = std::move(opened);
  options.archives = store.archives;
  options.driverCache = std::move(cache);
  options.onLog = [](LogLevel, std::string_view text) {
    std::fprintf(stderr, "dovetail: warning: %.*s\n", int(text.size()), text.data());
  };
  return Device::create(std::move(options));
}

} // namespace dovetail
