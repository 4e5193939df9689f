#version 460
// Structures with textures between what is in memory: in arrays of structures, with arrays inside, in structures, and
// with nothing else. Each element has locations of its own.
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
layout(set = 5, binding = 4, std430) uniform Default {
  int chosen;
  Room rooms[2];
  vec4 behind;
};
layout(set = 6, binding = 3) uniform sampler2D cookies[4];
layout(set = 6, binding = 9) uniform sampler2D clouds[2];
layout(set = 6, binding = 10) uniform samplerCube stars[4];
layout(set = 6, binding = 12) uniform sampler2DShadow shades[2];
layout(set = 6, binding = 40) uniform sampler2D skyClouds;
layout(set = 6, binding = 41) uniform samplerCube skyStars[2];
layout(set = 6, binding = 50) uniform sampler2D planes[2];
#define STARS(room, star) stars[(room) * 2 + (star)]
#define SHADE(room) shades[room]
#define SKY_CLOUDS skyClouds
#define SKY_STARS skyStars
#define LIT(room, lamp) lit(cookies[(room) * 2 + (lamp)], rooms[room].lamps[lamp].power, rooms[room].lamps[lamp].direction)
#define CLOUDY(room) cloudy(clouds[room], stars[(room) * 2 + 1])
#define CLOUDY_SKY cloudy(skyClouds, skyStars[1])
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
layout(location = 0) uniform int chosen;
layout(location = 2) uniform Room rooms[2];
layout(location = 40) uniform Sky sky;
layout(location = 50) uniform sampler2D planes[2];
layout(location = 60) uniform vec4 behind;
#define STARS(room, star) rooms[room].sky.stars[star]
#define SHADE(room) rooms[room].shade
#define SKY_CLOUDS sky.clouds
#define SKY_STARS sky.stars
#define LIT(room, lamp) litBy(rooms[room], lamp)
#define CLOUDY(room) cloudyIn(rooms[room].sky)
#define CLOUDY_SKY cloudyIn(sky)
#endif
layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 given;
layout(location = 0) out vec4 color;

vec4 lit(sampler2D cookie, float power, vec3 direction) {
  return textureLod(cookie, uv, 0.0) * power + direction.xyzz;
}
vec4 cloudy(sampler2D clouds, samplerCube star) {
  return textureLod(clouds, uv.yx, 1.0) - textureLod(star, vec3(uv, 1.0), 0.0);
}
vec4 last(samplerCube stars[2], int star) {
  return textureLod(stars[star], vec3(1.0, uv), 0.0);
}
#ifndef VULKAN
vec4 litByOne(Lamp lamp) {
  return lit(lamp.cookie, lamp.power, lamp.direction);
}
vec4 litBy(Room room, int lamp) {
  return litByOne(room.lamps[lamp]);
}
vec4 cloudyIn(Sky sky) {
  return cloudy(sky.clouds, sky.stars[1]);
}
#endif

void main() {
  int one = 1 - chosen;
  color = LIT(1, 0) + LIT(chosen, 1) * 0.5 + LIT(one, chosen) * 0.25;
  color += CLOUDY(1) + CLOUDY(chosen) * 0.5 + CLOUDY_SKY * 0.25;
  color += textureLod(STARS(chosen, one), vec3(uv, -1.0), 0.0) - textureLod(STARS(0, 1), vec3(-1.0, uv), 0.0);
  color += textureLod(SHADE(chosen), vec3(uv, 0.5), 0.0) * 0.5 - textureLod(SHADE(1), vec3(uv.yx, 0.25), 0.0);
  color += textureLod(SKY_CLOUDS, uv * 2.0, 0.0) + last(SKY_STARS, chosen) * 0.5;
  color += textureLod(planes[chosen], uv, 0.0) - textureLod(planes[1], uv.yx, 0.0);
  color.xy += rooms[one].turn * uv + rooms[1].offsets[2] - rooms[chosen].offsets[chosen];
  color += behind + given;
}
