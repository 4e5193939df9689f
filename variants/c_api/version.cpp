// SPDX-License-Identifier: MIT
#include "parts/compile/toolchain_version.h"
#include "src/abi/get_target.h"
#include "variants/c_api/convert/arguments.h"
#include <algorithm>
#include <array>

using namespace dovetail;
using namespace dovetail::c_api;

namespace {

// 32 digits and a final 0.
std::array<char, 33> makeBuildId() {
  std::array<char, 33> id = {};
  std::ranges::copy(toolchainVersion().toHex(), id.begin());
  return id;
}

} // namespace

uint32_t dovetail_version(void) {
  return DOVETAIL_VERSION;
}

const char *dovetail_build_id(void) {
  static const std::array<char, 33> id = makeBuildId();
  return id.data();
}

size_t dovetail_gpu_count(void) {
  return allTargets().size();
}

const char *dovetail_gpu_name(size_t index) {
  // The names are literals, with a final 0.
  return index < allTargets().size() ? allTargets()[index].gpuName.data() : nullptr;
}

dovetail_status dovetail_gpu_from_pci(uint16_t device_id, uint32_t external_revision, const char **gpu,
                                      dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(gpu, "gpu"));
    *gpu = nullptr;
    const TargetInfo *target = DOVETAIL_C_TRY(getPciTarget(device_id, external_revision));
    *gpu = target->gpuName.data();
    return {};
  });
}

const char *dovetail_status_text(dovetail_status status) {
  static constexpr const char *Texts[] = {
      "success",
      "invalid input",
      "unsupported",
      "unknown GPU",
      "state and shaders contradict each other",
      "compile failed",
      "join refused",
      "check failed",
      "input or output failed",
      "not ready",
      "cancelled",
      "internal error",
      "out of memory",
      "bad argument",
      "buffer too small",
  };
  static_assert(std::size(Texts) == DOVETAIL_BUFFER_TOO_SMALL + 1);
  if (size_t(status) < std::size(Texts))
    return Texts[status];
  return "unknown status";
}
