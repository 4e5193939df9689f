#version 460
// Rows are counted from below. What lavapipe interpolates elsewhere is wrong with perspective (docs/lavapipe.md).
layout(location = 0) noperspective in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
  vec2 place = gl_FragCoord.xy;
#ifdef VULKAN
  place.y = HEIGHT - place.y;
  float slope = -dFdy(uv.y);
  vec2 moved = interpolateAtOffset(uv, vec2(0.25, -0.375));
#else
  float slope = dFdy(uv.y);
  vec2 moved = interpolateAtOffset(uv, vec2(0.25, 0.375));
#endif
  color = vec4(place / 16.0, slope * 4.0, gl_FragCoord.z);
  color.xy += moved - uv;
}
