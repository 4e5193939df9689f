// SPDX-License-Identifier: MIT
//
// --parts: how the prologs and epilogs of joined variants are made.
#pragma once

#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace dovetail {

class Device;

constexpr const char *EncodedParts = "direct", *CompiledParts = "ir";

void addPartWayOption(CLI::App &command, std::string &way);
// To be called before the device makes anything.
void usePartWay(Device &device, const std::string &way);

} // namespace dovetail
