/* SPDX-License-Identifier: MIT
 *
 * A state machine like GL's: the application sets state piece by piece, in any order, and mostly to the value that is
 * already there; a draw takes the state as it is then. So a setter only compares, stores and marks. Look-ups wait for a
 * draw that needs them, and a draw with unchanged state does none.
 *
 * Functions that can fail return false, and gl_message() says why.
 */
#pragma once

#include <dovetail/dovetail.h>
#include <dovetail/dovetail_emulator.h>
#include <stdbool.h>

struct gl_program;

/* RGBA, 8 bits each, rows from the top. */
struct gl_texture {
  uint32_t width, height;
  void *texels;
  bool linear;
};

struct gl_context;

struct gl_context *gl_create(dovetail_device *device, uint32_t width, uint32_t height, dovetail_message *message);
void gl_destroy(struct gl_context *gl);
const char *gl_message(const struct gl_context *gl);

/* ---- State that makes variants ---- */

void gl_use_program(struct gl_context *gl, struct gl_program *program);
void gl_vertex_attribute(struct gl_context *gl, uint32_t location, uint32_t binding, uint32_t vk_format,
                         uint32_t offset);
void gl_disable_vertex_attributes(struct gl_context *gl);
void gl_color_mask(struct gl_context *gl, bool red, bool green, bool blue, bool alpha);
void gl_disable_blend(struct gl_context *gl);
void gl_blend_func(struct gl_context *gl, uint32_t vk_src_factor, uint32_t vk_dst_factor);
/* The comparison makes variants, the reference does not. VK_COMPARE_OP_ALWAYS turns the test off. */
void gl_alpha_func(struct gl_context *gl, uint32_t vk_compare_op, float reference);

/* ---- State that makes no variants ---- */

/* The memory must stay valid until it is drawn with. The stride is in Dovetail's state object, but variants do not
 * depend on it. */
void gl_vertex_buffer(struct gl_context *gl, uint32_t binding, const void *data, size_t size, uint32_t stride);
void gl_bind_texture(struct gl_context *gl, uint32_t unit, const struct gl_texture *texture);
void gl_depth_test(struct gl_context *gl, bool test, bool write);
void gl_cull_back_faces(struct gl_context *gl, bool cull);

/* ---- Drawing ---- */

struct gl_draw_report {
  double bind_ns;        /* of dovetail_bind() alone */
  double emulation_ms;   /* for the whole draw */
  uint64_t instructions; /* that the emulated GPU executed */
  bool state_changed;    /* so the state object was looked up */
  bool program_changed;
  bool is_monolithic; /* compiled as a whole; otherwise joined from parts */
  bool is_optimized;  /* made for this state and its neighbours */
  uint32_t code_size; /* bytes of the variant, as uploaded */
};

bool gl_clear(struct gl_context *gl, float red, float green, float blue, float alpha);
/* Triangles of the vertices 0 to count - 1, or of `count` indices. */
bool gl_draw(struct gl_context *gl, const uint32_t *indices, uint32_t count, struct gl_draw_report *report);
/* RGBA, 8 bits each, rows from the top; valid until the next call. */
const uint8_t *gl_read_pixels(struct gl_context *gl);
/* State objects that were made so far. */
size_t gl_state_objects(const struct gl_context *gl);
