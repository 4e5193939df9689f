// SPDX-License-Identifier: MIT
//
// Holds the session of this process and decides when to write its report: when the last instance is destroyed, when the
// process exits, and on the signal that the options name.
#pragma once

#include "tools/programs/layer/session/session.h"

namespace dovetail::layer {

// Returns the session, and begins one if there is none.
std::shared_ptr<Session> openSession();

// Writes the report and ends the session, if there is one. All devices must be destroyed.
void closeSession();

} // namespace dovetail::layer
