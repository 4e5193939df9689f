// SPDX-License-Identifier: MIT
//
// The fields of a part (src/base/fields.h).
#pragma once

#include "parts/part.h"
#include "src/abi/interface/interface_fields.h"

namespace dovetail {

namespace isa {

constexpr Hazard lastOf(Hazard) {
  return Hazard(HazardCount - 1);
}

DOVETAIL_FIELDS(HazardEdge, hazard, bank, first, count, waitStates)
DOVETAIL_FIELDS(HazardSummary, pendingAtEnd, sensitiveAtStart, length)

} // namespace isa

constexpr PartKind lastOf(PartKind) {
  return PartKind(PartKindCount - 1);
}
DOVETAIL_LAST(RelocationKind, Branch16)
DOVETAIL_LAST(RelocationTarget, SecondHalf)
DOVETAIL_LAST(LayoutField, ScalarOffset)

DOVETAIL_FIELDS(PartKey, kind, hash)
DOVETAIL_FIELDS(Contract, inputs, outputs, preservedSgprs, preservedVgprs, endsProgram)
DOVETAIL_FIELDS(Relocation, offset, kind, target, addend)
DOVETAIL_FIELDS(LayoutRelocation, offset, field, constant)
DOVETAIL_FIELDS(Usage, sgprs, numberedSgprs, specialSgprs, vgprs, scratchBytes, ldsBytes, floatMode, runsInAnyFloatMode,
                ieeeMode, dx10Clamp, waveSize, psInputEna, psInputAddr, spilledSgprs, spilledVgprs)
DOVETAIL_FIELDS(FragmentExports, colFormat, cbShaderMask, zFormat, depth, stencil, sampleMask, kills, alphaToCoverage)
DOVETAIL_FIELDS(Part, key, tier, keyFields, description, code, constants, constantsAlignment, relocations,
                layoutRelocations, contract, usage, hazards, interface, firstInterface, entry, fragmentExports,
                instructionCount, buildMicroseconds)

} // namespace dovetail
