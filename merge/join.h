// SPDX-License-Identifier: MIT
//
// Joining: parts from the cache become one image. No compiler runs, no object file is parsed; code is copied once.
//
// This room joins parts: it puts them behind one another. *Merged* is the hardware's word (GFX9) for two stages in one
// program.
#pragma once

#include "merge/image.h"
#include "merge/stage_parts.h"
#include "src/abi/metadata/pal_metadata.h"
#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "src/state/pipeline_state.h"
#include <span>

namespace dovetail {

struct JoinInput {
  // The hardware shaders with their parts, both in running order: {Cs}, or {Vs, Ps} with {Ls}, {Hs}, {Es}, {Gs} before
  // them as far as they exist. A Ps is always there (kinds/null_fragment.h): if an image does not set the registers of
  // the PS, they keep the values of the last image. With merged stages, there is no Ls and no Es. Hs and Gs then have
  // the parts of both halves with glue (gfx9-merged/glue.h), or one monolithic part.
  std::span<const StageParts> stages;
  const PipelineState &state; // canonical; not read for compute
  const TargetInfo &target;
  ApiShaderHashes apiShaders = {}; // the API shaders that the parts were made of, for readers of the metadata
  ResourceLayoutRef layout = {};   // nullptr: the parts read no resources
};

// Fills the image that `make` gives. Thread-safe; the parts stay shared. Errors: JoinRefused when contracts, modes or
// limits do not fit, naming value, registers and parts; StateMismatch when the layout lacks what a shader reads;
// Unsupported for hardware stages that make no pipeline together.
Result<void> join(const JoinInput &input, const MakeImage &make);
// The same, with an image that join() allocates.
Result<ImageRef> join(const JoinInput &input);

// Builds an image out of two known images. The programs in front of the rasteriser do not depend on a state's colour
// output, and the pixel shader does not depend on its vertex input. So take two images of the same shaders whose states
// agree in everything else: the front of one and the pixel shader of the other make the image for the vertex input of
// the one and the colour output of the other. Nothing has to be checked or joined again; code is copied in two runs.
//
// Fills the image that `make` gives. Both images are joined from the same main parts, have a pixel shader and no
// monolithic part, and their states differ in vertex input and colour output alone. The result equals that of join()
// with the same parts. Thread-safe. Errors: those of relocations (JoinRefused).
Result<void> combine(const Image &front, const Image &pixel, const MakeImage &make);

} // namespace dovetail
