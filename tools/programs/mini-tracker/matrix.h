/* SPDX-License-Identifier: MIT
 *
 * The 4 x 4 matrices that the scene needs, column by column, as in GLSL.
 */
#pragma once

struct matrix {
  float m[16];
};

struct matrix matrix_multiply(const struct matrix *a, const struct matrix *b);
struct matrix matrix_place(float x, float y, float z, float scale, float turn);
/* Vulkan's clip space: y down, depth 0 to 1. */
struct matrix matrix_perspective(float field_of_view, float aspect, float near, float far);
/* From (x, y, z), looking down by `pitch` along the negative z axis. */
struct matrix matrix_camera(float x, float y, float z, float pitch);
