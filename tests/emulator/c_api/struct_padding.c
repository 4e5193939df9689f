/* SPDX-License-Identifier: MIT
 *
 * Compiled with -Wpadded -Werror: no struct may have padding in which a later version could put a member, because an
 * older caller's padding holds anything (variants/c_api/convert/sized_struct.h). */
#include "tools/proof/emulator/c_api/dovetail_emulator.h"

static const dovetail_emulator_draw_description draw = DOVETAIL_EMULATOR_DRAW_INIT;

size_t dovetail_emulator_draw_size(void);
size_t dovetail_emulator_draw_size(void) {
  return draw.size;
}
