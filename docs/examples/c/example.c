/* SPDX-License-Identifier: MIT
 *
 * The five calls of a driver: it makes a device, two shaders, a program and a state, and binds. Prints what the driver
 * then uploads and writes: sizes, registers, user SGPRs, and the code with the beginning of each part.
 *
 *   example [GPU]    any name of `dovetail gpus`; without one, gfx900
 */
#include <dovetail/dovetail.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* SPIR-V as arrays of words, which the build makes of triangle.vert and triangle.frag. */
#include "triangle_frag.h"
#include "triangle_vert.h"

/* Vulkan's numbers. A program with vulkan_core.h has their names from there. */
enum { FORMAT_R8G8B8A8_UNORM = 37, FORMAT_R32G32B32_SFLOAT = 106 };

static dovetail_message message;

/* A driver returns the error to the application instead, after destroying what it made. */
static void check(dovetail_status status) {
  if (status == DOVETAIL_OK)
    return;
  fprintf(stderr, "%s\n", message.text);
  exit(1);
}

static dovetail_shader *create_shader(dovetail_device *device, dovetail_shader_stage stage, const char *name,
                                      const uint32_t *words, size_t word_count) {
  dovetail_shader_description description = {.size = sizeof description, .stage = stage, .name = name};
  dovetail_shader *shader;
  description.words = words;
  description.word_count = word_count;
  check(dovetail_shader_create(device, &description, &shader, &message));
  return shader;
}

/* A position and a colour for each vertex, one behind the other in one buffer; one colour target. */
static dovetail_state *create_state(dovetail_device *device) {
  const dovetail_vertex_binding binding = {.binding = 0, .stride = 16, .divisor = 1};
  const dovetail_vertex_attribute attributes[2] = {
      {.location = 0, .format = FORMAT_R32G32B32_SFLOAT, .offset = 0},
      {.location = 1, .format = FORMAT_R8G8B8A8_UNORM, .offset = 12},
  };
  dovetail_pipeline_state fields = DOVETAIL_PIPELINE_STATE_INIT;
  dovetail_state *state;
  fields.vertex_bindings = &binding;
  fields.vertex_binding_count = 1;
  fields.vertex_attributes = attributes;
  fields.vertex_attribute_count = 2;
  fields.color_targets[0].format = FORMAT_R8G8B8A8_UNORM;
  check(dovetail_state_create(device, &fields, &state, &message));
  return state;
}

static void print_variant(const dovetail_variant *variant) {
  dovetail_variant_info info = {.size = sizeof info};
  char *text;
  size_t text_size = 0;
  check(dovetail_variant_get_info(variant, &info, &message));
  printf("%zu bytes of code, to be placed at a multiple of %" PRIu32 "\n", info.code_size, info.code_alignment);

  for (uint32_t i = 0; i < info.stage_count; ++i) {
    dovetail_stage_info stage = {.size = sizeof stage};
    check(dovetail_variant_get_stage(variant, i, &stage, &message));
    printf("program at 0x%03" PRIx32 ": %" PRIu32 " bytes, %" PRIu32 " SGPRs, %" PRIu32 " VGPRs\n", stage.entry,
           stage.text_size, stage.sgprs, stage.vgprs);
    /* A dword of the root table, or one of dovetail_user_data. */
    for (uint32_t j = 0; j < stage.user_sgpr_count; ++j)
      if (stage.user_data[j] != DOVETAIL_USER_DATA_UNMAPPED)
        printf("  s%" PRIu32 " = user data 0x%" PRIx32 "\n", j, stage.user_data[j]);
  }

  /* The registers of user SGPRs have the numbers above; the driver writes its values in their place. */
  for (size_t i = 0; i < info.register_count; ++i)
    printf("register 0x%04" PRIx32 " = 0x%08" PRIx32 "\n", info.registers[i].address, info.registers[i].value);

  check(dovetail_variant_disassemble(variant, NULL, &text_size, &message));
  text = malloc(text_size);
  if (!text)
    exit(1);
  check(dovetail_variant_disassemble(variant, text, &text_size, &message));
  fputs(text, stdout);
  free(text);
}

int main(int argc, char **argv) {
  dovetail_device_options options = {.size = sizeof options, .gpu = argc > 1 ? argv[1] : "gfx900"};
  dovetail_device *device;
  dovetail_shader *shaders[2];
  dovetail_program *program;
  dovetail_state *state;
  dovetail_binder *binder;
  const dovetail_variant *variant;

  /* Once for each GPU. */
  check(dovetail_device_create(&options, &device, &message));

  /* When the application makes shaders, and links them. */
  shaders[0] = create_shader(device, DOVETAIL_STAGE_VERTEX, "triangle.vert", triangle_vert,
                             sizeof triangle_vert / sizeof *triangle_vert);
  shaders[1] = create_shader(device, DOVETAIL_STAGE_FRAGMENT, "triangle.frag", triangle_frag,
                             sizeof triangle_frag / sizeof *triangle_frag);
  check(dovetail_program_create(device, shaders, 2, NULL, &program, &message));
  state = create_state(device);

  /* One binder for each context; a bind for each draw. */
  check(dovetail_binder_create(device, &binder, &message));
  check(dovetail_bind(binder, program, state, NULL, NULL, &variant, &message));
  print_variant(variant);

  dovetail_binder_destroy(binder);
  dovetail_state_destroy(state);
  dovetail_program_destroy(program);
  dovetail_shader_destroy(shaders[0]);
  dovetail_shader_destroy(shaders[1]);
  check(dovetail_device_destroy(device, &message));
  return 0;
}
