// SPDX-License-Identifier: MIT
#include "tools/command/open_device.h"
#include "tools/command/write_file.h"
#include <cstdio>

namespace dovetail {

Result<std::unique_ptr<Device>> openDevice(const std::string &gpuName, const std::string &storeFolder) {
  if (!storeFolder.empty()) {
    DOVETAIL_TRY(Device::create(gpuName)); // an unknown GPU leaves no folder behind
    DOVETAIL_CHECK(makeFolder(storeFolder));
  }
  DeviceOptions options;
  options.gpuName = gpuName;
  options.store.path = storeFolder;
  options.onWarning = [](std::string_view text) {
    std::fprintf(stderr, "dovetail: warning: %.*s\n", int(text.size()), text.data());
  };
  return Device::create(std::move(options));
}

} // namespace dovetail
