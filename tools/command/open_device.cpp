// SPDX-License-Identifier: MIT
#include "tools/command/open_device.h"
#include <cstdio>

namespace dovetail {

Result<std::unique_ptr<Device>> openDevice(const std::string &gpuName, const std::string &storeFolder) {
  DeviceOptions options;
  options.gpuName = gpuName;
  options.store.path = storeFolder;
  options.onWarning = [](std::string_view text) {
    std::fprintf(stderr, "dovetail: warning: %.*s\n", int(text.size()), text.data());
  };
  return Device::create(std::move(options));
}

} // namespace dovetail
