// SPDX-License-Identifier: MIT
//
// The session of this process, and when its report is written: when the last instance goes, when the process exits, and
// on the signal that the options name.
#pragma once

#include "tools/programs/layer/session/session.h"

namespace dovetail::layer {

// The session, which begins if there is none.
std::shared_ptr<Session> openSession();

// Writes the report and ends the session, if there is one. All devices are gone.
void closeSession();

} // namespace dovetail::layer
