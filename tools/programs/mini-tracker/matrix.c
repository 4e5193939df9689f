/* SPDX-License-Identifier: MIT */
#include "matrix.h"
#include <math.h>

struct matrix matrix_multiply(const struct matrix *a, const struct matrix *b) {
  struct matrix result;
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 4; ++row) {
      float sum = 0;
      for (int k = 0; k < 4; ++k)
        sum += a->m[k * 4 + row] * b->m[column * 4 + k];
      result.m[column * 4 + row] = sum;
    }
  }
  return result;
}

struct matrix matrix_place(float x, float y, float z, float scale, float turn) {
  const float c = cosf(turn) * scale, s = sinf(turn) * scale;
  const struct matrix result = {{c, 0, -s, 0, 0, scale, 0, 0, s, 0, c, 0, x, y, z, 1}};
  return result;
}

struct matrix matrix_perspective(float field_of_view, float aspect, float near, float far) {
  const float f = 1 / tanf(field_of_view / 2);
  const struct matrix result = {
      {f / aspect, 0, 0, 0, 0, -f, 0, 0, 0, 0, far / (near - far), -1, 0, 0, near * far / (near - far), 0}};
  return result;
}

struct matrix matrix_camera(float x, float y, float z, float pitch) {
  const float c = cosf(pitch), s = sinf(pitch);
  const struct matrix turn = {{1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, 0, 0, 1}};
  const struct matrix move = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1}};
  return matrix_multiply(&turn, &move);
}
