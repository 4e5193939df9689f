// SPDX-License-Identifier: MIT
// Clip and cull distances and the point size.
#version 450
layout(location = 0) in vec4 position;
layout(push_constant) uniform Planes { vec4 planes[4]; };
out gl_PerVertex {
  vec4 gl_Position;
  float gl_PointSize;
  float gl_ClipDistance[3];
  float gl_CullDistance[1];
};

void main() {
  gl_Position = position;
  gl_PointSize = 4.0 + position.w;
  for (int i = 0; i < 3; ++i)
    gl_ClipDistance[i] = dot(position, planes[i]);
  gl_CullDistance[0] = dot(position, planes[3]);
}
