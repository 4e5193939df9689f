/* SPDX-License-Identifier: MIT
 *
 * Programs: a vertex and a fragment shader, their uniforms, and what a driver promises about the uniforms.
 *
 * All programs have the same resource layout, which this driver chose: in set 0 the uniforms at binding 0, textures at
 * the bindings behind. So a shader's code can be compiled before the driver knows its partner.
 *
 * Uniforms are a block of memory that both shaders read. Setting one writes to that memory and changes no variant. But
 * some uniforms decide how often a loop runs or which side of a branch is taken; with their values, an optimized
 * variant can be much shorter. The application never names these uniforms. So a driver picks candidates (here: by hand)
 * and tells Dovetail their present values with each bind. The joined variant ignores the values, so it always fits. If
 * a value changes, the next bind falls back to the joined variant until another optimized variant is ready.
 */
#pragma once

#include <dovetail/dovetail.h>
#include <stdbool.h>

enum { GL_TEXTURES = 2, GL_UNIFORM_BYTES = 256, GL_INLINABLE_UNIFORMS = 4 };

struct gl_program {
  dovetail_device *device;
  dovetail_shader *shaders[2];
  dovetail_program *program;
  uint8_t uniforms[GL_UNIFORM_BYTES];
  /* Candidates for inlining, by their offsets in the block, and the object with their values. */
  uint32_t inlinable_offsets[GL_INLINABLE_UNIFORMS];
  uint32_t inlinable_count;
  dovetail_uniforms *inlinable;
  bool inlinable_is_stale;
};

/* Makes a program from files of SPIR-V. Compiles their code here, in glLinkProgram() so to speak, and never again. */
bool gl_program_create(struct gl_program *program, dovetail_device *device, const char *vertex_file,
                       const char *fragment_file, dovetail_message *message);
void gl_program_destroy(struct gl_program *program);

/* offset and size: bytes in the uniform block. Bytes beyond the block are ignored. */
void gl_uniform(struct gl_program *program, uint32_t offset, uint32_t size, const void *value);
/* Makes the uniform dword at `offset` a candidate. */
void gl_add_inlinable_uniform(struct gl_program *program, uint32_t offset);
/* The candidates' values as an object, which is made again after a change; NULL without candidates. */
bool gl_program_inlinable_uniforms(struct gl_program *program, const dovetail_uniforms **inlinable,
                                   dovetail_message *message);
