// SPDX-License-Identifier: MIT
//
// --parts: how prologs and epilogs are made that are joined.
#pragma once

#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace dovetail {

class Device;

constexpr const char *EncodedParts = "direct", *CompiledParts = "ir";

void addPartWayOption(CLI::App &command, std::string &way);
// Before the device makes anything.
void usePartWay(Device &device, const std::string &way);

} // namespace dovetail
