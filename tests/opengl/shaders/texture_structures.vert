#version 460
// A uniform that is in two stages has the same locations in both, and in each stage's default block it has another place.
#ifdef VULKAN
#extension GL_EXT_scalar_block_layout : require
struct Lamp {
  float power;
  vec3 direction;
};
struct Room {
  Lamp lamps[2];
  mat2 turn;
  vec2 offsets[3];
};
layout(set = 5, binding = 0, std430) uniform Default { Room rooms[2]; };
layout(set = 6, binding = 3) uniform sampler2D cookies[4];
#define COOKIE(room, lamp) cookies[(room) * 2 + (lamp)]
#else
struct Sky {
  sampler2D clouds;
  samplerCube stars[2];
};
struct Lamp {
  float power;
  sampler2D cookie;
  vec3 direction;
};
struct Room {
  Lamp lamps[2];
  mat2 turn;
  Sky sky;
  sampler2DShadow shade;
  vec2 offsets[3];
};
layout(location = 2) uniform Room rooms[2];
#define COOKIE(room, lamp) rooms[room].lamps[lamp].cookie
#endif
layout(location = 0) in vec3 position;
layout(location = 0) out vec2 uv;
layout(location = 1) out vec4 given;

void main() {
  gl_Position = vec4(position, 1.0);
  uv = position.xy * 0.5 + 0.5;
  given = textureLod(COOKIE(1, 0), uv, 0.0) * rooms[1].lamps[1].power - textureLod(COOKIE(0, 1), uv, 0.0);
}
