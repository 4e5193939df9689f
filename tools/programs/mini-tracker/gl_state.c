/* SPDX-License-Identifier: MIT */
#include "gl_context.h"
#include "vulkan_values.h"
#include <stdlib.h>
#include <string.h>

struct gl_context *gl_create(dovetail_device *device, uint32_t width, uint32_t height, dovetail_message *message) {
  struct gl_context *gl = calloc(1, sizeof(*gl));
  if (!gl) {
    strcpy(message->text, "out of memory");
    return NULL;
  }
  gl->variant_state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  gl->variant_state.color_format = VK_FORMAT_R8G8B8A8_UNORM;
  gl->variant_state.depth_format = VK_FORMAT_D32_SFLOAT;
  gl->variant_state.color_mask = 0xf;
  gl->variant_state.src_factor = VK_BLEND_FACTOR_ONE;
  gl->variant_state.dst_factor = VK_BLEND_FACTOR_ZERO;
  gl->variant_state.alpha_func = VK_COMPARE_OP_ALWAYS;
  gl->variant_state_is_dirty = true;

  dovetail_emulator_framebuffer_description description = {0};
  description.size = sizeof(description);
  description.width = width;
  description.height = height;
  description.color_formats[0] = gl->variant_state.color_format;
  description.depth_stencil_format = gl->variant_state.depth_format;

  gl->states = state_cache_create(device);
  if (!gl->states || dovetail_binder_create(device, &gl->binder, message) != DOVETAIL_OK ||
      dovetail_emulator_framebuffer_create(&description, &gl->framebuffer, message) != DOVETAIL_OK) {
    if (!gl->states)
      strcpy(message->text, "out of memory");
    gl_destroy(gl);
    return NULL;
  }
  return gl;
}

void gl_destroy(struct gl_context *gl) {
  if (!gl)
    return;
  dovetail_emulator_framebuffer_destroy(gl->framebuffer);
  dovetail_binder_destroy(gl->binder);
  state_cache_destroy(gl->states);
  free(gl);
}

const char *gl_message(const struct gl_context *gl) {
  return gl->message.text;
}

/* Sets all state that makes variants. Applications mostly set the value that is already there, so this compare keeps
 * draws cheap. */
static void set(struct gl_context *gl, uint32_t *member, uint32_t value) {
  if (*member == value)
    return;
  *member = value;
  gl->variant_state_is_dirty = true;
}

/* Does not mark the state: dovetail_bind() takes the program beside the state, and compares it itself. */
void gl_use_program(struct gl_context *gl, struct gl_program *program) {
  gl->program = program;
}

void gl_vertex_attribute(struct gl_context *gl, uint32_t location, uint32_t binding, uint32_t vk_format,
                         uint32_t offset) {
  if (location >= GL_ATTRIBUTES || binding >= GL_VERTEX_BUFFERS)
    return;
  struct gl_attribute *attribute = &gl->variant_state.attributes[location];
  set(gl, &attribute->format, vk_format);
  set(gl, &attribute->binding, binding);
  set(gl, &attribute->offset, offset);
}

void gl_disable_vertex_attributes(struct gl_context *gl) {
  for (uint32_t location = 0; location < GL_ATTRIBUTES; ++location)
    set(gl, &gl->variant_state.attributes[location].format, 0);
}

void gl_color_mask(struct gl_context *gl, bool red, bool green, bool blue, bool alpha) {
  set(gl, &gl->variant_state.color_mask,
      (uint32_t)red | (uint32_t)green << 1 | (uint32_t)blue << 2 | (uint32_t)alpha << 3);
}

/* Resets the factors, which have no effect without blending. Dovetail would find the same variant anyway; the cache of
 * state objects would not.
 */
void gl_disable_blend(struct gl_context *gl) {
  set(gl, &gl->variant_state.blend, 0);
  set(gl, &gl->variant_state.src_factor, VK_BLEND_FACTOR_ONE);
  set(gl, &gl->variant_state.dst_factor, VK_BLEND_FACTOR_ZERO);
}

void gl_blend_func(struct gl_context *gl, uint32_t vk_src_factor, uint32_t vk_dst_factor) {
  set(gl, &gl->variant_state.blend, 1);
  set(gl, &gl->variant_state.src_factor, vk_src_factor);
  set(gl, &gl->variant_state.dst_factor, vk_dst_factor);
}

void gl_alpha_func(struct gl_context *gl, uint32_t vk_compare_op, float reference) {
  set(gl, &gl->variant_state.alpha_func, vk_compare_op);
  gl->alpha_reference = reference;
}

void gl_vertex_buffer(struct gl_context *gl, uint32_t binding, const void *data, size_t size, uint32_t stride) {
  if (binding >= GL_VERTEX_BUFFERS)
    return;
  gl->vertex_buffers[binding].binding = binding;
  gl->vertex_buffers[binding].data = data;
  gl->vertex_buffers[binding].data_size = size;
  set(gl, &gl->variant_state.strides[binding], stride);
}

void gl_bind_texture(struct gl_context *gl, uint32_t unit, const struct gl_texture *texture) {
  if (unit < GL_TEXTURES)
    gl->textures[unit] = texture;
}

void gl_depth_test(struct gl_context *gl, bool test, bool write) {
  gl->depth_test = test;
  gl->depth_write = write;
}

void gl_cull_back_faces(struct gl_context *gl, bool cull) {
  gl->cull_back_faces = cull;
}

size_t gl_state_objects(const struct gl_context *gl) {
  return state_cache_size(gl->states);
}
