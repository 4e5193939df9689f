// SPDX-License-Identifier: MIT
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 12) out;
layout(set = 0, binding = 0) uniform Camera {
  mat4 viewProjection;
  mat4 model;
  vec4 fur; // length, gravity
};
layout(location = 0) in vec3 objectNormal[];
layout(location = 1) in vec2 texCoord[];
layout(location = 0) out vec3 worldNormal;
layout(location = 1) out vec3 shellUv; // and height

void main() {
  vec3 edge1 = gl_in[1].gl_Position.xyz - gl_in[0].gl_Position.xyz;
  vec3 edge2 = gl_in[2].gl_Position.xyz - gl_in[0].gl_Position.xyz;
  vec3 face = normalize(cross(edge1, edge2));
  for (int shell = 0; shell < 4; ++shell) {
    float height = float(shell) / 3.0;
    for (int i = 0; i < 3; ++i) {
      vec3 n = normalize(objectNormal[i] + 0.25 * face);
      vec3 p = gl_in[i].gl_Position.xyz + n * (fur.x * height) - vec3(0.0, fur.y * height * height, 0.0);
      worldNormal = mat3(model) * n;
      shellUv = vec3(texCoord[i], height);
      gl_Position = viewProjection * (model * vec4(p, 1.0));
      EmitVertex();
    }
    EndPrimitive();
  }
}
