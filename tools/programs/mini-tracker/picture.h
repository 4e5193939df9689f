/* SPDX-License-Identifier: MIT
 *
 * Pictures of RGBA, 8 bits each: to a PNG file, and compared.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

bool picture_write(const char *file, const uint8_t *rgba, uint32_t width, uint32_t height);

/* Pixels that differ; *most: by how much at most, in any channel. */
uint32_t picture_compare(const uint8_t *a, const uint8_t *b, uint32_t pixels, uint32_t *most);
