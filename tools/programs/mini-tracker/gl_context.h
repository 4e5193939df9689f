/* SPDX-License-Identifier: MIT
 *
 * What is behind gl_state.h: the state vector and what was derived from it. For gl_state.c and gl_draw.c.
 */
#pragma once

#include "gl_program.h"
#include "gl_state.h"
#include "variant_state.h"

struct gl_context {
  /* Makes variants. */
  struct gl_program *program;
  struct gl_variant_state variant_state;
  bool variant_state_is_dirty; /* since `state` was looked up */

  /* Makes none. */
  dovetail_emulator_vertex_buffer vertex_buffers[GL_VERTEX_BUFFERS];
  const struct gl_texture *textures[GL_TEXTURES];
  float alpha_reference;
  bool depth_test, depth_write, cull_back_faces;

  /* Derived. */
  struct state_cache *states;
  const dovetail_state *state; /* that variant_state says; the cache's */
  const struct gl_program *bound_program;
  dovetail_binder *binder; /* one for each context, as each is used by one thread at a time */
  dovetail_emulator_framebuffer *framebuffer;
  dovetail_message message;
};
