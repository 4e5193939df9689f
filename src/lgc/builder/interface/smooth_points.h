// SPDX-License-Identifier: MIT
//
// Smooth points (GL_POINT_SMOOTH) are circles, but the hardware draws squares. So the fragment shader computes how much
// of its pixel the circle in the square covers (MainPartState::pointSmoothing). It uses gl_PointCoord, whose derivative
// tells the size of the point. Alpha of each float colour is multiplied by the coverage. A pixel outside of the circle
// becomes a helper at the start, so it writes nothing to memory either.
//
// The coverage falls from 1 to 0 in the pixel's width around the circle. Mesa's nir_lower_point_smooth lets it fall
// inside of the circle, which makes points half a pixel smaller.
#pragma once

#include "src/lgc/builder/builder_impl.h"

namespace lgc {

// Changes a fragment shader whose recorded ops have been replayed.
void smoothPoints(llvm::Function &function, BuilderImpl &builder);

} // namespace lgc
