/* SPDX-License-Identifier: MIT
 *
 * No struct of dovetail.h has padding: the next version of a struct may begin to use what is padding in this one, and
 * callers of this one would have anything there. The build compiles this file with -Werror=padded. */
#include "variants/c_api/include/dovetail.h"

typedef int no_empty_translation_unit;
