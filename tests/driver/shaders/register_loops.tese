#version 450
// A uniform value of the loops is used behind them, too, where lanes meet that left them on different ways.
layout(triangles) in;
layout(location = 0) in vec4 place[];
layout(location = 1) in float weight[];
layout(location = 2) in uint number[];
layout(location = 3) patch in float ofPatch;
layout(location = 4) patch in uint numberOfPatch;
layout(location = 0) out vec4 color;

void main() {
  gl_Position = place[0] * gl_TessCoord.x + place[1] * gl_TessCoord.y + place[2] * gl_TessCoord.z;
  vec4 r; // as registers of Direct3D are, of which one component is a counter
  r.x = 0;
  for (;;) {
    if (floatBitsToUint(r.x) >= 3) break;
    if (weight[floatBitsToInt(r.x)] != ofPatch) {
      color = vec4(1, weight[floatBitsToInt(r.x)] / 255, ofPatch / 255, 1);
      return;
    }
    r.x = intBitsToFloat(floatBitsToInt(r.x) + 1);
  }
  r.x = 0;
  for (;;) {
    if (floatBitsToUint(r.x) >= 3) break;
    if (number[floatBitsToInt(r.x)] != numberOfPatch) {
      color = vec4(1, 0, 1, 1);
      return;
    }
    r.x = intBitsToFloat(floatBitsToInt(r.x) + 1);
  }
  color = number[0] != 0 || number[1] != 1 || number[2] != 2 ? vec4(1, 1, 0, 1) : vec4(0, 1, 0, 1);
}
