// SPDX-License-Identifier: MIT
#include "tests/driver/shared_device.h"
#include <doctest/doctest.h>
#include <map>
#include <memory>

namespace dovetail {

Device &sharedDevice(const std::string &gpu) {
  static std::map<std::string, std::unique_ptr<Device>> devices;
  std::unique_ptr<Device> &device = devices[gpu];
  if (!device) {
    Result<std::unique_ptr<Device>> made = Device::create(gpu);
    if (!made)
      FAIL(made.error().text);
    device = std::move(*made);
  }
  return *device;
}

} // namespace dovetail
