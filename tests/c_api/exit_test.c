/* SPDX-License-Identifier: MIT
 *
 * An application that exits without destroying anything, as applications do, while the background is busy. */
#include "test_shaders.inc"
#include <dovetail.h>
#include <stdio.h>

#define REQUIRE_OK(call)                                                                                               \
  do {                                                                                                                 \
    if ((call) != DOVETAIL_OK) {                                                                                       \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, message.text);                                                \
      return 1;                                                                                                        \
    }                                                                                                                  \
  } while (0)

int main(void) {
  dovetail_message message;
  dovetail_device_options options = {.size = sizeof options, .gpu = "gfx900", .policy = DOVETAIL_POLICY_ALWAYS};
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
  REQUIRE_OK(dovetail_device_create(&options, &device, &message));
  REQUIRE_OK(dovetail_shader_create(device, &vertex, &shaders[0], &message));
  REQUIRE_OK(dovetail_shader_create(device, &fragment, &shaders[1], &message));
  REQUIRE_OK(dovetail_program_create(device, shaders, 2, NULL, &program, &message));
  REQUIRE_OK(dovetail_binder_create(device, &binder, &message));
  for (uint32_t factor = 0; factor < 10; ++factor) {
    dovetail_state *defaults, *state;
    const dovetail_variant *variant;
    dovetail_pipeline_state description = DOVETAIL_PIPELINE_STATE_INIT;
    REQUIRE_OK(dovetail_state_create_default(device, program, &defaults, &message));
    REQUIRE_OK(dovetail_state_get(defaults, &description, &message));
    description.color_targets[0].blend_enable = 1;
    description.color_targets[0].src_color_blend_factor = factor;
    REQUIRE_OK(dovetail_state_create(device, &description, &state, &message));
    REQUIRE_OK(dovetail_bind(binder, program, state, NULL, NULL, &variant, &message));
  }
  puts("1 passed, 0 failed"); /* unless the status says otherwise */
  return 0;                   /* with nothing destroyed */
}
