// SPDX-License-Identifier: MIT
#pragma once

#include "variants/bind/device.h"
#include <string>

namespace dovetail {

// One device for each GPU. The tests of this process share it, so that each main part is compiled once. The running
// test fails if it cannot be made.
Device &sharedDevice(const std::string &gpu = "gfx900");

} // namespace dovetail
