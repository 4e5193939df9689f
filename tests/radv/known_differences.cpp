// SPDX-License-Identifier: MIT
#include "tests/radv/known_differences.h"
#include <algorithm>

namespace dovetail {

namespace {

constexpr std::string_view Both = "ACO LLVM";
constexpr std::string_view Everything = "color,depth,stencil,buffer,image";
constexpr std::string_view LevelZero =
    "RADV's LLVM back end takes the GPU that is not there for one without image_sample_lz, and samples implicitly";
constexpr std::string_view PackTowardZero = "packHalf2x16() may round toward zero, as in RADV";
constexpr std::string_view RoundedOtherwise =
    "16-bit numbers between two operations may be rounded in another way or not at all, as by ACO";
constexpr std::string_view Crash = "RADV's LLVM back end crashes";

using enum KnownDifference::Instead;

constexpr KnownDifference Known[] = {
    // RADV itself cannot run it, or does not show enough.
    {"atomics_64bit.comp", Both, Everything, NotRun, "RADV stops at atomicAdd() on floats without image atomics"},
    {"compute_ids.comp", "LLVM", Everything, NotRun, Crash},
    {"reduction.comp", "LLVM", Everything, NotRun, Crash},
    {"input_16bit", Both, Everything, NotRun, "RADV has no 16-bit inputs and outputs on GPUs before GFX9", "polaris10"},
    {"xfb_streams", "LLVM", Everything, NotRun,
     "RADV's LLVM back end marks no position of this copy shader as the last one"},
    // Both are right.
    {"fp16_sampling.frag", "ACO", "color 0 r,color 0 g", RunsOnly, PackTowardZero},
    {"math_packing.comp", Both, "buffer 0", RunsOnly, PackTowardZero},
    {"input_16bit", "ACO", "color 0 r,color 0 g", RunsOnly, RoundedOtherwise, "vega10"},
    {"halves", "ACO", "color 0", RunsOnly, RoundedOtherwise},
    {"geom_halves", "ACO", "color 0", RunsOnly, RoundedOtherwise},
    {"tess_halves", "ACO", "color 0", RunsOnly, RoundedOtherwise},
    {"types_16bit.comp", Both, "buffer 0", RunsOnly, "16-bit multiplications and additions may be fused"},
    {"types_64bit.comp", Both, "buffer 0", RunsOnly, "divisions and roots of doubles may be a few ulps apart"},
    // RADV is wrong.
    {"queries.frag", "LLVM", "color 0 b,color 0 a", RunsOnly,
     "RADV's LLVM back end gives image_get_lod of a cube array no face, so quads on two faces have another LOD"},
    {"clip_distance", Both, "color 0", RunsOnly,
     "RADV programs the point coordinate's attribute before that of clip distances, its code has them the other way"},
    {"pbr", "LLVM", "", OneLevel, LevelZero},
    {"subgroup_fragment.frag", "LLVM", "color 0", RunsOnly,
     "RADV's LLVM back end leaves helper lanes off in quad swaps"},
    {"fxaa.frag", "LLVM", "", OneLevel, LevelZero},
    {"tonemap.frag", "LLVM", "", OneLevel, LevelZero},
};

bool isIn(std::string_view list, std::string_view word) {
  return list.find(word) != std::string_view::npos;
}

} // namespace

const KnownDifference *findKnownDifference(std::string_view unit, RadvBackend backend, std::string_view family) {
  std::string_view name = backend == RadvBackend::Aco ? "ACO" : "LLVM";
  const auto *found = std::ranges::find_if(Known, [&](const KnownDifference &known) {
    return known.unit == unit && isIn(known.backends, name) && (known.family.empty() || known.family == family);
  });
  return found == std::end(Known) ? nullptr : found;
}

bool mayDiffer(const KnownDifference &known, std::string_view channel) {
  for (std::string_view rest = known.channels; !rest.empty();) {
    std::string_view beginning = rest.substr(0, rest.find(','));
    if (channel.starts_with(beginning))
      return true;
    rest.remove_prefix(std::min(beginning.size() + 1, rest.size()));
  }
  return false;
}

} // namespace dovetail
