/* SPDX-License-Identifier: MIT
 *
 * Draws with a pipeline ELF that somebody else has made, and prints the pixels' colours, each once.
 *
 *   draw_elf GPU PIPELINE.elf VERTEX.spv FRAGMENT.spv     shaders with the same inputs, outputs and resources
 */
#include <dovetail/dovetail_emulator.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT_R8G8B8A8_UNORM 37

static void *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  void *bytes;
  if (!file)
    exit(2);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  bytes = malloc(*size);
  if (!bytes || fread(bytes, 1, *size, file) != *size)
    exit(2);
  fclose(file);
  return bytes;
}

static dovetail_message message;

static void check(dovetail_status status) {
  if (status == DOVETAIL_OK)
    return;
  fprintf(stderr, "%s\n", message.text);
  exit(1);
}

int main(int argc, char **argv) {
  enum { Size = 8 };
  dovetail_device_options options = {.size = sizeof options};
  dovetail_device *device = NULL;
  dovetail_shader_description descriptions[2] = {{.size = sizeof(dovetail_shader_description)},
                                                 {.size = sizeof(dovetail_shader_description)}};
  dovetail_shader *shaders[2] = {NULL, NULL};
  dovetail_program *program = NULL;
  dovetail_state *state = NULL;
  dovetail_pipeline_state fields = DOVETAIL_PIPELINE_STATE_INIT;
  const dovetail_variant *variant = NULL;
  dovetail_emulator_framebuffer_description targets = {.size = sizeof targets, .width = Size, .height = Size};
  dovetail_emulator_framebuffer *framebuffer = NULL;
  dovetail_emulator_draw_description draw = DOVETAIL_EMULATOR_DRAW_INIT;
  dovetail_emulator_picture picture = {.size = sizeof picture};
  size_t elf_size, i;
  void *elf;
  if (argc != 5)
    return 2;
  options.gpu = argv[1];
  elf = read_file(argv[2], &elf_size);
  check(dovetail_variant_read_elf(elf, elf_size, &variant, &message));
  free(elf);

  check(dovetail_device_create(&options, &device, &message));
  for (i = 0; i < 2; ++i) {
    size_t bytes;
    void *words = read_file(argv[3 + i], &bytes);
    descriptions[i].stage = i == 0 ? DOVETAIL_STAGE_VERTEX : DOVETAIL_STAGE_FRAGMENT;
    descriptions[i].words = words;
    descriptions[i].word_count = bytes / sizeof(uint32_t);
    check(dovetail_shader_create(device, &descriptions[i], &shaders[i], &message));
    free(words);
  }
  check(dovetail_program_create(device, shaders, 2, NULL, &program, &message));
  fields.color_targets[0].format = FORMAT_R8G8B8A8_UNORM;
  check(dovetail_state_create(device, &fields, &state, &message));

  targets.color_formats[0] = FORMAT_R8G8B8A8_UNORM;
  targets.depth_stencil_format = fields.depth_stencil_format;
  check(dovetail_emulator_framebuffer_create(&targets, &framebuffer, &message));
  draw.variant = variant;
  draw.program = program;
  draw.state = state;
  check(dovetail_emulator_draw(framebuffer, &draw, NULL, &message));
  check(dovetail_emulator_framebuffer_read(framebuffer, 0, &picture, &message));
  for (i = 0; i < picture.texel_bytes; i += 4)
    if (i == 0 || memcmp(picture.texels + i, picture.texels + i - 4, 4) != 0)
      printf("%u %u %u %u\n", picture.texels[i], picture.texels[i + 1], picture.texels[i + 2], picture.texels[i + 3]);

  dovetail_emulator_framebuffer_destroy(framebuffer);
  dovetail_state_destroy(state);
  dovetail_program_destroy(program);
  dovetail_shader_destroy(shaders[0]);
  dovetail_shader_destroy(shaders[1]);
  dovetail_variant_release(variant);
  return dovetail_device_destroy(device, NULL) != DOVETAIL_OK;
}
