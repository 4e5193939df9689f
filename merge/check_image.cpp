// SPDX-License-Identifier: MIT
#include "merge/check_image.h"
#include "merge/check/checks.h"
#include <fmt/ranges.h>

namespace dovetail {

std::vector<std::string> findImageDefects(const Image &image) {
  check::Defects defects;
  check::checkLayout(image, defects);
  if (!defects.empty())
    return defects.take();

  // Beyond this point, stages and parts lie within the image and do not overlap.
  for (const ImageStage &stage : image.stages) {
    check::StageText text;
    if (!check::decodeStage(image, stage, text, defects))
      continue;

    // Beyond this point, every successor is an instruction of the same stage.
    check::EntryState entry = check::entryState(text, defects);
    check::checkExports(text, defects);
    check::checkInitialisedRegisters(text, entry, defects);
    check::checkContractValues(text, entry, defects);
    check::checkWaitStates(text, defects);
    check::checkConstantAddresses(text, defects);
    check::checkLimits(text, defects);
  }
  return defects.take();
}

Result<void> checkImage(const Image &image) {
  std::vector<std::string> defects = findImageDefects(image);
  if (!defects.empty())
    return makeError(ErrorCode::CheckFailed, "{}", fmt::join(defects, "\n"));
  return {};
}

} // namespace dovetail
