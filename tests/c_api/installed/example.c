/* SPDX-License-Identifier: MIT */
#include <dovetail/dovetail.h>
#include <stdio.h>
#include <stdlib.h>

/* A file of SPIR-V words; ends the program if there is none. */
static uint32_t *read_words(const char *path, size_t *count) {
  FILE *file = fopen(path, "rb");
  uint32_t *words = malloc(1 << 20);
  if (!file || !words) {
    perror(path);
    exit(1);
  }
  *count = fread(words, sizeof *words, (1 << 20) / sizeof *words, file);
  fclose(file);
  return words;
}

/* example GPU VERTEX.spv FRAGMENT.spv */
int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  dovetail_device_options options = {.size = sizeof options, .gpu = argv[1]};
  dovetail_shader_description vertex = {.size = sizeof vertex, .stage = DOVETAIL_STAGE_VERTEX};
  dovetail_shader_description fragment = {.size = sizeof fragment, .stage = DOVETAIL_STAGE_FRAGMENT};
  vertex.words = read_words(argv[2], &vertex.word_count);
  fragment.words = read_words(argv[3], &fragment.word_count);

  dovetail_device *device = NULL;
  dovetail_shader *shaders[2] = {NULL, NULL};
  dovetail_program *program = NULL;
  dovetail_binder *binder = NULL;
  const dovetail_variant *variant = NULL;
  dovetail_message message;
  int failed = dovetail_device_create(&options, &device, &message) ||
               dovetail_shader_create(device, &vertex, &shaders[0], &message) ||
               dovetail_shader_create(device, &fragment, &shaders[1], &message) ||
               dovetail_program_create(device, shaders, 2, NULL, &program, &message) ||
               dovetail_binder_create(device, &binder, &message) ||
               dovetail_bind(binder, program, NULL, NULL, NULL, &variant, &message);
  if (failed) {
    fprintf(stderr, "%s\n", message.text);
  } else {
    dovetail_variant_info info = {.size = sizeof info};
    dovetail_variant_get_info(variant, &info, NULL);
    printf("%zu bytes of code, to be placed at a multiple of %u\n", info.code_size, info.code_alignment);
    for (size_t i = 0; i < info.register_count; ++i)
      printf("register 0x%04x = 0x%08x\n", info.registers[i].address, info.registers[i].value);
  }

  dovetail_binder_destroy(binder);
  dovetail_program_destroy(program);
  dovetail_shader_destroy(shaders[0]);
  dovetail_shader_destroy(shaders[1]);
  dovetail_device_destroy(device, NULL);
  free((void *)vertex.words);
  free((void *)fragment.words);
  return failed;
}
