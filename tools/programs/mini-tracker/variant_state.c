/* SPDX-License-Identifier: MIT */
#include "variant_state.h"
#include "vulkan_values.h"
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 64, WORDS = sizeof(struct gl_variant_state) / sizeof(uint32_t) };

struct entry {
  struct gl_variant_state key;
  dovetail_state *state;
  struct entry *next;
};

struct state_cache {
  dovetail_device *device;
  struct entry *buckets[BUCKETS];
  size_t size;
};

struct state_cache *state_cache_create(dovetail_device *device) {
  struct state_cache *cache = calloc(1, sizeof(*cache));
  if (cache)
    cache->device = device;
  return cache;
}

void state_cache_destroy(struct state_cache *cache) {
  if (!cache)
    return;
  for (size_t i = 0; i < BUCKETS; ++i) {
    for (struct entry *entry = cache->buckets[i]; entry;) {
      struct entry *next = entry->next;
      dovetail_state_destroy(entry->state);
      free(entry);
      entry = next;
    }
  }
  free(cache);
}

/* FNV-1a, a word at a time. */
static uint32_t hash(const struct gl_variant_state *key) {
  uint32_t words[WORDS], result = 2166136261u;
  memcpy(words, key, sizeof(*key));
  for (size_t i = 0; i < WORDS; ++i)
    result = (result ^ words[i]) * 16777619u;
  return result ^ result >> 16;
}

static dovetail_status make(dovetail_device *device, const struct gl_variant_state *key, dovetail_state **state,
                            dovetail_message *message) {
  dovetail_vertex_binding bindings[GL_VERTEX_BUFFERS];
  dovetail_vertex_attribute attributes[GL_ATTRIBUTES];
  dovetail_pipeline_state description = DOVETAIL_PIPELINE_STATE_INIT;
  uint32_t used = 0;

  description.vertex_attributes = attributes;
  for (uint32_t location = 0; location < GL_ATTRIBUTES; ++location) {
    const struct gl_attribute *attribute = &key->attributes[location];
    if (attribute->format == 0)
      continue;
    dovetail_vertex_attribute *described = &attributes[description.vertex_attribute_count++];
    described->location = location;
    described->binding = attribute->binding;
    described->format = attribute->format;
    described->offset = attribute->offset;
    used |= 1u << attribute->binding;
  }
  description.vertex_bindings = bindings;
  for (uint32_t binding = 0; binding < GL_VERTEX_BUFFERS; ++binding) {
    if ((used & 1u << binding) == 0)
      continue;
    dovetail_vertex_binding *described = &bindings[description.vertex_binding_count++];
    described->binding = binding;
    described->stride = key->strides[binding];
    described->input_rate = VK_VERTEX_INPUT_RATE_VERTEX;
    described->divisor = 1;
  }
  description.topology = key->topology;
  description.depth_stencil_format = key->depth_format;
  description.alpha_test_func = key->alpha_func;

  dovetail_color_target *target = &description.color_targets[0];
  target->format = key->color_format;
  target->write_mask = key->color_mask;
  target->blend_enable = key->blend;
  target->src_color_blend_factor = target->src_alpha_blend_factor = key->src_factor;
  target->dst_color_blend_factor = target->dst_alpha_blend_factor = key->dst_factor;
  return dovetail_state_create(device, &description, state, message);
}

const dovetail_state *state_cache_find(struct state_cache *cache, const struct gl_variant_state *key,
                                       dovetail_message *message) {
  struct entry **bucket = &cache->buckets[hash(key) % BUCKETS];
  for (struct entry *entry = *bucket; entry; entry = entry->next)
    if (memcmp(&entry->key, key, sizeof(*key)) == 0)
      return entry->state;

  struct entry *entry = calloc(1, sizeof(*entry));
  if (!entry) {
    strcpy(message->text, "out of memory");
    return NULL;
  }
  entry->key = *key;
  if (make(cache->device, key, &entry->state, message) != DOVETAIL_OK) {
    free(entry);
    return NULL;
  }
  entry->next = *bucket;
  *bucket = entry;
  ++cache->size;
  return entry->state;
}

size_t state_cache_size(const struct state_cache *cache) {
  return cache->size;
}
