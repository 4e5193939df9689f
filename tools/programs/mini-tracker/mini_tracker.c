/* SPDX-License-Identifier: MIT
 *
 * The middle of a small GL driver with an emulated GPU: shows how a state tracker embeds Dovetail. It needs only the
 * installed libraries, nothing else of the project (Makefile; tools/run-mini-tracker does everything).
 *
 *   gl_state      the state machine: setters that compare, store and mark
 *   variant_state the state that makes variants, and the cache of state objects
 *   gl_program    shaders, uniforms, and the uniforms that are worth inlining
 *   gl_draw       a draw: state object, bind, and the emulated GPU
 *   scenario      the objects to draw
 *   this file     frames, the cost of each draw, and whether all frames are the same picture
 *
 * Each frame sets the same state again. The first draws use variants that are joined from parts. Background threads
 * make optimized variants; the next bind after their publication returns them, without any call by the driver.
 */
#define _POSIX_C_SOURCE 200809L
#include "gl_state.h"
#include "picture.h"
#include "scenario.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_FRAMES = 64, MAX_OBJECTS = 16 };

struct options {
  const char *gpu, *shaders, *store, *output;
  uint32_t policy, hot_binds, frames, size;
};

/* What all frames have shown of an object. */
struct history {
  double binds[MAX_FRAMES]; /* nanoseconds, by frame */
  uint32_t frames;
  uint64_t joined, optimized; /* instructions of a draw; 0: no draw of this kind */
};

static int usage(const char *problem) {
  fprintf(stderr,
          "mini-tracker: %s\n"
          "usage: mini-tracker [--gpu NAME] [--shaders FOLDER] [--policy off|hot|always] [--hot-binds N]\n"
          "                    [--store FOLDER] [--frames N] [--size PIXELS] [--output FOLDER]\n",
          problem);
  return 2;
}

static bool read_number(const char *text, uint32_t least, uint32_t most, uint32_t *number) {
  char *end;
  errno = 0;
  const unsigned long value = strtoul(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || value < least || value > most)
    return false;
  *number = (uint32_t)value;
  return true;
}

static const char *read_options(int count, char **arguments, struct options *options) {
  static const char *const policies[] = {"off", "hot", "always"};
  for (int i = 1; i < count; i += 2) {
    const char *name = arguments[i], *value = arguments[i + 1];
    if (i + 1 == count)
      return "an option has no value";
    if (strcmp(name, "--gpu") == 0) {
      options->gpu = value;
    } else if (strcmp(name, "--shaders") == 0) {
      options->shaders = value;
    } else if (strcmp(name, "--store") == 0) {
      options->store = value;
    } else if (strcmp(name, "--output") == 0) {
      options->output = value;
    } else if (strcmp(name, "--policy") == 0) {
      for (options->policy = 0; options->policy < 3; ++options->policy)
        if (strcmp(value, policies[options->policy]) == 0)
          break;
      if (options->policy == 3)
        return "--policy is off, hot or always";
    } else if (strcmp(name, "--hot-binds") == 0) {
      if (!read_number(value, 1, 1000000, &options->hot_binds))
        return "--hot-binds is a number from 1 on";
    } else if (strcmp(name, "--frames") == 0) {
      if (!read_number(value, 1, MAX_FRAMES, &options->frames))
        return "--frames is a number from 1 to 64";
    } else if (strcmp(name, "--size") == 0) {
      if (!read_number(value, 8, 1024, &options->size))
        return "--size is a number from 8 to 1024";
    } else {
      return "there is no such option";
    }
  }
  return NULL;
}

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void log_text(void *user, dovetail_log_level level, const char *text) {
  (void)user;
  (void)level;
  fprintf(stderr, "dovetail: warning: %s\n", text);
}

/* Called on a background thread. This driver needs no callback, because the next bind adopts the variant anyway. A
 * driver that records command buffers ahead of time would mark them here. */
