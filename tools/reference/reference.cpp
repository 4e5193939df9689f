// SPDX-License-Identifier: MIT
#include "tools/reference/reference.h"
#include "tools/reference/reference_process.h"
#include <cstdlib>
#include <mutex>

namespace dovetail {

namespace {

// Compiling a large shader takes lavapipe seconds; a scene that takes longer than this hangs.
constexpr std::chrono::seconds Timeout{60};

std::string programPath() {
  const char *chosen = std::getenv("DOVETAIL_REFERENCE");
  return chosen && *chosen ? chosen : DOVETAIL_REFERENCE_PROGRAM;
}

} // namespace

Result<SceneResult> drawReference(const Scene &scene) {
  static std::mutex mutex;
  static ReferenceProcess process(programPath(), Timeout);
  std::lock_guard lock(mutex);
  return process.draw(scene);
}

} // namespace dovetail
