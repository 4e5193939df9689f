/* SPDX-License-Identifier: MIT */
#include "gl_program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The root table is one dword: the address of the descriptors of set 0. */
enum { BUFFER_DWORDS = 4, TEXTURE_DWORDS = 12, LAYOUT_NODES = 2 + GL_TEXTURES };
static const dovetail_layout_node layout[LAYOUT_NODES] = {
    {DOVETAIL_NODE_DESCRIPTOR_TABLE, 0, 0, 0, 1, 0},
    {DOVETAIL_NODE_BUFFER, 0, 0, 0, BUFFER_DWORDS, BUFFER_DWORDS},
    {DOVETAIL_NODE_COMBINED_IMAGE_SAMPLER, 0, 1, BUFFER_DWORDS, TEXTURE_DWORDS, TEXTURE_DWORDS},
    {DOVETAIL_NODE_COMBINED_IMAGE_SAMPLER, 0, 2, BUFFER_DWORDS + TEXTURE_DWORDS, TEXTURE_DWORDS, TEXTURE_DWORDS},
};

/* Reads the words of a file; free() them. */
static uint32_t *read_words(const char *name, size_t *count, dovetail_message *message) {
  uint32_t *words = NULL;
  long bytes = -1;
  FILE *file = fopen(name, "rb");
  if (file && fseek(file, 0, SEEK_END) == 0)
    bytes = ftell(file);
  if (bytes > 0 && bytes % 4 == 0 && fseek(file, 0, SEEK_SET) == 0 && (words = malloc((size_t)bytes)) != NULL &&
      fread(words, 1, (size_t)bytes, file) != (size_t)bytes) {
    free(words);
    words = NULL;
  }
  if (file)
    fclose(file);
  if (!words)
    snprintf(message->text, sizeof(message->text), "%.900s: cannot be read as SPIR-V", name);
  *count = (size_t)(bytes / 4);
  return words;
}

static bool create_shader(dovetail_device *device, const char *file, uint32_t stage, dovetail_shader **shader,
                          dovetail_message *message) {
  dovetail_shader_description description = {0};
  description.size = sizeof(description);
  description.name = file;
  description.stage = stage;
  description.compile = DOVETAIL_COMPILE_NOW;
  description.has_layout = 1;
  description.layout = layout;
  description.layout_count = LAYOUT_NODES;
  uint32_t *words = read_words(file, &description.word_count, message);
  if (!words)
    return false;
  description.words = words;
  const dovetail_status status = dovetail_shader_create(device, &description, shader, message);
  free(words);
  return status == DOVETAIL_OK;
}

bool gl_program_create(struct gl_program *program, dovetail_device *device, const char *vertex_file,
                       const char *fragment_file, dovetail_message *message) {
  memset(program, 0, sizeof(*program));
  program->device = device;
  if (!create_shader(device, vertex_file, DOVETAIL_STAGE_VERTEX, &program->shaders[0], message) ||
      !create_shader(device, fragment_file, DOVETAIL_STAGE_FRAGMENT, &program->shaders[1], message))
    return false;
  dovetail_program_options options = {0};
  options.size = sizeof(options);
  options.has_layout = 1;
  options.layout = layout;
  options.layout_count = LAYOUT_NODES;
  return dovetail_program_create(device, program->shaders, 2, &options, &program->program, message) == DOVETAIL_OK;
}

void gl_program_destroy(struct gl_program *program) {
  dovetail_uniforms_destroy(program->inlinable);
  dovetail_program_destroy(program->program);
  dovetail_shader_destroy(program->shaders[0]);
  dovetail_shader_destroy(program->shaders[1]);
  memset(program, 0, sizeof(*program));
}

void gl_uniform(struct gl_program *program, uint32_t offset, uint32_t size, const void *value) {
  if (offset > GL_UNIFORM_BYTES || size > GL_UNIFORM_BYTES - offset ||
      memcmp(program->uniforms + offset, value, size) == 0)
    return;
  memcpy(program->uniforms + offset, value, size);
  for (uint32_t i = 0; i < program->inlinable_count; ++i)
    if (program->inlinable_offsets[i] >= offset && program->inlinable_offsets[i] < offset + size)
      program->inlinable_is_stale = true;
}

void gl_add_inlinable_uniform(struct gl_program *program, uint32_t offset) {
  if (program->inlinable_count == GL_INLINABLE_UNIFORMS || offset > GL_UNIFORM_BYTES - sizeof(uint32_t))
    return;
  program->inlinable_offsets[program->inlinable_count++] = offset;
  program->inlinable_is_stale = true;
}

bool gl_program_inlinable_uniforms(struct gl_program *program, const dovetail_uniforms **inlinable,
                                   dovetail_message *message) {
  if (program->inlinable_is_stale) {
    dovetail_uniform_value values[GL_INLINABLE_UNIFORMS] = {{0}};
    for (uint32_t i = 0; i < program->inlinable_count; ++i) {
      values[i].place = DOVETAIL_UNIFORM_BUFFER;
      values[i].offset = program->inlinable_offsets[i];
      memcpy(&values[i].value, program->uniforms + values[i].offset, sizeof(values[i].value));
    }
    dovetail_uniforms_destroy(program->inlinable);
    if (dovetail_uniforms_create(program->device, values, program->inlinable_count, &program->inlinable, message) !=
        DOVETAIL_OK)
      return false;
    program->inlinable_is_stale = false;
  }
  *inlinable = program->inlinable;
  return true;
}
