/* SPDX-License-Identifier: MIT
 *
 * A process that loads libdovetail, builds variants (an optimized one in the background too) and unloads it again and
 * again. Afterwards the library is not mapped, and memory, threads and files have not grown since the first rounds.
 *
 * Every second round has a part store.
 *
 *   unload_test LIBRARY ROUNDS STORE */
#define _GNU_SOURCE
#include "test_shaders.inc"
#include <dirent.h>
#include <dlfcn.h>
#include <dovetail.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes: of what is resident, which comes and goes by pages, and of what malloc() has given out. */
enum { WARM_UP_ROUNDS = 10, MAX_GROWTH = 8 << 20, MAX_HEAP_GROWTH = 64 << 10 };

#define REQUIRE(condition)                                                                                             \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                  \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

#define REQUIRE_OK(call)                                                                                               \
  do {                                                                                                                 \
    if ((call) != DOVETAIL_OK) {                                                                                       \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, message.text);                                                \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

/* The functions that a round needs, as dlsym() finds them. */
#define FOR_EACH_FUNCTION(X)                                                                                           \
  X(dovetail_device_create)                                                                                            \
  X(dovetail_device_destroy)                                                                                           \
  X(dovetail_device_drain)                                                                                             \
  X(dovetail_shader_create)                                                                                            \
  X(dovetail_shader_destroy)                                                                                           \
  X(dovetail_program_create)                                                                                           \
  X(dovetail_program_destroy)                                                                                          \
  X(dovetail_binder_create)                                                                                            \
  X(dovetail_binder_destroy)                                                                                           \
  X(dovetail_bind)                                                                                                     \
  X(dovetail_variant_get_info)                                                                                         \
  X(dovetail_variant_disassemble)

/* ISO C has no conversion from an object pointer to a function pointer, but POSIX promises that this one works. */
static void find(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  REQUIRE(symbol);
  memcpy(function, &symbol, sizeof symbol);
}

#define DECLARE(name) __typeof__(&name) name##_p;
#define FIND(name) find(library, #name, &functions.name##_p);
struct functions {
  FOR_EACH_FUNCTION(DECLARE)
};

static void build(const struct functions *functions, const char *store) {
  dovetail_message message;
  dovetail_device_options options = {.size = sizeof options, .gpu = "gfx900", .policy = DOVETAIL_POLICY_ALWAYS};
  options.store_path = store;
  dovetail_shader_description vertex = {.size = sizeof vertex,
                                        .words = textured_vert,
                                        .word_count = sizeof textured_vert / sizeof(uint32_t),
                                        .stage = DOVETAIL_STAGE_VERTEX};
  dovetail_shader_description fragment = {.size = sizeof fragment,
                                          .words = textured_frag,
                                          .word_count = sizeof textured_frag / sizeof(uint32_t),
                                          .stage = DOVETAIL_STAGE_FRAGMENT};
  dovetail_device *device;
  dovetail_shader *shaders[2];
  dovetail_program *program;
  dovetail_binder *binder;
  const dovetail_variant *variant;
  REQUIRE_OK(functions->dovetail_device_create_p(&options, &device, &message));
  REQUIRE_OK(functions->dovetail_shader_create_p(device, &vertex, &shaders[0], &message));
  REQUIRE_OK(functions->dovetail_shader_create_p(device, &fragment, &shaders[1], &message));
  REQUIRE_OK(functions->dovetail_program_create_p(device, shaders, 2, NULL, &program, &message));
  REQUIRE_OK(functions->dovetail_binder_create_p(device, &binder, &message));
  REQUIRE_OK(functions->dovetail_bind_p(binder, program, NULL, NULL, NULL, &variant, &message));
  dovetail_variant_info info = {.size = sizeof info};
  REQUIRE_OK(functions->dovetail_variant_get_info_p(variant, &info, &message));
  /* With the store, the optimized one may be there already. */
  REQUIRE(info.is_optimized || info.part_count == 4);
  size_t size = 0;
  REQUIRE_OK(functions->dovetail_variant_disassemble_p(variant, NULL, &size, &message));
  REQUIRE_OK(functions->dovetail_device_drain_p(device, &message));
  functions->dovetail_binder_destroy_p(binder);
  functions->dovetail_program_destroy_p(program);
  functions->dovetail_shader_destroy_p(shaders[0]);
  functions->dovetail_shader_destroy_p(shaders[1]);
  REQUIRE_OK(functions->dovetail_device_destroy_p(device, &message));
}

static long resident_bytes(void) {
  long pages = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  REQUIRE(file && fscanf(file, "%ld %ld", &pages, &resident) == 2);
  fclose(file);
  return resident * sysconf(_SC_PAGESIZE);
}

static long heap_bytes(void) {
  return (long)mallinfo2().uordblks;
}

static int entries_of(const char *folder) {
  int count = 0;
  DIR *directory = opendir(folder);
  REQUIRE(directory);
  while (readdir(directory))
    ++count;
  closedir(directory);
  return count;
}

static bool is_mapped(const char *name) {
  char line[1024];
  bool found = false;
  FILE *file = fopen("/proc/self/maps", "r");
  REQUIRE(file);
  while (fgets(line, sizeof line, file))
    found |= strstr(line, name) != NULL;
  fclose(file);
  return found;
}

int main(int argc, char **argv) {
  REQUIRE(argc == 4);
  const int rounds = atoi(argv[2]);
  long warm_bytes = 0, warm_heap = 0, warm_threads = 0, warm_files = 0;
  struct sigaction before[65], after;
  memset(before, 0, sizeof before);
  for (int number = 1; number < 65; ++number)
    sigaction(number, NULL, &before[number]);

  for (int round = 0; round < rounds; ++round) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library)
      fprintf(stderr, "%s\n", dlerror());
    REQUIRE(library);
    struct functions functions;
    FOR_EACH_FUNCTION(FIND)
    build(&functions, round % 2 ? argv[3] : NULL);
    REQUIRE(is_mapped("libdovetail.so"));
    REQUIRE(dlclose(library) == 0);
    REQUIRE(!is_mapped("libdovetail.so"));
    if (round == WARM_UP_ROUNDS - 1) {
      warm_bytes = resident_bytes();
      warm_heap = heap_bytes();
      warm_threads = entries_of("/proc/self/task");
      warm_files = entries_of("/proc/self/fd");
    }
  }

  const long bytes = resident_bytes();
  printf(
      "%d rounds: %ld KiB resident, %ld KiB more than after %d; heap %ld bytes more; %d threads; libLLVM %s mapped\n",
      rounds, bytes / 1024, (bytes - warm_bytes) / 1024, WARM_UP_ROUNDS, heap_bytes() - warm_heap,
      entries_of("/proc/self/task") - 2, is_mapped("libLLVM") ? "is still" : "is not");
  if (rounds > WARM_UP_ROUNDS) {
    REQUIRE(bytes - warm_bytes < MAX_GROWTH);
    REQUIRE(heap_bytes() - warm_heap < MAX_HEAP_GROWTH);
    REQUIRE(entries_of("/proc/self/task") == warm_threads);
    REQUIRE(entries_of("/proc/self/fd") == warm_files);
  }
  for (int number = 1; number < 65; ++number)
    if (sigaction(number, NULL, &after) == 0)
      REQUIRE(after.sa_handler == before[number].sa_handler);
  puts("1 passed, 0 failed");
  return 0;
}
