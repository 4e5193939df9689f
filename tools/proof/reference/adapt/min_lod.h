// SPDX-License-Identifier: MIT
//
// lavapipe ignores an instruction's minimum LOD: visit_tex() in lp_bld_nir.c does not know nir_tex_src_min_lod.
#pragma once

#include <cstdint>
#include <vector>

namespace dovetail {

// Replaces sampling with an implicit LOD and MinLod by sampling with an explicit LOD: the larger of MinLod and a
// query's LOD. Both mean the same if the sampler has no bias: a query includes it, and an explicit LOD adds it again.
// Cubes stay unchanged, because lavapipe's query is wrong for them.
std::vector<uint32_t> withoutMinLod(const std::vector<uint32_t> &words);

} // namespace dovetail
