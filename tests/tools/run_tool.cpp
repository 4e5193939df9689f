// SPDX-License-Identifier: MIT
#include "tests/tools/run_tool.h"

namespace dovetail {

Run runTool(const std::string &arguments, const std::string &before) {
  return runCommand(DOVETAIL_TOOL, arguments, before);
}

const std::string Vertex = "#version 450\nlayout(location = 0) in vec4 p;\nvoid main() { gl_Position = p; }\n";
const std::string Fragment =
    "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(gl_FragCoord.x); }\n";

} // namespace dovetail
