// SPDX-License-Identifier: MIT
#include "merge/check_image.h"
#include "merge/check/checks.h"

namespace dovetail {

std::vector<std::string> findImageDefects(const Image &image) {
  check::Defects defects;
  if (image.stages.empty())
    defects.add("the image has no hardware shader");
  check::checkPlacement(image, defects);
  for (const ImageStage &stage : image.stages) {
    if (stage.partCount == 0 || stage.firstPart + stage.partCount > image.parts.size()) {
      defects.add("{}: has no parts, or parts beyond the image's list", toString(stage.stage));
      continue;
    }
    check::Program program = check::walkControlFlow(image, stage, defects);
    // From here on, instructions are known; each check stands for itself.
    check::checkConstants(program, defects);
    check::checkInitialised(program, defects);
    check::checkContracts(program, defects);
    check::checkHalves(program, defects);
    check::checkWaitStates(program, defects);
    check::checkExports(program, defects);
    check::checkResources(program, defects);
  }
  return defects.take();
}

Result<void> checkImage(const Image &image) {
  std::vector<std::string> defects = findImageDefects(image);
  if (defects.empty())
    return {};
  std::string text =
      fmt::format("the image for {} has {} defect{}", image.gpuName, defects.size(), defects.size() == 1 ? "" : "s");
  for (const std::string &defect : defects)
    text += "\n" + defect;
  return makeError(ErrorCode::CheckFailed, std::move(text));
}

} // namespace dovetail
