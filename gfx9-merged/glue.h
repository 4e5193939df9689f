// SPDX-License-Identifier: MIT
//
// GFX9 runs two stages in one program (LS and HS, ES and GS), but each half was compiled for a hardware stage of its
// own. Each half has its own launch state (src/abi/entry_registers.h), lanes and float mode, and knows nothing of the
// other half. Glue is the code that makes one program of them:
//
//   [glue][VS prolog][VS main as LS]       [glue][TCS main][TCS epilog]
//   [glue][VS prolog][VS or TES main as ES][glue][GS prolog][GS main]
//
// The first piece of glue does this:
// - It keeps the values that the second half reads, in registers above those that the first half's parts use.
// - It moves the first half's values from the merged launch state to the registers where that half expects them.
// - It enables the first half's lanes; if there are none, it branches to the second piece.
//
// The second piece waits for the LDS and for the group's other waves. Then it ends a wave without lanes of the second
// half, puts the kept values back, and sets the second half's float mode and lanes.
//
// So a program needs as many registers as the larger of "first half and kept values" and "second half". Neither main
// part knows of the other, so fewer registers will not do.
//
// Glue leaves out values that a half does not read. A value that is above the first half's registers from the start
// stays where it is.
#pragma once

#include "merge/image.h"
#include "merge/stage_parts.h"
#include "parts/cache/part_cache.h"
#include "src/abi/interface/interface_fields.h"
#include "src/abi/target_info.h"
#include "src/base/error.h"
#include <array>
#include <span>
#include <vector>

namespace dovetail {

// The layout of registers that the two pieces of glue follow, derived from the two halves. A half's bindings are the
// values that it reads of the launch state, in its own launch registers.
struct GlueLayout {
  HardwareStage stage = HardwareStage::Hs; // Hs or Gs
  EntryInterface entry;
  std::vector<Binding> first;
  std::vector<Binding> second;
  std::vector<Binding> kept; // values that the second half reads or is made of, where they stay during the first half
  uint8_t firstFloatMode = 0xc0;
  uint8_t secondFloatMode = 0xc0;
  bool hasLsVgprInitBug = false; // the GPU has the bug, and the stage is Hs
};

enum class GluePlace : uint8_t { BeforeFirstHalf, BetweenHalves };
DOVETAIL_LAST(GluePlace, BetweenHalves)

// Errors: JoinRefused if a half has no main part, wants a value that a merged program does not have, or if registers do
// not suffice, with the numbers.
Result<GlueLayout> layOutGlue(HardwareStage stage, std::span<const PartRef> first, std::span<const PartRef> second,
                              const TargetInfo &target);

struct GlueKey {
  std::string gpuName;
  GluePlace place = GluePlace::BeforeFirstHalf;
  // BeforeFirstHalf: the merged launch state.
  EntryInterface entry;
  bool hasLsVgprInitBug = false;
  // From GlueLayout: `wanted` holds the values of the half behind the piece, `kept` those that are kept for the second
  // half.
  std::vector<Binding> wanted;
  std::vector<Binding> kept;
  // BetweenHalves: the float mode of the second half, and whether the first half has another one.
  uint8_t floatMode = 0xc0;
  bool setsFloatMode = false;

  bool operator==(const GlueKey &) const = default;

  PartKey partKey() const;
  // "first half: v0 vertex_id; kept: s2 merged_wave_info".
  std::string describe() const;
};
DOVETAIL_FIELDS(GlueKey, gpuName, place, entry, hasLsVgprInitBug, wanted, kept, floatMode, setsFloatMode)

GlueKey makeGlueKey(const GlueLayout &layout, GluePlace place, std::string_view gpuName);

// Encodes a piece; no compiler runs. The first piece has Part::entry. Errors: those of isa::summarizeHazards.
Result<PartRef> makeGlue(const GlueKey &key);

struct MergedParts : StageParts {
  std::array<bool, 2> madeGlue = {}; // whether this call made the piece; if not, it was in the cache
};

// Puts the parts of both halves, each in running order, together to a merged program, with a piece of glue in front of
// each half. Glue comes from the cache, or is made. Thread-safe. Errors: those of layOutGlue.
Result<MergedParts> mergeHalves(HardwareStage stage, std::span<const PartRef> first, std::span<const PartRef> second,
                                const TargetInfo &target, PartCache &cache);

} // namespace dovetail
