// SPDX-License-Identifier: MIT
//
// Halves of merged programs, written as assembly. Each writes down the values of its launch registers, so that a test
// sees whether glue put them there.
#pragma once

#include "gfx9-merged/glue.h"
#include "tests/merge/parts_by_hand.h"
#include <vector>

namespace dovetail::test {

// A lane's record in LDS: 16 dwords, all lanes of a wave one behind the other. Each half of each wave has an area; user
// data 0 (first half) and 1 (second half) are its byte address.
constexpr unsigned RecordDwords = 16;

// s0 global table, s1 user data 0; v0 vertex id, v1 relative vertex id, v2 instance id. Record: these three, user data
// 0, float mode. Clobbers s0 to s15 and v0 to v9.
Part lsHalf();
// s0 global table, s1 user data 1, s2 user data 2, s3 off-chip offset, s4 tess factor offset; v0 patch id, v1 relative
// ids. Record: patch id, relative ids, the four SGPRs s0, s2, s3, s4, float mode, then the vertex id of the same lane
// in the area of the first half at user data 2.
Part hsHalf();
// s0 global table, s1 user data 0, s2 ES-GS offset; v0 vertex id, v1 instance id. Record: both, s2.
Part esHalf();
// A tessellation evaluation shader: s0 global table, s1 user data 0, s2 off-chip offset, s4 ES-GS offset; v0, v1
// tessellation coordinates, v2 relative patch id, v3 patch id. Record: v0 to v3, s2, s4.
Part tessEvalEsHalf();
// s0 global table, s1 user data 1, s2 GSVS offset, s3 wave id; v0, v1, v3 to v6 vertex offsets, v2 primitive id, v7
// invocation id. Record: v0 to v7, s2, s3. Ends with GS_DONE.
Part gsHalf();
// The vertex programs that run behind the merged ones.
Part tessEvalMain();
Part copyMain();

PartRef share(Part part);
// gfx900, without and with the LS VGPR bug.
TargetInfo mergedTarget(bool hasLsVgprInitBug = false);
// Merges the parts. The test fails if that is not possible.
StageParts merge(HardwareStage stage, std::vector<Part> first, std::vector<Part> second,
                 const TargetInfo &target = mergedTarget());
// Joins the merged program with the vertex program behind it.
Result<ImageRef> joinMerged(StageParts merged, const TargetInfo &target = mergedTarget());

} // namespace dovetail::test
