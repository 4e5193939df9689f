// SPDX-License-Identifier: MIT
//
// Glue: the code that makes one GFX9 program of two halves that were each compiled for a hardware stage of their own
// (LS and HS, ES and GS). Each half has its launch state (src/abi/entry_registers.h), its lanes and its float mode, and
// nothing of the other's.
//
//   [glue][VS prolog][VS main as LS]       [glue][TCS main][TCS epilog]
//   [glue][VS prolog][VS or TES main as ES][glue][GS prolog][GS main]
//
// The first piece keeps what the second half is going to read in registers above those that the first half's parts use,
// moves the first half's values from the merged launch state to where it expects them, and enables the first half's
// lanes; without any, it branches to the second piece. The second piece waits for the LDS and for the group's other
// waves, ends a wave without lanes of the second half, puts back what was kept, and sets the second half's float mode
// and lanes. So a program needs as many registers as the larger of "first half and what is kept" and "second half":
// neither main part knows of the other, and no fewer will do.
//
// Values that a half does not read are neither moved nor kept, and one that is above the first half's registers from
// the start stays where it is.
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

// What follows from the two halves for the pieces between them. A half's bindings are what it reads of the launch
// state, in its own launch registers.
struct GlueLayout {
  HardwareStage stage = HardwareStage::Hs; // Hs or Gs
  EntryInterface entry;
  std::vector<Binding> first;
  std::vector<Binding> second;
  std::vector<Binding> kept; // what the second half reads or is made of, where it stays during the first half
  uint8_t firstFloatMode = 0xc0;
  uint8_t secondFloatMode = 0xc0;
  bool hasLsVgprInitBug = false; // and the stage is Hs
};

enum class GluePlace : uint8_t { BeforeFirstHalf, BetweenHalves };
constexpr GluePlace lastOf(GluePlace) {
  return GluePlace::BetweenHalves;
}

// Errors: JoinRefused if a half has no main part, wants a value that a merged program does not have, or if registers do
// not suffice, with the numbers.
Result<GlueLayout> layOutGlue(HardwareStage stage, std::span<const PartRef> first, std::span<const PartRef> second,
                              const TargetInfo &target);

struct GlueKey {
  std::string gpuName;
  GluePlace place = GluePlace::BeforeFirstHalf;
  // BeforeFirstHalf: the launch state.
  EntryInterface entry;
  bool hasLsVgprInitBug = false;
  // Of GlueLayout: those of the half that the piece is in front of, and what is kept for the second one.
  std::vector<Binding> wanted;
  std::vector<Binding> kept;
  // BetweenHalves: in which float mode the second half runs, and whether the first one has another.
  uint8_t floatMode = 0xc0;
  bool setsFloatMode = false;

  bool operator==(const GlueKey &) const = default;

  PartKey partKey() const;
  // "first half: v0 vertex_id; kept: s2 merged_wave_info".
  std::string describe() const;
};
DOVETAIL_FIELDS(GlueKey, gpuName, place, entry, hasLsVgprInitBug, wanted, kept, floatMode, setsFloatMode)

GlueKey makeGlueKey(const GlueLayout &layout, GluePlace place, std::string_view gpuName);

// Encodes a piece; no compiler runs. The first has Part::entry. Errors: those of isa::summarizeHazards.
Result<PartRef> makeGlue(const GlueKey &key);

struct MergedParts : StageParts {
  std::array<bool, 2> madeGlue = {}; // by this call; otherwise it was in the cache
};

// A merged program: the parts of both halves, each in running order, with glue around them. Glue is looked up in the
// cache, or made. Thread-safe. Errors: those of layOutGlue.
Result<MergedParts> mergeHalves(HardwareStage stage, std::span<const PartRef> first, std::span<const PartRef> second,
                                const TargetInfo &target, PartCache &cache);

} // namespace dovetail
