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
  switch (status) {
  case DOVETAIL_OK:
    return "success";
  case DOVETAIL_INVALID_INPUT:
    return "invalid input";
  case DOVETAIL_UNSUPPORTED:
    return "unsupported";
  case DOVETAIL_UNKNOWN_GPU:
    return "unknown GPU";
  case DOVETAIL_STATE_MISMATCH:
    return "state and shaders contradict each other";
  case DOVETAIL_COMPILE_FAILED:
    return "compile failed";
  case DOVETAIL_JOIN_REFUSED:
    return "join refused";
  case DOVETAIL_CHECK_FAILED:
    return "check failed";
  case DOVETAIL_IO:
    return "input or output failed";
  case DOVETAIL_NOT_READY:
    return "not ready";
  case DOVETAIL_CANCELLED:
    return "cancelled";
  case DOVETAIL_INTERNAL:
    return "internal error";
  case DOVETAIL_OUT_OF_MEMORY:
    return "out of memory";
  case DOVETAIL_BAD_ARGUMENT:
    return "bad argument";
  case DOVETAIL_BUFFER_TOO_SMALL:
    return "buffer too small";
  }
  return "unknown status";
}
