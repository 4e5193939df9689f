/* SPDX-License-Identifier: MIT
 *
 * An application that exits without destroying anything, as applications do, while the background is busy. */
#include "textured_device.h"

enum { STATES = 10 };

/* Static, so that a leak checker sees that they are not lost. */
static struct textured_device textured;
static dovetail_state *defaults, *states[STATES];

int main(void) {
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
  puts("1 passed, 0 failed"); /* unless the status says otherwise */
  return 0;                   /* with nothing destroyed */
}
