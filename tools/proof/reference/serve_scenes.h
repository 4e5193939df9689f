// SPDX-License-Identifier: MIT
//
// What a program does that draws scenes for others (protocol.h).
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/scene.h"
#include <functional>

namespace dovetail::reference {

// Reads scenes from stdin and answers each on stdout with what `draw` says of it, until stdin ends. Returns the exit
// status. The process is killed with the one that started it, and by SIGALRM if a scene takes ten minutes.
int serveScenes(const std::function<Result<SceneResult>(const Scene &)> &draw);

} // namespace dovetail::reference
