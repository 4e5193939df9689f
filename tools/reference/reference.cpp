// SPDX-License-Identifier: MIT
#include "tools/reference/reference.h"
#include "tools/reference/adapt_shader.h"
#include "tools/reference/push_constants.h"
#include "tools/reference/reference_process.h"
#include <cstdlib>
#include <mutex>
#include <unistd.h>

namespace dovetail {

namespace {

// Compiling a large shader takes lavapipe seconds; a scene that takes longer than this hangs.
constexpr std::chrono::seconds Timeout{60};

std::string programPath() {
  const char *chosen = std::getenv("DOVETAIL_REFERENCE");
  if (chosen && *chosen)
    return chosen;
  std::error_code error; // with one the path is empty, and nothing is found beside it
  return findReferenceProgram(std::filesystem::read_symlink("/proc/self/exe", error).parent_path());
}

} // namespace

std::string findReferenceProgram(const std::filesystem::path &folder) {
  constexpr const char *Name = "lavapipe-reference";
  for (const std::filesystem::path &candidate :
       {folder / Name, folder / "reference" / Name, folder / DOVETAIL_LIBEXEC_FROM_BIN / Name})
    if (::access(candidate.c_str(), X_OK) == 0)
      return candidate.lexically_normal();
  return std::filesystem::path(DOVETAIL_LIBEXECDIR) / Name;
}

Result<SceneResult> drawReference(const Scene &scene) {
  static std::mutex mutex;
  static ReferenceProcess process(programPath(), Timeout);
  std::lock_guard lock(mutex);
  SceneResult result = DOVETAIL_TRY(process.draw(adaptShaders(withPushConstantsInBuffer(scene))));
  result.buffers.resize(scene.buffers.size());
  return result;
}

} // namespace dovetail
