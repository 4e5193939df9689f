/* SPDX-License-Identifier: MIT
 *
 * A draw: state vector -> state object -> variant -> the (emulated) GPU.
 */
#define _POSIX_C_SOURCE 200809L
#include "gl_context.h"
#include "vulkan_values.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

static double now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Everything between "the application called glDrawElements()" and "the code is known". */
static bool validate(struct gl_context *gl, const dovetail_variant **variant, struct gl_draw_report *report) {
  report->state_changed = gl->variant_state_is_dirty;
  report->program_changed = gl->program != gl->bound_program;
  if (gl->variant_state_is_dirty) {
    gl->state = state_cache_find(gl->states, &gl->variant_state, &gl->message);
    if (!gl->state)
      return false;
    gl->variant_state_is_dirty = false;
  }
  const dovetail_uniforms *inlinable = NULL;
  if (!gl_program_inlinable_uniforms(gl->program, &inlinable, &gl->message))
    return false;

  /* Bind even if nothing was touched: binding the same again costs a compare, and it adopts an optimized variant that
   * was published since. */
  const double start = now_ns();
  const dovetail_status status =
      dovetail_bind(gl->binder, gl->program->program, gl->state, inlinable, NULL, variant, &gl->message);
  report->bind_ns = now_ns() - start;
  gl->bound_program = status == DOVETAIL_OK ? gl->program : NULL;
  return status == DOVETAIL_OK;
}

/* A real driver uploads the code once for each variant, and then writes registers and user data. The emulated GPU gets
 * the variant, and asks it for both. */
static bool submit(struct gl_context *gl, const dovetail_variant *variant, const uint32_t *indices, uint32_t count,
                   struct gl_draw_report *report) {
  static uint32_t white = 0xffffffff;
  static const struct gl_texture no_texture = {1, 1, &white, false};
  dovetail_emulator_descriptor descriptors[1 + GL_TEXTURES] = {{0}};
  dovetail_emulator_image images[GL_TEXTURES] = {{0}};
  dovetail_emulator_sampler samplers[GL_TEXTURES] = {{0}};

  descriptors[0].type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  descriptors[0].data = gl->program->uniforms;
  descriptors[0].data_size = sizeof(gl->program->uniforms);
  for (uint32_t unit = 0; unit < GL_TEXTURES; ++unit) {
    /* The layout has all units (gl_program.c), so each needs a descriptor. */
    const struct gl_texture *texture = gl->textures[unit] ? gl->textures[unit] : &no_texture;
    images[unit].size = sizeof(images[unit]);
    images[unit].format = VK_FORMAT_R8G8B8A8_UNORM;
    images[unit].view_type = VK_IMAGE_VIEW_TYPE_2D;
    images[unit].width = texture->width;
    images[unit].height = texture->height;
    images[unit].texels = texture->texels;
    images[unit].texel_bytes = (size_t)texture->width * texture->height * 4;
    samplers[unit].size = sizeof(samplers[unit]);
    samplers[unit].mag_filter = samplers[unit].min_filter = texture->linear;
    dovetail_emulator_descriptor *descriptor = &descriptors[1 + unit];
    descriptor->binding = 1 + unit;
    descriptor->type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    descriptor->image = &images[unit];
    descriptor->sampler = &samplers[unit];
  }

  dovetail_emulator_vertex_buffer buffers[GL_VERTEX_BUFFERS];
  dovetail_emulator_draw_description draw = DOVETAIL_EMULATOR_DRAW_INIT;
  for (uint32_t binding = 0; binding < GL_VERTEX_BUFFERS; ++binding)
    if (gl->vertex_buffers[binding].data)
      buffers[draw.vertex_buffer_count++] = gl->vertex_buffers[binding];
  draw.vertex_buffers = buffers;
  draw.variant = variant;
  draw.program = gl->program->program;
  draw.state = gl->state;
  draw.descriptors = descriptors;
  draw.descriptor_count = 1 + GL_TEXTURES;
  draw.indices = indices;
  draw.index_count = indices ? count : 0;
  draw.vertex_count = count;
  draw.cull_mode = gl->cull_back_faces ? VK_CULL_MODE_BACK_BIT : 0;
  draw.depth_test_enable = gl->depth_test;
  draw.depth_write_enable = gl->depth_test && gl->depth_write;
  draw.depth_compare_op = VK_COMPARE_OP_LESS_OR_EQUAL;
  draw.alpha_reference = gl->alpha_reference;

  dovetail_emulator_statistics statistics = {sizeof(statistics), 0, 0};
  const double start = now_ns();
  if (dovetail_emulator_draw(gl->framebuffer, &draw, &statistics, &gl->message) != DOVETAIL_OK)
    return false;
  report->emulation_ms = (now_ns() - start) / 1e6;
  report->instructions = statistics.instructions;
  return true;
}

bool gl_draw(struct gl_context *gl, const uint32_t *indices, uint32_t count, struct gl_draw_report *report) {
  memset(report, 0, sizeof(*report));
  if (!gl->program) {
    strcpy(gl->message.text, "no program is used");
    return false;
  }
  const dovetail_variant *variant = NULL; /* valid until the next bind */
  if (!validate(gl, &variant, report))
    return false;
  dovetail_variant_info info = {0};
  info.size = sizeof(info);
  if (dovetail_variant_get_info(variant, &info, &gl->message) != DOVETAIL_OK)
    return false;
  report->is_monolithic = info.is_monolithic;
  report->is_optimized = info.is_optimized;
  report->code_size = (uint32_t)info.code_size;
  return submit(gl, variant, indices, count, report);
}

bool gl_clear(struct gl_context *gl, float red, float green, float blue, float alpha) {
  dovetail_emulator_clear_values values = {0};
  values.size = sizeof(values);
  values.colors[0].f[0] = red;
  values.colors[0].f[1] = green;
  values.colors[0].f[2] = blue;
  values.colors[0].f[3] = alpha;
  values.depth = 1;
  return dovetail_emulator_framebuffer_clear(gl->framebuffer, &values, &gl->message) == DOVETAIL_OK;
}

const uint8_t *gl_read_pixels(struct gl_context *gl) {
  dovetail_emulator_picture picture = {0};
  picture.size = sizeof(picture);
  if (dovetail_emulator_framebuffer_read(gl->framebuffer, 0, &picture, &gl->message) != DOVETAIL_OK)
    return NULL;
  return picture.texels;
}
