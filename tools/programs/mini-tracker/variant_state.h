/* SPDX-License-Identifier: MIT
 *
 * The part of GL's state on which code depends, and the cache of Dovetail's state objects for it.
 *
 * GL sets state piece by piece; Dovetail wants a state object whose hash was computed once. So one flat record holds
 * everything on which a variant can depend. When a draw finds that the record was touched, it looks it up in a table; a
 * new record gets a new state object. Gallium's constant state cache does the same.
 *
 * State that is NOT here matters as much: depth test, culling, viewport, the alpha test's reference, uniforms and
 * textures go into registers, user data and descriptors. Changing them makes no variant, and does not even need a
 * look-up.
 */
#pragma once

#include <dovetail/dovetail.h>
#include <stdbool.h>

enum { GL_ATTRIBUTES = 8, GL_VERTEX_BUFFERS = 2 };

struct gl_attribute {
  uint32_t format; /* VkFormat; 0: the attribute is off */
  uint32_t binding;
  uint32_t offset;
};

/* All members have 32 bits, so there is no padding, and words can be hashed and compared. */
struct gl_variant_state {
  struct gl_attribute attributes[GL_ATTRIBUTES]; /* by location */
  uint32_t strides[GL_VERTEX_BUFFERS];
  uint32_t topology;     /* VkPrimitiveTopology */
  uint32_t color_format; /* VkFormat, like the next one */
  uint32_t depth_format;
  uint32_t color_mask;
  uint32_t blend;      /* 0 or 1 */
  uint32_t src_factor; /* VkBlendFactor, like the next one */
  uint32_t dst_factor;
  uint32_t alpha_func; /* VkCompareOp; ALWAYS: the alpha test is off */
};

struct state_cache;

struct state_cache *state_cache_create(dovetail_device *device);
void state_cache_destroy(struct state_cache *cache);

/* The state object for a record; the cache owns it. NULL if it cannot be made; the message says why. */
const dovetail_state *state_cache_find(struct state_cache *cache, const struct gl_variant_state *key,
                                       dovetail_message *message);
/* The number of state objects. */
size_t state_cache_size(const struct state_cache *cache);
