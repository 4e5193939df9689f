// SPDX-License-Identifier: MIT
#include "tools/proof/reference/serve_scenes.h"
#include "tools/proof/reference/protocol.h"
#include "tools/proof/scene/scene_file.h"
#include <csignal>
#include <cstdio>
#include <string_view>
#include <sys/prctl.h>
#include <unistd.h>

namespace dovetail::reference {

namespace {

// A scene that takes so long hangs in the driver, and the client has long given up.
constexpr unsigned LimitSeconds = 600;

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

} // namespace

int serveScenes(const std::function<Result<SceneResult>(const Scene &)> &draw) {
  // If the parent is killed while a scene is drawn, end at once: stdin would tell only later.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  auto answer = [&](const std::vector<uint8_t> &bytes) {
    Result<Scene> scene = readScene(bytes);
    if (!scene)
      return replyText(ReplyKind::Invalid, scene.error().text);
    Result<SceneResult> result = draw(*scene);
    if (!result)
      return replyText(ReplyKind::Refused, result.error().text);
    std::vector<uint8_t> encoded = writeSceneResult(*result);
    return reply(ReplyKind::Result, encoded.data(), encoded.size());
  };
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
    if (!answer(bytes))
      return 1;
    alarm(0);
  }
  return 0;
}

} // namespace dovetail::reference