static void on_publication(void *user, const dovetail_publication *publication) {
  dovetail_variant_info info = {0}, replaced = {0};
  (void)user;
  info.size = replaced.size = sizeof(info);
  if (dovetail_variant_get_info(publication->variant, &info, NULL) == DOVETAIL_OK &&
      dovetail_variant_get_info(publication->replaced, &replaced, NULL) == DOVETAIL_OK)
    printf("    published, generation %llu: a variant of %u instructions instead of %u\n",
           (unsigned long long)publication->generation, info.instruction_count, replaced.instruction_count);
}

static const char *variant_kind(const struct gl_draw_report *report) {
  return report->is_optimized ? "optimized" : report->is_monolithic ? "monolithic" : "joined";
}

/* The changes since the last draw on which variants depend. */
static const char *changes(const struct gl_draw_report *report) {
  if (report->program_changed)
    return report->state_changed ? "program, state" : "program";
  return report->state_changed ? "state" : "nothing";
}

/* Draws all objects, prints a line for each and extends their histories. */
static bool draw_frame(struct gl_context *gl, struct scenario *scenario, uint32_t frame, struct history *histories) {
  printf("frame %u\n", frame);
  if (!gl_clear(gl, 0.55f, 0.65f, 0.8f, 1))
    return false;
  for (size_t object = 0; object < scenario_object_count(); ++object) {
    struct gl_draw_report report;
    if (!scenario_draw(scenario, object, gl, &report))
      return false;
    printf("  %-10s changed: %-14s  bind %10.0f ns  %-10s %7llu instructions  %6.1f ms\n", scenario_object_name(object),
           changes(&report), report.bind_ns, variant_kind(&report), (unsigned long long)report.instructions,
           report.emulation_ms);
    struct history *history = &histories[object];
    history->binds[history->frames++] = report.bind_ns;
    if (report.is_optimized)
      history->optimized = report.instructions;
    else
      history->joined = report.instructions;
  }
  return true;
}

