// SPDX-License-Identifier: MIT
// Skinning with four bones from a storage buffer of dual quaternions or matrices.
#version 450
layout(set = 0, binding = 0) uniform Camera { mat4 viewProjection; };
layout(std430, set = 0, binding = 1) readonly buffer Bones { mat4x3 bones[]; };
layout(std430, set = 0, binding = 2) readonly buffer Duals { mat2x4 duals[]; };
layout(constant_id = 0) const bool UseDuals = false;
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 normalAndSign;
layout(location = 2) in uvec4 indices;
layout(location = 3) in vec4 weights;
layout(location = 0) out vec3 normal;

vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

void main() {
  vec3 p, n;
  if (UseDuals) {
    mat2x4 blended = mat2x4(0.0);
    vec4 first = duals[indices.x][0];
    for (int i = 0; i < 4; ++i) {
      mat2x4 dual = duals[indices[i]];
      blended += dual * (dot(first, dual[0]) < 0.0 ? -weights[i] : weights[i]);
    }
    blended /= length(blended[0]);
    vec4 r = blended[0], t = blended[1];
    p = rotate(r, position) + 2.0 * (r.w * t.xyz - t.w * r.xyz + cross(r.xyz, t.xyz));
    n = rotate(r, normalAndSign.xyz);
  } else {
    mat4x3 blended = bones[indices.x] * weights.x + bones[indices.y] * weights.y + bones[indices.z] * weights.z +
                     bones[indices.w] * weights.w;
    p = blended * vec4(position, 1.0);
    n = mat3(blended) * normalAndSign.xyz;
  }
  normal = normalize(n) * sign(normalAndSign.w);
  gl_Position = viewProjection * vec4(p, 1.0);
}
