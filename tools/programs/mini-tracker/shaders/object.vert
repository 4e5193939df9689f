#version 450
// The one vertex shader of this engine: it gives whatever any material may want. Most materials want less, which only a
// compile of both shaders together can see.
layout(set = 0, binding = 0, std140) uniform Uniforms {
  mat4 view_projection; // 0
  mat4 model;           // 64
  vec4 tint;            // 128
  vec4 eye;             // 144
  vec4 fog;             // 160: colour, density
  int light_count;      // 176
  int has_texture;      // 180
  float time;           // 184
};
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 texcoord;
layout(location = 3) in vec4 color;
layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec2 surface;
layout(location = 3) out vec4 vertex_color;
layout(location = 4) out float visibility;
layout(location = 5) out vec3 tangent;

void main() {
  vec4 world = model * vec4(position, 1.0);
  world_position = world.xyz;
  world_normal = normalize(mat3(model) * normal);
  tangent = normalize(cross(world_normal, vec3(0.3, 1.0, 0.2)));
  surface = texcoord;
  vertex_color = color * tint;
  visibility = exp(-fog.w * distance(world.xyz, eye.xyz));
  gl_Position = view_projection * world;
  gl_PointSize = 4.0 / max(gl_Position.w, 0.1);
}
