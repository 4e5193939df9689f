// SPDX-License-Identifier: MIT
//
// lavapipe-reference: reads scenes from stdin and answers each on stdout with what Mesa's lavapipe makes of it
// (protocol.h). It ends when stdin does.
#include "tools/reference/draw_scene.h"
#include "tools/reference/protocol.h"
#include "tools/scene/scene_file.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <sys/prctl.h>
#include <unistd.h>

using namespace dovetail;
using namespace dovetail::reference;

namespace {

// A scene that takes this long has hung the driver, and whoever asked has long given up.
constexpr unsigned LimitSeconds = 600;

// Before anything of Vulkan runs. What would make pictures depend on the machine is turned off, and so are lavapipe's
// shortcuts that Vulkan allows but that another implementation cannot be expected to take as well: one level of detail
// for a whole quad, and 8-bit filtering of 8-bit textures. (Its approximations "brilinear" and "rho_approx" are off
// unless GALLIVM_PERF asks for them.)
void prepareEnvironment() {
  for (const char *directory : {"/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"}) {
    std::error_code ignored;
    for (const auto &entry : std::filesystem::directory_iterator(directory, ignored))
      if (entry.path().filename().string().starts_with("lvp_icd."))
        setenv("VK_ICD_FILENAMES", entry.path().c_str(), 1);
  }
  unsetenv("VK_DRIVER_FILES");
  unsetenv("VK_INSTANCE_LAYERS");
  setenv("NODEVICE_SELECT", "1", 1); // Mesa's own layer
  setenv("GALLIVM_PERF", "no_quad_lod,no_aos_sampling", 1);
  setenv("LP_NUM_THREADS", "1", 1);
  setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
}

bool readFully(void *data, size_t size) {
  return std::fread(data, 1, size, stdin) == size;
}

bool reply(ReplyKind kind, const void *data, size_t size) {
  uint64_t length = size + 1;
  return std::fwrite(&length, sizeof(length), 1, stdout) == 1 && std::fwrite(&kind, sizeof(kind), 1, stdout) == 1 &&
         std::fwrite(data, 1, size, stdout) == size && std::fflush(stdout) == 0;
}

bool replyText(ReplyKind kind, std::string_view text) {
  return reply(kind, text.data(), text.size());
}

// The device is opened for the first scene, so that its failure has somebody to be told to.
bool answer(std::unique_ptr<VulkanDevice> &device, const std::vector<uint8_t> &bytes) {
  Result<Scene> scene = readScene(bytes);
  if (!scene)
    return replyText(ReplyKind::Invalid, scene.error().text);
  if (!device) {
    Result<std::unique_ptr<VulkanDevice>> opened = VulkanDevice::open();
    if (!opened)
      return replyText(ReplyKind::Refused, opened.error().text);
    device = std::move(*opened);
  }
  Result<SceneResult> result = drawScene(*device, *scene);
  if (!result)
    return replyText(ReplyKind::Refused, result.error().text);
  std::vector<uint8_t> encoded = writeSceneResult(*result);
  return reply(ReplyKind::Result, encoded.data(), encoded.size());
}

} // namespace

int main() {
  // Whoever started it may be killed while a scene is drawn, which can take long; later, stdin ends.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prepareEnvironment();
  std::unique_ptr<VulkanDevice> device;
  uint64_t length = 0;
  while (readFully(&length, sizeof(length))) {
    if (length > MaxMessageBytes) {
      std::fprintf(stderr, "a request of %llu bytes\n", static_cast<unsigned long long>(length));
      return 1;
    }
    std::vector<uint8_t> bytes(length);
    if (!readFully(bytes.data(), length))
      return 1;
    alarm(LimitSeconds);
    if (!answer(device, bytes))
      return 1;
    alarm(0);
  }
  return 0;
}
