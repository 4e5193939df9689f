// SPDX-License-Identifier: MIT
#include "tools/proof/reference/reference.h"
#include "tools/proof/reference/adapt/adapt_shader.h"
#include "tools/proof/reference/adapt/push_constants.h"
#include "tools/proof/reference/reference_process.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <unistd.h>

namespace dovetail {

namespace {

// For lavapipe, which needs seconds to compile a large shader, and for RADV's code. A scene that takes longer has no
// picture. The limit is far below a corpus unit's time (CorpusOptions), so that time is left to draw without them.
constexpr std::chrono::seconds Timeout{20};

constexpr const char *LavapipeVariable = "DOVETAIL_REFERENCE";

std::string programPath(const char *variable, const std::string &name) {
  const char *chosen = std::getenv(variable);
  if (chosen && *chosen)
    return chosen;
  std::error_code error; // on an error, the path is empty and nothing is found beside it
  return findReferenceProgram(std::filesystem::read_symlink("/proc/self/exe", error).parent_path(), name);
}

} // namespace

std::string findReferenceProgram(const std::filesystem::path &folder, const std::string &name) {
  for (const std::filesystem::path &candidate :
       {folder / name, folder / "proof/reference" / name, folder / DOVETAIL_LIBEXEC_FROM_BIN / name})
    if (::access(candidate.c_str(), X_OK) == 0)
      return candidate.lexically_normal();
  return std::filesystem::path(DOVETAIL_LIBEXECDIR) / name;
}

Result<void> checkReference() {
  const std::string path = programPath(LavapipeVariable, LavapipeReference);
  if (::access(path.c_str(), X_OK) == 0)
    return {};
  return makeError(ErrorCode::Io, "cannot run the reference {}: {}", path, std::strerror(errno));
}

Result<SceneResult> drawReference(const Scene &scene) {
  static std::mutex mutex;
  static ReferenceProcess process(programPath(LavapipeVariable, LavapipeReference), Timeout);
  std::lock_guard lock(mutex);
  SceneResult result = DOVETAIL_TRY(process.draw(adaptShaders(withPushConstantsInBuffer(scene))));
  result.buffers.resize(scene.buffers.size());
  return result;
}

Result<SceneResult> drawWithRadvCode(const Scene &scene, const std::string &gpu) {
  static std::mutex mutex;
  static std::map<std::string, ReferenceProcess> processes; // by GPU: RADV reads its GPU once in a process
  std::lock_guard lock(mutex);
  auto [found, isNew] =
      processes.try_emplace(gpu, programPath("DOVETAIL_RADV_REFERENCE", RadvReference), Timeout, "RADV", gpu);
  return found->second.draw(scene);
}

} // namespace dovetail
