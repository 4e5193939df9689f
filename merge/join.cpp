// SPDX-License-Identifier: MIT
#include "merge/join.h"
#include "merge/steps.h"

namespace dovetail {

Result<ImageRef> join(const JoinInput &input) {
  auto image = std::make_shared_for_overwrite<Image>();
  image->apiShaders = input.apiShaders;
  image->layout = input.layout;
  DOVETAIL_CHECK(collectParts(input, *image));
  DOVETAIL_CHECK(layOutGroups(input.state, input.target, *image));
  DOVETAIL_CHECK(mergeUsage(input.target, *image));
  DOVETAIL_CHECK(mapUserData(input.target, *image));
  DOVETAIL_CHECK(checkContracts(*image));

  // Beyond this point, every value that a part reads is known to be in its register.
  resolveBoundaryHazards(*image);
  layOutText(*image);

  // Beyond this point, no instruction moves.
  DOVETAIL_CHECK(relocate(*image));
  writeRegisters(input.state, input.target, *image);
  return image;
}

} // namespace dovetail
