/* SPDX-License-Identifier: MIT
 *
 * A driver with a cache of its own: a file in a folder for each part. Draws nothing, but prints the code that a bind
 * gives, and the numbers of parts that were put, found and compiled for it.
 */
#include <dovetail/dovetail.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct driver {
  const char *folder;
  atomic_uint put, found, compiled;
} driver;

static void path_of(const driver *self, const uint8_t *key, char *path, size_t size) {
  size_t length = (size_t)snprintf(path, size, "%s/", self->folder);
  for (unsigned i = 0; i < DOVETAIL_PART_CACHE_KEY_SIZE; ++i)
    length += (size_t)snprintf(path + length, size - length, "%02x", key[i]);
}

static size_t get(void *user, const uint8_t *key, void *buffer, size_t buffer_size) {
  driver *self = user;
  char path[512];
  path_of(self, key, path, sizeof path);
  FILE *file = fopen(path, "rb");
  if (!file)
    return 0;
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  if (size <= buffer_size) {
    rewind(file);
    size = fread(buffer, 1, size, file);
    atomic_fetch_add(&self->found, 1);
  }
  fclose(file);
  return size;
}

static void put(void *user, const uint8_t *key, const void *data, size_t size) {
  driver *self = user;
  char path[512];
  path_of(self, key, path, sizeof path);
  FILE *file = fopen(path, "wb");
  if (!file)
    return;
  fwrite(data, 1, size, file);
  fclose(file);
  atomic_fetch_add(&self->put, 1);
}

static void note_compile(void *user, const dovetail_compile_event *event) {
  driver *self = user;
  (void)event;
  atomic_fetch_add(&self->compiled, 1);
}

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

/* driver_cache GPU VERTEX.spv FRAGMENT.spv FOLDER */
int main(int argc, char **argv) {
  if (argc != 5)
    return 2;
  driver self = {.folder = argv[4]};
  dovetail_device_options options = {.size = sizeof options, .gpu = argv[1]};
  options.part_cache.user = options.compile_user = &self;
  options.part_cache.get = get;
  options.part_cache.put = put;
  options.on_compile = note_compile;
  options.first_tier = DOVETAIL_TIER_LLVM; /* all parts are there when the program ends */
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
    for (size_t i = 0; i < info.code_size; ++i)
      printf("%02x", ((const uint8_t *)info.code)[i]);
    printf("\n%u put, %u found, %u compiled\n", self.put, self.found, self.compiled);
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
