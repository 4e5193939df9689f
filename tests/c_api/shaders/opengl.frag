#version 460
struct Light { vec3 direction; float power; };
struct Lamp { float power; sampler2D cookies[3]; };
layout(location = 1) uniform Light lights[2];
layout(location = 0) uniform vec4 tint;
layout(location = 7, binding = 3) uniform sampler2DRect picture;
layout(location = 8) uniform Lamp lamps[2];
layout(location = 0) out vec4 color;

void main() {
  color = tint * lights[1].power + lights[0].direction.xyzz + texture(picture, gl_FragCoord.xy)
    + texture(lamps[1].cookies[2], gl_FragCoord.xy) * lamps[0].power;
}
