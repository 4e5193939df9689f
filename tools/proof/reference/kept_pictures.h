// SPDX-License-Identifier: MIT
//
// Keeps pictures of earlier runs. A corpus spends most of its time in LLVM's compilation for lavapipe, which draws the
// same each time: a developer who tries out a change of the library draws the same scenes again and again. So the
// reference can keep its pictures in a folder, a file for each scene under the scene's hash.
//
// The folder is a cache: if anything is wrong with a file, the scene is drawn again.
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

  // Returns the kept picture of the scene. Without one, calls draw() and keeps its result. `drawer` identifies
  // everything else on which pictures depend. Refusals (ErrorCode::Unsupported) are kept, too. Errors: those of draw().
  Result<SceneResult> get(const Scene &scene, std::string_view drawer,
                          const std::function<Result<SceneResult>(const Scene &)> &draw) const;

private:
  explicit KeptPictures(std::filesystem::path folder) : m_folder(std::move(folder)) {}

  std::filesystem::path m_folder;
};

// The environment variable that names the folder. If it is empty, no pictures are kept.
constexpr const char *PicturesVariable = "DOVETAIL_REFERENCE_PICTURES";

// For callers that draw many pictures. Unless PicturesVariable is set, sets it to dovetail/pictures in the user's cache
// ($XDG_CACHE_HOME, else ~/.cache), and removes the oldest pictures there until they have at most so many bytes.
// Without a home, or if the folder cannot be written, keeps no pictures.
void keepPicturesInUsersCache(uint64_t mostBytes);

} // namespace dovetail::reference
