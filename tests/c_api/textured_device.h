/* SPDX-License-Identifier: MIT
 *
 * A device with a program and a binder for it. The calls go through pointers to the functions of dovetail.h, which come
 * from dlsym() or from the linker. In C99, as drivers are. */
#pragma once

#include "test_shaders.inc" /* made by the build */
#include "variants/c_api/include/dovetail.h"
#include <stdio.h>
#include <stdlib.h>

#define REQUIRE(condition)                                                                                             \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                  \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

/* For a call that is given `&message`. */
#define REQUIRE_OK(call)                                                                                               \
  do {                                                                                                                 \
    if ((call) != DOVETAIL_OK) {                                                                                       \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, message.text);                                                \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

#define FOR_EACH_FUNCTION(X)                                                                                           \
  X(dovetail_device_create)                                                                                            \
  X(dovetail_device_destroy)                                                                                           \
  X(dovetail_device_drain)                                                                                             \
  X(dovetail_shader_create)                                                                                            \
  X(dovetail_shader_destroy)                                                                                           \
  X(dovetail_program_create)                                                                                           \
  X(dovetail_program_destroy)                                                                                          \
  X(dovetail_state_create)                                                                                             \
  X(dovetail_state_create_default)                                                                                     \
  X(dovetail_state_get)                                                                                                \
  X(dovetail_binder_create)                                                                                            \
  X(dovetail_binder_destroy)                                                                                           \
  X(dovetail_bind)                                                                                                     \
  X(dovetail_variant_get_info)                                                                                         \
  X(dovetail_variant_disassemble)

#define DECLARE_FUNCTION(name) __typeof__(&name) name##_p;
struct functions {
  FOR_EACH_FUNCTION(DECLARE_FUNCTION)
};

struct textured_device {
  dovetail_device *device;
  dovetail_shader *shaders[2];
  dovetail_program *program;
  dovetail_binder *binder;
};

/* Optimizes in the background. store: the part store's folder, or NULL. */
static inline void create_textured_device(const struct functions *functions, const char *store,
                                          struct textured_device *made) {
  dovetail_message message;
  dovetail_device_options options = {
      .size = sizeof options, .gpu = "gfx900", .policy = DOVETAIL_POLICY_ALWAYS, .store_path = store};
  dovetail_shader_description vertex = {.size = sizeof vertex,
                                        .words = textured_vert,
                                        .word_count = sizeof textured_vert / sizeof(uint32_t),
                                        .stage = DOVETAIL_STAGE_VERTEX};
  dovetail_shader_description fragment = {.size = sizeof fragment,
                                          .words = textured_frag,
                                          .word_count = sizeof textured_frag / sizeof(uint32_t),
                                          .stage = DOVETAIL_STAGE_FRAGMENT};
  REQUIRE_OK(functions->dovetail_device_create_p(&options, &made->device, &message));
  REQUIRE_OK(functions->dovetail_shader_create_p(made->device, &vertex, &made->shaders[0], &message));
  REQUIRE_OK(functions->dovetail_shader_create_p(made->device, &fragment, &made->shaders[1], &message));
  REQUIRE_OK(functions->dovetail_program_create_p(made->device, made->shaders, 2, NULL, &made->program, &message));
  REQUIRE_OK(functions->dovetail_binder_create_p(made->device, &made->binder, &message));
}

static inline void destroy_textured_device(const struct functions *functions, struct textured_device *made) {
  dovetail_message message;
  functions->dovetail_binder_destroy_p(made->binder);
  functions->dovetail_program_destroy_p(made->program);
  functions->dovetail_shader_destroy_p(made->shaders[0]);
  functions->dovetail_shader_destroy_p(made->shaders[1]);
  REQUIRE_OK(functions->dovetail_device_destroy_p(made->device, &message));
}
