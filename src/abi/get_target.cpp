// SPDX-License-Identifier: MIT
#include "src/abi/get_target.h"

namespace dovetail {

Result<const TargetInfo *> getTarget(std::string_view gpuName) {
  if (const TargetInfo *target = findTarget(gpuName))
    return target;
  std::string known;
  for (const TargetInfo &each : allTargets())
    known.append(known.empty() ? "" : ", ").append(each.gpuName);
  return makeError(ErrorCode::UnknownGpu, "GPU \"{}\" is not known; these are: {}", gpuName, known);
}

} // namespace dovetail
