// SPDX-License-Identifier: MIT
#include "tests/radv/known_differences.h"
#include <algorithm>

namespace dovetail {

namespace {

constexpr std::string_view Both = "ACO LLVM";
constexpr std::string_view Everything = "color,depth,stencil,buffer,image";
constexpr std::string_view CoarseDerivatives = "dFdx() may be coarse, as in RADV, or fine, as in lavapipe and here";
constexpr std::string_view LevelZero =
    "RADV's LLVM back end takes the GPU that is not there for one without image_sample_lz, and samples implicitly";
constexpr std::string_view PackTowardZero = "packHalf2x16() may round toward zero, as in RADV";
constexpr std::string_view Crash = "RADV's LLVM back end crashes";
constexpr std::string_view ConstantsMissing = "LLVM's text lacks the constants that the code reads";

using enum KnownDifference::Instead;

constexpr KnownDifference Known[] = {
    // RADV itself cannot, or does not show enough.
    {"atomics_64bit.comp", Both, Everything, NotRun, "RADV stops at atomicAdd() on floats without image atomics"},
    {"compute_ids.comp", "LLVM", Everything, NotRun, Crash},
    {"reduction.comp", "LLVM", Everything, NotRun, Crash},
    {"composites.frag", "LLVM", Everything, NotRun, ConstantsMissing},
    {"spec_constants.comp", "LLVM", Everything, NotRun, ConstantsMissing},
    // What these tests lack.
    {"queries.frag", "ACO", Everything, NotRun,
     "ACO gives image_get_lod of a 1D image one coordinate, the emulator takes two, as GFX9 lays it out"},
    {"queries.frag", "LLVM", "color 0 b,color 0 a,color 1", RunsOnly,
     "not looked into: the sizes of levels that an image may not have, and the LOD of a cube array"},
    {"input_16bit", Both, Everything, NotRun, "16-bit inputs have a hardware interpolation mode of their own"},
    {"xfb_vertex", Both, Everything, NotRun, "nothing here sets up RADV's transform feedback"},
    // Both are right.
    {"demote.frag", "ACO", "color 0", RunsOnly, CoarseDerivatives},
    {"derivatives.frag", Both, "color 0", RunsOnly, CoarseDerivatives},
    {"terminate.frag", "ACO", "color 0", RunsOnly, CoarseDerivatives},
    {"pbr", "ACO", "color", RunsOnly, CoarseDerivatives},
    {"fp16_sampling.frag", "ACO", "color 0 r,color 0 g", RunsOnly, PackTowardZero},
    {"math_packing.comp", Both, "buffer 0", RunsOnly, PackTowardZero},
    {"types_16bit.comp", Both, "buffer 0", RunsOnly, "16-bit multiplications and additions may be fused"},
    {"types_64bit.comp", Both, "buffer 0", RunsOnly, "divisions and roots of doubles may be a few ulps apart"},
    // RADV is wrong.
    {"pbr", "LLVM", "color", RunsOnly, LevelZero},
    {"subgroup_fragment.frag", "LLVM", "color 0", RunsOnly,
     "RADV's LLVM back end leaves helper lanes off in quad swaps"},
    {"fxaa.frag", "LLVM", "color 0", RunsOnly, LevelZero},
    {"tonemap.frag", "LLVM", "color 0", RunsOnly, LevelZero},
};

bool isIn(std::string_view list, std::string_view word) {
  return list.find(word) != std::string_view::npos;
}

} // namespace

const KnownDifference *findKnownDifference(std::string_view unit, RadvBackend backend) {
  std::string_view name = backend == RadvBackend::Aco ? "ACO" : "LLVM";
  const auto *found = std::ranges::find_if(
      Known, [&](const KnownDifference &known) { return known.unit == unit && isIn(known.backends, name); });
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
