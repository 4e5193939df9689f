// SPDX-License-Identifier: MIT
//
// lavapipe-reference reads scenes from stdin and answers each on stdout with lavapipe's picture (protocol.h). It ends
// when stdin ends. Pictures may be kept from run to run (kept_pictures.h).
#include "src/base/hash.h"
#include "tools/proof/reference/draw_scene.h"
#include "tools/proof/reference/kept_pictures.h"
#include "tools/proof/reference/serve_scenes.h"
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

using namespace dovetail;
using namespace dovetail::reference;

namespace {

// To be called before anything of Vulkan runs. Turns off:
// - everything that makes pictures depend on the machine;
// - lavapipe's shortcuts that Vulkan allows but other implementations need not take: one level of detail for a whole
//   quad, and 8-bit filtering of 8-bit textures. (Its approximations "brilinear" and "rho_approx" are off unless
//   GALLIVM_PERF asks for them.)
// - lavapipe's optimiser: for small pictures, it takes more time than it saves.
void prepareEnvironment() {
  for (const char *directory : {"/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"}) {
    std::error_code ignored;
    for (const auto &entry : std::filesystem::directory_iterator(directory, ignored))
      if (entry.path().filename().string().starts_with("lvp_icd."))
        setenv("VK_ICD_FILENAMES", entry.path().c_str(), 1);
  }
  unsetenv("VK_DRIVER_FILES");
  unsetenv("VK_INSTANCE_LAYERS");
  setenv("NODEVICE_SELECT", "1", 1); // turns off Mesa's own layer
  setenv("GALLIVM_PERF", "no_quad_lod,no_aos_sampling,nopt", 1);
  setenv("LP_NUM_THREADS", "1", 1);
  setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
}

// A hash of this program, which decides how a scene is drawn.
std::string ownIdentity() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return hashBytes(std::as_bytes(std::span(bytes))).toHex();
}

} // namespace

int main() {
  std::optional<KeptPictures> pictures;
  if (const char *folder = std::getenv(PicturesVariable); folder && *folder) {
    Result<KeptPictures> opened = KeptPictures::open(folder);
    if (!opened) {
      std::fprintf(stderr, "%s\n", opened.error().text.c_str());
      return 1;
    }
    pictures = *std::move(opened);
  }
  prepareEnvironment();
  // Opened for the first scene, so that a failure can be reported in its reply.
  std::unique_ptr<VulkanDevice> device;
  std::string drawer;
  auto draw = [&](const Scene &scene) { return drawScene(*device, scene); };
  return serveScenes([&](const Scene &scene) -> Result<SceneResult> {
    if (!device) {
      device = DOVETAIL_TRY(VulkanDevice::open());
      if (pictures)
        drawer = device->identity() + ownIdentity();
    }
    return pictures ? pictures->get(scene, drawer, draw) : draw(scene);
  });
}
