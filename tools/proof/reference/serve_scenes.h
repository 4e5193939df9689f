// SPDX-License-Identifier: MIT
//
// The main loop of a program that draws scenes for others (protocol.h).
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/scene.h"
#include <functional>

namespace dovetail::reference {

// Reads scenes from stdin and answers each on stdout with the result of `draw`, until stdin ends. Returns the exit
// status. The process is killed when its parent ends, and by SIGALRM if a scene takes ten minutes.
int serveScenes(const std::function<Result<SceneResult>(const Scene &)> &draw);

} // namespace dovetail::reference
