// SPDX-License-Identifier: MIT
#include "merge/check/check_image.h"
#include "merge/check/checks.h"

namespace dovetail {

std::vector<Defect> findImageDefects(const Image &image) {
  check::Defects defects;
  if (image.stages.empty())
    defects.add<check::NoHardwareShader>({});
  check::checkPlacement(image, defects);
  check::checkFrontEnd(image, defects);
  for (const ImageStage &stage : image.stages) {
    if (stage.partCount == 0 || stage.firstPart + stage.partCount > image.parts.size()) {
      defects.add<check::StageWithoutParts>({stage.stage, std::nullopt, {}});
      continue;
    }
    check::Program program = check::walkControlFlow(image, stage, defects);
    // From here on, all instructions are decoded; the checks are independent of each other.
    check::checkConstants(program, defects);
    check::checkInitialised(program, defects);
    check::checkContracts(program, defects);
    check::checkHalves(program, defects);
    check::checkWaitStates(program, defects);
    check::checkForms(program, defects);
    check::checkLaneRestores(program, defects);
    check::checkSoftClauses(program, defects);
    check::checkExports(program, defects);
    check::checkExportRegisters(program, defects);
    check::checkResources(program, defects);
    check::checkLaunch(program, defects);
  }
  return defects.take();
}

Result<void> checkImage(const Image &image) {
  const std::vector<Defect> defects = findImageDefects(image);
  if (defects.empty())
    return {};
  std::string text =
      fmt::format("the image for {} has {} defect{}", image.gpuName, defects.size(), defects.size() == 1 ? "" : "s");
  for (const Defect &defect : defects)
    text += "\n" + toString(defect);
  return makeError(ErrorCode::CheckFailed, std::move(text));
}

} // namespace dovetail
