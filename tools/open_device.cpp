// SPDX-License-Identifier: MIT
#include "tools/open_device.h"
#include <cstdio>

namespace dovetail {

Result<std::unique_ptr<Device>> openDevice(const std::string &gpuName, const std::string &storeFolder) {
  DeviceOptions options;
  options.gpuName = gpuName;
  options.store.path = storeFolder;
  options.onWarning = [](std::string_view text) {
    std::fprintf(stderr, "warning: %.*s\n", int(text.size()), text.data());
  };
  return Device::create(std::move(options));
}

} // namespace dovetail
