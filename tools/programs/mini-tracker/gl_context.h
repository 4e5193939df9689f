/* SPDX-License-Identifier: MIT
 *
 * The data behind gl_state.h: the state vector, and objects derived from it. For gl_state.c and gl_draw.c.
 */
#pragma once

#include "gl_program.h"
#include "gl_state.h"
#include "variant_state.h"

struct gl_context {
  /* State that makes variants. */
  struct gl_program *program;
  struct gl_variant_state variant_state;
  bool variant_state_is_dirty; /* changed since `state` was looked up */

  /* State that makes no variants. */
  dovetail_emulator_vertex_buffer vertex_buffers[GL_VERTEX_BUFFERS];
  const struct gl_texture *textures[GL_TEXTURES];
  float alpha_reference;
  bool depth_test, depth_write, cull_back_faces;

  /* Derived from the above. */
  struct state_cache *states;
  const dovetail_state *state; /* for variant_state; the cache owns it */
  const struct gl_program *bound_program;
  dovetail_binder *binder; /* one for each context, because one thread at a time uses a context */
  dovetail_emulator_framebuffer *framebuffer;
  dovetail_message message;
};
