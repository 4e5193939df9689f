/* SPDX-License-Identifier: MIT
 *
 * The objects that the example draws. They differ in shaders, vertex formats, blending, alpha test and textures. Each
 * sets all of its state before it is drawn, as applications do.
 */
#pragma once

#include <dovetail/dovetail.h>
#include <stdbool.h>
#include <stddef.h>

struct gl_context;
struct gl_draw_report;
struct scenario;

/* shader_folder: of the .spv files. Compiles all programs; NULL on failure. */
struct scenario *scenario_create(dovetail_device *device, const char *shader_folder, dovetail_message *message);
void scenario_destroy(struct scenario *scenario);

size_t scenario_object_count(void);
const char *scenario_object_name(size_t object);
/* False: see gl_message(). */
bool scenario_draw(struct scenario *scenario, size_t object, struct gl_context *gl, struct gl_draw_report *report);
