// SPDX-License-Identifier: MIT
//
// Pictures of earlier runs: which are drawn again, and which are not.
#include "tests/reference/shader_scene.h"
#include "tests/tools/temporary_folder.h"
#include "tools/proof/reference/kept_pictures.h"
#include "tools/proof/reference/reference_process.h"
#include "tools/proof/scene/scene_file.h"
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>

using namespace dovetail;
using namespace dovetail::reference;

namespace {

Scene sceneOf(uint32_t width) {
  Scene scene = graphicsScene(FullScreenVertex, "layout(location = 0) out vec4 c; void main() { c = vec4(1); }");
  scene.width = width;
  return scene;
}

// A drawer that counts its draws.
struct Drawer {
  unsigned count = 0;
  Result<SceneResult> result = SceneResult{.buffers = {{1, 2, 3}}};

  Result<SceneResult> get(const KeptPictures &pictures, const Scene &scene, const std::string &drawer = "lavapipe 1") {
    return pictures.get(scene, drawer, [&](const Scene &) {
      ++count;
      return result;
    });
  }
};

KeptPictures openIn(const TemporaryFolder &folder) {
  Result<KeptPictures> pictures = KeptPictures::open(folder.path() / "pictures");
  REQUIRE(pictures.has_value());
  return *pictures;
}

std::vector<std::filesystem::path> filesIn(const TemporaryFolder &folder) {
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(folder.path() / "pictures"))
    files.push_back(entry.path());
  return files;
}

} // namespace

TEST_CASE("a scene is drawn once, and another one for itself") {
  const TemporaryFolder folder;
  Drawer drawer;
  CHECK(drawer.get(openIn(folder), sceneOf(8)).has_value());
  const Result<SceneResult> kept = drawer.get(openIn(folder), sceneOf(8));
  CHECK(drawer.count == 1);
  REQUIRE(kept.has_value());
  CHECK(kept->buffers == drawer.result->buffers);
  CHECK(drawer.get(openIn(folder), sceneOf(16)).has_value());
  CHECK(drawer.count == 2);
}

TEST_CASE("a picture of another lavapipe is not taken") {
  const TemporaryFolder folder;
  Drawer drawer;
  CHECK(drawer.get(openIn(folder), sceneOf(8)).has_value());
  CHECK(drawer.get(openIn(folder), sceneOf(8), "lavapipe 2").has_value());
  CHECK(drawer.count == 2);
}

TEST_CASE("a refusal is kept with its reason, a failure is not") {
  const TemporaryFolder folder;
  Drawer drawer;
  drawer.result = makeError(ErrorCode::Unsupported, "no such format");
  for (unsigned i = 0; i < 2; ++i) {
    const Result<SceneResult> refused = drawer.get(openIn(folder), sceneOf(8));
    REQUIRE_FALSE(refused.has_value());
    CHECK((refused.error().code == ErrorCode::Unsupported));
    CHECK(refused.error().text == "no such format");
  }
  CHECK(drawer.count == 1);
  drawer.result = makeError(ErrorCode::Io, "the disk is full");
  for (unsigned i = 0; i < 2; ++i)
    CHECK_FALSE(drawer.get(openIn(folder), sceneOf(16)).has_value());
  CHECK(drawer.count == 3);
}

TEST_CASE("a picture whose file is damaged is drawn again") {
  for (const bool isCut : {true, false}) {
    const TemporaryFolder folder;
    Drawer drawer;
    CHECK(drawer.get(openIn(folder), sceneOf(8)).has_value());
    REQUIRE(filesIn(folder).size() == 1);
    const std::filesystem::path file = filesIn(folder).front();
    if (isCut)
      std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
    else
      std::ofstream(file, std::ios::binary | std::ios::in | std::ios::ate).seekp(-1, std::ios::end).put('x');
    for (unsigned i = 0; i < 2; ++i) {
      const Result<SceneResult> drawn = drawer.get(openIn(folder), sceneOf(8));
      REQUIRE(drawn.has_value());
      CHECK(drawn->buffers == drawer.result->buffers);
    }
    CHECK(drawer.count == 2);
    CHECK(filesIn(folder).size() == 1);
  }
}

TEST_CASE("a folder that cannot be made is an Error that names it") {
  const TemporaryFolder folder;
  const std::string path = folder.write("file", "") + "/pictures";
  const Result<KeptPictures> pictures = KeptPictures::open(path);
  REQUIRE_FALSE(pictures.has_value());
  CHECK((pictures.error().code == ErrorCode::Io));
  CHECK(pictures.error().text.find(path) != std::string::npos);
}

TEST_CASE("the reference keeps what it draws, and draws the same from it") {
  const TemporaryFolder folder;
  ::setenv(PicturesVariable, (folder.path() / "pictures").c_str(), 1);
  std::vector<std::vector<uint8_t>> drawn;
  for (unsigned run = 0; run < 2; ++run) {
    ReferenceProcess process(DOVETAIL_REFERENCE_PROGRAM, std::chrono::seconds(60));
    const Result<SceneResult> result = process.draw(sceneOf(8));
    REQUIRE(result.has_value());
    drawn.push_back(writeSceneResult(*result));
    CHECK(filesIn(folder).size() == 1);
  }
  CHECK(drawn[0] == drawn[1]);
  ::unsetenv(PicturesVariable);
}

TEST_CASE("a reference that cannot keep pictures says why") {
  const TemporaryFolder folder;
  ::setenv(PicturesVariable, (folder.write("file", "") + "/pictures").c_str(), 1);
  ReferenceProcess process(DOVETAIL_REFERENCE_PROGRAM, std::chrono::seconds(60));
  const Result<SceneResult> result = process.draw(sceneOf(8));
  ::unsetenv(PicturesVariable);
  REQUIRE_FALSE(result.has_value());
  CHECK((result.error().code == ErrorCode::Io));
  CHECK(result.error().text.find("pictures cannot be kept in") != std::string::npos);
}

TEST_CASE("the oldest pictures in the user's cache go when they have too many bytes") {
  const TemporaryFolder folder;
  const std::filesystem::path pictures = folder.path() / "dovetail" / "pictures";
  std::filesystem::create_directories(pictures);
  const auto now = std::filesystem::file_time_type::clock::now();
  for (unsigned age = 0; age < 4; ++age) {
    const std::filesystem::path file = pictures / std::to_string(age);
    std::ofstream(file) << std::string(100, 'p');
    std::filesystem::last_write_time(file, now - std::chrono::hours(age));
  }
  ::unsetenv(PicturesVariable);
  ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  keepPicturesInUsersCache(250);
  CHECK(std::string(std::getenv(PicturesVariable)) == pictures);
  ::unsetenv("XDG_CACHE_HOME");
  ::unsetenv(PicturesVariable);
  CHECK(std::filesystem::exists(pictures / "0"));
  CHECK(std::filesystem::exists(pictures / "1"));
  CHECK_FALSE(std::filesystem::exists(pictures / "2"));
  CHECK_FALSE(std::filesystem::exists(pictures / "3"));
}

TEST_CASE("where pictures are kept is not changed if the environment says it, if only that there are none") {
  ::setenv(PicturesVariable, "", 1);
  keepPicturesInUsersCache(250);
  CHECK(std::string(std::getenv(PicturesVariable)).empty());
  ::unsetenv(PicturesVariable);
}
