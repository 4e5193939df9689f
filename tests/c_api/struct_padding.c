/* SPDX-License-Identifier: MIT
 *
 * No struct of dovetail.h has padding: the next version of a struct may use this version's padding for a member, and
 * today's callers would leave any bytes there. The build compiles this file with -Werror=padded. */
#include "variants/c_api/include/dovetail.h"

typedef int no_empty_translation_unit;
