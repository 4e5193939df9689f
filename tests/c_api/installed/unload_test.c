/* SPDX-License-Identifier: MIT
 *
 * A process that loads libdovetail, builds variants (an optimized one in the background too) and unloads it again and
 * again. Afterwards the library is not mapped, and memory, mappings, threads and files are the same as after the
 * first rounds.
 *
 * Every second round has a part store.
 *
 *   GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1 unload_test LIBRARY ROUNDS STORE
 *
 * With one arena and no cache per thread, the memory that malloc() has given out is the same after each round, to a few
 * bytes. So one small object that is lost in each round (of all, or of those with a store) shows in 90 rounds. */
#define _GNU_SOURCE
#include "textured_device.h"
#include <dirent.h>
#include <dlfcn.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* Bytes. MAX_HEAP_GROWTH is for the memory that malloc() has given out, where an object takes at least 32;
 * MAX_RESIDENT_GROWTH is for resident memory, which malloc() keeps by pages. */
enum { WARM_UP_ROUNDS = 10, MAX_HEAP_GROWTH = 1 << 10, MAX_RESIDENT_GROWTH = 256 << 10 };

/* ISO C has no conversion from an object pointer to a function pointer, but POSIX promises that this one works. */
static void find(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  REQUIRE(symbol);
  memcpy(function, &symbol, sizeof symbol);
}

static void build(const struct functions *functions, const char *store) {
  dovetail_message message;
  struct textured_device textured;
  const dovetail_variant *variant;
  create_textured_device(functions, store, &textured);
  REQUIRE_OK(functions->dovetail_bind_p(textured.binder, textured.program, NULL, NULL, NULL, &variant, &message));
  dovetail_variant_info info = {.size = sizeof info};
  REQUIRE_OK(functions->dovetail_variant_get_info_p(variant, &info, &message));
  /* With the store, the first bind may find the optimized variant. */
  REQUIRE(info.is_optimized || info.part_count == 4);
  size_t size = 0;
  REQUIRE_OK(functions->dovetail_variant_disassemble_p(variant, NULL, &size, &message));
  REQUIRE_OK(functions->dovetail_device_drain_p(textured.device, &message));
  destroy_textured_device(functions, &textured);
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

/* Mappings whose lines have `text`. */
static int mappings_of(const char *text) {
  char line[1024];
  int count = 0;
  FILE *file = fopen("/proc/self/maps", "r");
  REQUIRE(file);
  while (fgets(line, sizeof line, file))
    count += strstr(line, text) != NULL;
  fclose(file);
  return count;
}

struct usage {
  long heap, resident; /* bytes */
  int mappings, threads, files;
};

static struct usage measure(void) {
  struct usage usage;
  long pages = 0, resident = 0;
  malloc_trim(0);
  FILE *file = fopen("/proc/self/statm", "r");
  REQUIRE(file && fscanf(file, "%ld %ld", &pages, &resident) == 2);
  fclose(file);
  usage.heap = (long)mallinfo2().uordblks;
  usage.resident = resident * sysconf(_SC_PAGESIZE);
  usage.mappings = mappings_of("");
  usage.threads = entries_of("/proc/self/task");
  usage.files = entries_of("/proc/self/fd");
  return usage;
}

int main(int argc, char **argv) {
  REQUIRE(argc == 4);
  const int rounds = atoi(argv[2]);
  const char *tunables = getenv("GLIBC_TUNABLES");
  REQUIRE(rounds <= WARM_UP_ROUNDS || (tunables && strstr(tunables, "glibc.malloc.tcache_count=0")));
  struct usage warm = measure();
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
#define FIND_FUNCTION(name) find(library, #name, &functions.name##_p);
    FOR_EACH_FUNCTION(FIND_FUNCTION)
    build(&functions, round % 2 ? argv[3] : NULL);
    REQUIRE(mappings_of("libdovetail.so") > 0);
    REQUIRE(dlclose(library) == 0);
    REQUIRE(mappings_of("libdovetail.so") == 0);
    if (round == WARM_UP_ROUNDS - 1)
      warm = measure();
  }

  const struct usage now = measure();
  printf("%d rounds, libLLVM %s mapped; since round %d: heap %+ld bytes, resident %+ld KiB, %+d mappings\n", rounds,
         mappings_of("libLLVM") > 0 ? "is still" : "is not", WARM_UP_ROUNDS, now.heap - warm.heap,
         (now.resident - warm.resident) / 1024, now.mappings - warm.mappings);
  if (rounds > WARM_UP_ROUNDS) {
    REQUIRE(now.heap - warm.heap < MAX_HEAP_GROWTH);
    REQUIRE(now.resident - warm.resident < MAX_RESIDENT_GROWTH);
    REQUIRE(now.mappings <= warm.mappings);
    REQUIRE(now.threads == warm.threads);
    REQUIRE(now.files == warm.files);
  }
  for (int number = 1; number < 65; ++number)
    if (sigaction(number, NULL, &after) == 0)
      REQUIRE(after.sa_handler == before[number].sa_handler);
  puts("1 passed, 0 failed");
  return 0;
}
