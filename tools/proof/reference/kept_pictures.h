// SPDX-License-Identifier: MIT
//
// Pictures of earlier runs. Most of the time that a corpus takes goes into LLVM's code for lavapipe, which draws the
// same each time: whoever tries out a change of the library draws the same scenes again and again. So the reference can
// keep what it drew in a folder, a file for each scene under the scene's hash.
//
// It is a cache: whatever is wrong with a file, the scene is drawn again.
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/scene.h"
#include <filesystem>
#include <functional>
#include <string_view>

namespace dovetail::reference {

// Several processes may share a folder.
class KeptPictures {
public:
  // Errors: Io if the folder cannot be made, or nothing can be written into it.
  static Result<KeptPictures> open(const std::filesystem::path &folder);

  // What is kept for the scene, else what draw() gives, which is then kept. `drawer` is all that pictures depend on but
  // for the scene. Refusals (ErrorCode::Unsupported) are kept, too. Errors: those of draw().
  Result<SceneResult> get(const Scene &scene, std::string_view drawer,
                          const std::function<Result<SceneResult>(const Scene &)> &draw) const;

private:
  explicit KeptPictures(std::filesystem::path folder) : m_folder(std::move(folder)) {}

  std::filesystem::path m_folder;
};

// The environment variable that names the folder. If it is empty, no pictures are kept.
constexpr const char *PicturesVariable = "DOVETAIL_REFERENCE_PICTURES";

// For whoever draws many pictures: unless PicturesVariable is set, sets it to dovetail/pictures in the user's cache
// ($XDG_CACHE_HOME, else ~/.cache), where the oldest pictures are removed until they have at most so many bytes.
// Without a home, or if nothing can be written there, no pictures are kept.
void keepPicturesInUsersCache(uint64_t mostBytes);

} // namespace dovetail::reference
