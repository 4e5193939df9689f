/* SPDX-License-Identifier: MIT */
#include "picture.h"
#include <png.h>
#include <stdlib.h>
#include <string.h>

bool picture_write(const char *file, const uint8_t *rgba, uint32_t width, uint32_t height) {
  png_image image;
  memset(&image, 0, sizeof(image));
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGBA;
  return png_image_write_to_file(&image, file, 0, rgba, 0, NULL) != 0;
}

uint32_t picture_compare(const uint8_t *a, const uint8_t *b, uint32_t pixels, uint32_t *most) {
  uint32_t differing = 0;
  *most = 0;
  for (uint32_t i = 0; i < pixels; ++i) {
    uint32_t here = 0;
    for (uint32_t channel = 0; channel < 4; ++channel) {
      const uint32_t distance = (uint32_t)abs(a[i * 4 + channel] - b[i * 4 + channel]);
      here = distance > here ? distance : here;
    }
    differing += here != 0;
    *most = here > *most ? here : *most;
  }
  return differing;
}
