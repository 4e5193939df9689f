// SPDX-License-Identifier: MIT
#pragma once

#include "variants/bind/device.h"
#include <memory>
#include <string>

namespace dovetail {

// A device as command lines ask for it: with a part store in `storeFolder` unless that is empty. Its warnings go to the
// standard error. Errors: UnknownGpu.
Result<std::unique_ptr<Device>> openDevice(const std::string &gpuName, const std::string &storeFolder);

} // namespace dovetail
