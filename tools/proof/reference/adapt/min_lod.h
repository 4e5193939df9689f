// SPDX-License-Identifier: MIT
//
// lavapipe ignores the least level of detail that an instruction gives (nir_tex_src_min_lod is not among what
// visit_tex() in lp_bld_nir.c knows).
#pragma once

#include <cstdint>
#include <vector>

namespace dovetail {

// Sampling with an implicit LOD and MinLod becomes sampling with an explicit LOD, the larger one of MinLod and of what
// a query of the LOD gives. It is the same for samplers without a bias, which a query counts in, and an explicit LOD as
// well. Cubes stay as they are: lavapipe's query is wrong for them.
std::vector<uint32_t> withoutMinLod(const std::vector<uint32_t> &words);

} // namespace dovetail
