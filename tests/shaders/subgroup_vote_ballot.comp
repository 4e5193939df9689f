// SPDX-License-Identifier: MIT
// Subgroup vote, ballot and broadcast.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data { uint values[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint v = values[i];
  uint r = 0u;
  if (subgroupElect())
    r |= 1u;
  if (subgroupAll(v > 2u))
    r |= 2u;
  if (subgroupAny(v > 100u))
    r |= 4u;
  if (subgroupAllEqual(v))
    r |= 8u;
  uvec4 ballot = subgroupBallot((v & 1u) == 0u);
  r += subgroupInverseBallot(ballot) ? 16u : 0u;
  r += subgroupBallotBitExtract(ballot, 5u) ? 32u : 0u;
  r += subgroupBallotBitCount(ballot) + subgroupBallotInclusiveBitCount(ballot) + subgroupBallotExclusiveBitCount(ballot);
  r += subgroupBallotFindLSB(ballot) + subgroupBallotFindMSB(ballot);
  r += subgroupBroadcast(v, 3u) + subgroupBroadcastFirst(v);
  ballot = (gl_SubgroupEqMask | gl_SubgroupGeMask) & (gl_SubgroupGtMask ^ gl_SubgroupLeMask) & ~gl_SubgroupLtMask;
  values[i] = r + ballot.x + ballot.y;
  subgroupBarrier();
  subgroupMemoryBarrierBuffer();
}
