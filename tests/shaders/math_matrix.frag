// SPDX-License-Identifier: MIT
// Matrix functions: products of all shapes, transpose, inverse, determinant, outer product.
#version 450
layout(set = 0, binding = 0) uniform Block {
  mat2 a;
  mat3 b;
  mat4 c;
  mat2x3 d;
  mat4x3 e;
};
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 target;

void main() {
  mat4 m = inverse(c) * transpose(c) + outerProduct(p, p.wzyx) - matrixCompMult(c, c) * 0.5;
  mat3 n = inverse(b) * outerProduct(p.xyz, p.zyx) + mat3(c);
  mat2 o = inverse(a) * a + mat2(n);
  mat3 square = e * transpose(e) + d * transpose(d);
  float r = determinant(a) + determinant(b) + determinant(c);
  target = m * p + p * m + vec4(n * p.xyz + p.xyz * square, r);
  target.xy += o * p.xy + p.xyz * d;
  target.xyz += e * p;
  m[2][1] = r;
  m[1] = p;
  m /= 3.0;
  target += m[int(p.x) & 3] + vec4(m == c) + (-m)[0] + (++m)[3];
}
