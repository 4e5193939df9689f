/* SPDX-License-Identifier: MIT
 *
 * Writes RGBA pictures of 8 bits per channel to PNG files, and compares them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

bool picture_write(const char *file, const uint8_t *rgba, uint32_t width, uint32_t height);

/* Counts the pixels that differ; *most: the largest difference in any channel. */
uint32_t picture_compare(const uint8_t *a, const uint8_t *b, uint32_t pixels, uint32_t *most);
