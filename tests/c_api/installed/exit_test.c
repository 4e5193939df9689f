/* SPDX-License-Identifier: MIT
 *
 * An application that exits without destroying anything, as applications do, while the background is busy: with
 * optimised variants, or (argument "early") with the first code that the process compiles at all. */
#include "textured_device.h"
#include <string.h>

enum { STATES = 10 };

/* Static, so that a leak checker sees that they are not lost. */
static struct textured_device textured;
static dovetail_state *defaults, *states[STATES];

static void exit_early(void) {
  dovetail_message message;
  const dovetail_device_options options = {.size = sizeof options, .gpu = "gfx900"};
  const dovetail_shader_description description = {.size = sizeof description,
                                                   .words = textured_frag,
                                                   .word_count = sizeof textured_frag / sizeof(uint32_t),
                                                   .stage = DOVETAIL_STAGE_FRAGMENT,
                                                   .compile = DOVETAIL_COMPILE_IN_BACKGROUND};
  REQUIRE_OK(dovetail_device_create(&options, &textured.device, &message));
  REQUIRE_OK(dovetail_shader_create(textured.device, &description, &textured.shaders[0], &message));
}

static void exit_while_optimizing(void) {
  dovetail_message message;
  const struct functions functions = {
#define LINKED_FUNCTION(name) .name##_p = name,
      FOR_EACH_FUNCTION(LINKED_FUNCTION)};
  create_textured_device(&functions, NULL, &textured);
  dovetail_pipeline_state description = DOVETAIL_PIPELINE_STATE_INIT;
  REQUIRE_OK(dovetail_state_create_default(textured.device, textured.program, &defaults, &message));
  REQUIRE_OK(dovetail_state_get(defaults, &description, &message));
  description.color_targets[0].blend_enable = 1;
  for (uint32_t factor = 0; factor < STATES; ++factor) {
    const dovetail_variant *variant;
    description.color_targets[0].src_color_blend_factor = factor;
    REQUIRE_OK(dovetail_state_create(textured.device, &description, &states[factor], &message));
    REQUIRE_OK(dovetail_bind(textured.binder, textured.program, states[factor], NULL, NULL, &variant, &message));
  }
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "early") == 0)
    exit_early();
  else
    exit_while_optimizing();
  puts("1 passed, 0 failed"); /* unless the status says otherwise */
  return 0;                   /* with nothing destroyed */
}