static int compare_numbers(const void *a, const void *b) {
  const double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static void print_table(struct history *histories) {
  printf("\n%-10s %15s %15s %15s %16s %8s\n", "object", "first bind", "later, median", "joined", "optimized", "gain");
  for (size_t object = 0; object < scenario_object_count(); ++object) {
    struct history *history = &histories[object];
    const uint32_t later = history->frames - 1;
    qsort(history->binds + 1, later, sizeof(double), compare_numbers);
    printf("%-10s %12.0f ns ", scenario_object_name(object), history->binds[0]);
    if (later)
      printf("%12.0f ns ", history->binds[1 + later / 2]);
    else
      printf("%15s ", "-");
    if (history->joined)
      printf("%15llu ", (unsigned long long)history->joined);
    else
      printf("%15s ", "-");
    if (history->optimized)
      printf("%16llu ", (unsigned long long)history->optimized);
    else
      printf("%16s ", "-");
    if (history->joined && history->optimized)
      printf("%6.1f %%\n", 100.0 * (1.0 - (double)history->optimized / (double)history->joined));
    else
      printf("%8s\n", "-");
  }
}

static void print_statistics(dovetail_device *device, const struct gl_context *gl) {
  dovetail_device_statistics statistics = {0};
  statistics.size = sizeof(statistics);
  if (dovetail_device_get_statistics(device, &statistics, NULL) != DOVETAIL_OK)
    return;
  printf(
      "\n%llu binds: %llu unchanged, %llu known, %llu variants joined, %llu optimized, %llu optimizations no better; "
      "%zu state objects\n",
      (unsigned long long)statistics.binds, (unsigned long long)statistics.unchanged_binds,
      (unsigned long long)statistics.known_binds, (unsigned long long)statistics.joined_variants,
      (unsigned long long)statistics.optimized_variants, (unsigned long long)statistics.rejected_optimizations,
      gl_state_objects(gl));
  printf("%llu parts made, %llu found", (unsigned long long)statistics.parts_made,
         (unsigned long long)statistics.parts_found);
  if (statistics.store_is_readable)
    printf("; the store has %llu entries, %llu bytes; %llu hits, %llu written",
           (unsigned long long)statistics.store_entries, (unsigned long long)statistics.store_bytes,
           (unsigned long long)statistics.store_hits, (unsigned long long)statistics.store_written);
  printf("\n");
}

static bool write_picture(const struct options *options, const char *name, const uint8_t *pixels) {
  char file[512];
  if (!options->output)
    return true;
  snprintf(file, sizeof(file), "%s/%s", options->output, name);
  if (picture_write(file, pixels, options->size, options->size))
    return true;
  fprintf(stderr, "mini-tracker: %s: cannot be written\n", file);
  return false;
}

/* Draws all frames; true if they are the same picture. */
static bool draw_frames(const struct options *options, dovetail_device *device, struct gl_context *gl,
                        struct scenario *scenario) {
  struct history histories[MAX_OBJECTS] = {{{0}, 0, 0, 0}};
  const uint32_t pixels = options->size * options->size;
  uint8_t *first = malloc((size_t)pixels * 4);
  bool good = first != NULL;
  if (!first)
    fprintf(stderr, "mini-tracker: out of memory\n");
  uint32_t different = 0;
  for (uint32_t frame = 0; good && frame < options->frames; ++frame) {
    const uint8_t *picture;
    /* Wait, so that this example always ends with optimized variants. A driver would not wait. */
    if (frame == options->frames / 2 && frame > 0)
      dovetail_device_drain(device, NULL);
    if (!draw_frame(gl, scenario, frame, histories) || !(picture = gl_read_pixels(gl))) {
      fprintf(stderr, "mini-tracker: frame %u: %s\n", frame, gl_message(gl));
      good = false;
      break;
    }
    if (frame == 0) {
      memcpy(first, picture, (size_t)pixels * 4);
      good = write_picture(options, "first.png", picture);
      continue;
    }
    uint32_t most;
    const uint32_t differing = picture_compare(first, picture, pixels, &most);
    if (differing != 0) {
      printf("frame %u differs from frame 0 in %u pixels, by up to %u\n", frame, differing, most);
      ++different;
    }
    if (frame + 1 == options->frames)
      good = write_picture(options, "last.png", picture);
  }
  free(first);
  if (!good)
    return false;
  print_table(histories);
  if (different == 0)
    printf("\nall %u frames are the same picture\n", options->frames);
  return different == 0;
}

static bool run(const struct options *options, dovetail_device *device) {
  dovetail_message message;
  struct gl_context *gl = NULL;
  bool good = false;
  const double start = now_ms();
  struct scenario *scenario = scenario_create(device, options->shaders, &message);
  if (scenario)
    printf("programs compiled in %.1f ms\n", now_ms() - start);
  if (scenario)
    gl = gl_create(device, options->size, options->size, &message);
  if (!gl) {
    fprintf(stderr, "mini-tracker: %s\n", message.text);
  } else {
    good = draw_frames(options, device, gl, scenario);
    print_statistics(device, gl);
  }
  gl_destroy(gl);
  scenario_destroy(scenario);
  return good;
}

int main(int count, char **arguments) {
  struct options options = {"gfx900", "shaders", NULL, NULL, DOVETAIL_POLICY_ALWAYS, 2, 8, 96};
  const char *problem = read_options(count, arguments, &options);
  if (problem)
    return usage(problem);

  dovetail_device_options device_options = {0};
  device_options.size = sizeof(device_options);
  device_options.gpu = options.gpu;
  device_options.policy = options.policy;
  device_options.hot_binds = options.hot_binds;
  device_options.store_path = options.store;
  device_options.log = log_text;
  device_options.on_publication = on_publication;
  dovetail_device *device;
  dovetail_message message;
  if (dovetail_device_create(&device_options, &device, &message) != DOVETAIL_OK) {
    fprintf(stderr, "mini-tracker: %s\n", message.text);
    return 1;
  }
  bool good = run(&options, device);
  if (dovetail_device_destroy(device, &message) != DOVETAIL_OK) {
    fprintf(stderr, "mini-tracker: %s\n", message.text);
    good = false;
  }
  return good ? 0 : 1;
}
