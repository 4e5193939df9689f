// SPDX-License-Identifier: MIT
#include "merge/join.h"
#include "merge/draft.h"
#include "merge/steps.h"

namespace dovetail {

Result<void> join(const JoinInput &input, const MakeImage &make) {
  ImageDraft draft;
  Image &image = draft.image;
  image.apiShaders = input.apiShaders;
  image.layout = input.layout;
  DOVETAIL_CHECK(collectParts(input, image));
  DOVETAIL_CHECK(layOutGroups(input.state, input.target, image));
  DOVETAIL_CHECK(mergeUsage(input.target, image));
  DOVETAIL_CHECK(mapUserData(input.target, image));
  DOVETAIL_CHECK(checkContracts(image));

  // Beyond this point, every value that a part reads is known to be in its register.
  resolveBoundaryHazards(image);
  layOutText(image);
  writeRegisters(input.state, input.target, image);

  // Beyond this point, no instruction moves, and the size of the image is known.
  return finish(draft, make);
}

Result<ImageRef> join(const JoinInput &input) {
  std::shared_ptr<ImageInRoom> made;
  DOVETAIL_CHECK(join(input, [&](size_t bytes) -> Image & {
    made = makeWithRoom<ImageInRoom>(bytes);
    return made->image;
  }));
  return ImageRef(made, &made->image);
}

} // namespace dovetail
