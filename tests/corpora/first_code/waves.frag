// SPDX-License-Identifier: MIT
// Reductions, ballots and votes beside helper and discarded lanes, which add nothing to them. Equal ones stand in front
// of a discard and behind it.
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  uint own = gl_HelperInvocation ? 0u : at.x * 7u + at.y;
  float slope = dFdx(color.x * 3.0) + fwidth(color.y);
  uint sum = subgroupAdd(own);
  if ((at.x * 3u + at.y & 7u) == 1u)
    discard;
  sum += subgroupInclusiveAdd(own) + subgroupMax(own * 5u) * 3u + subgroupAdd(own);
  if ((at.y & 2u) == 0u) {
    if ((at.x & 5u) == 4u)
      discard;
    sum ^= subgroupExclusiveOr(own) + subgroupBallotBitCount(subgroupBallot(!gl_HelperInvocation));
  }
  sum += subgroupClusteredAdd(own, 16u);
  if (subgroupAny(!gl_HelperInvocation && own % 5u == 2u))
    sum += 9u;
  target = vec4(float(sum & 255u) / 255.0, float(sum >> 8 & 255u) / 255.0, slope, 1.0);
}
