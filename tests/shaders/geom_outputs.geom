// SPDX-License-Identifier: MIT
// Outputs of many types: matrix, array, block, integers, shared location, flat and noperspective.
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out mat2x3 rows;
layout(location = 2) out vec2 places[2];
layout(location = 4) flat out uvec3 numbers;
layout(location = 5) noperspective out vec2 linear;
layout(location = 5, component = 2) noperspective out float third;
layout(location = 6) out Shade {
  vec4 light;
  float dark[2];
} shade;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    rows = mat2x3(vertexColor[i].rgb, vertexColor[i].bgr);
    places[i & 1] = vec2(1.0, 0.5);
    places[~i & 1] = vec2(float(i), 0.25);
    numbers = uvec3(i, gl_PrimitiveIDIn, 7);
    linear = gl_Position.xy;
    third = float(i) * 0.5;
    shade.light = vertexColor[2 - i];
    for (int j = 0; j < 2; ++j)
      shade.dark[j] = float(i + j) * 0.25;
    EmitVertex();
  }
}
