// SPDX-License-Identifier: MIT
//
// Holds the session of this process and decides when to write its report: when the last instance is destroyed, when the
// process exits, on the signal that the options name, and from time to time while the application runs.
#pragma once

#include "tools/programs/layer/session/session.h"
#include <vulkan/vulkan_core.h>

namespace dovetail::layer {

// Remembers what the application says of itself, for sessions that begin later.
void noteApplication(const VkApplicationInfo *info);

// Returns the session, and begins one if there is none.
std::shared_ptr<Session> openSession();

// Writes the report and ends the session, if there is one. All devices must be destroyed.
void closeSession();

} // namespace dovetail::layer
