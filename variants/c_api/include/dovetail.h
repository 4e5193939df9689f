/* SPDX-License-Identifier: MIT
 *
 * dovetail.h: Dovetail for drivers, in C99. SPIR-V shaders become machine code once; every later variant of them, for
 * another pipeline state, is made by joining binaries. docs/c-api.md has an example to begin with:
 *
 *   dovetail_device_create()   one for each GPU
 *   dovetail_shader_create()   one for each API shader
 *   dovetail_program_create()  shaders that are drawn with together
 *   dovetail_binder_create()   one for each context or thread
 *   dovetail_bind()            program and state -> variant, ready to upload
 *
 * Formats, topologies, blend factors and the like are uint32_t and have the values of the Vulkan enumeration that the
 * comment names; vulkan_core.h is not needed. No function calls exit(), prints, throws, installs a signal handler or
 * changes an option of LLVM.
 *
 * STATUS. Functions that can fail return a dovetail_status. If it is not DOVETAIL_OK, nothing has changed, except that
 * handles which were to be returned are NULL. The last parameter, which may be NULL, receives what went wrong in words:
 * it names the input (argument, struct member, SPIR-V word offset, set and binding). Besides the errors that a function
 * lists, every one can return DOVETAIL_BAD_ARGUMENT (NULL where NULL is not allowed, a value that its enumeration does
 * not have, a struct of a wrong size), DOVETAIL_OUT_OF_MEMORY and DOVETAIL_INTERNAL. On success, the message is empty.
 *
 * STRUCTS. The first member of most structs is `size`: set it to sizeof the struct, as your compiler knows it, before
 * the call. Members that a smaller (older) struct does not have take their defaults; a larger (newer) one is an error
 * unless the bytes that this library does not know are 0. Zero is the default of every member of the `_options` and
 * `_description` structs; dovetail_pipeline_state has an initializer. Structs that the library fills in are filled as
 * far as their size goes, and what it does not know is set to 0. Structs without `size` never change. Members named
 * `reserved` are 0. Members that say yes or no are uint32_t: 0 or 1, anything else is an error.
 *
 * OWNERSHIP. What a caller passes in is copied; it need not outlive the call. What `_create` returned is the caller's,
 * until he passes it to `_destroy`. Destroying NULL does nothing. Using what was destroyed, or destroying it twice, is
 * undefined. Everything that was made from a device goes before it, except retained variants. Shaders, programs and
 * binders of different devices do not go together (DOVETAIL_BAD_ARGUMENT); states and uniforms go with those of every
 * device.
 *
 * THREADS. Each function says what it allows. "Thread-safe" means: from any thread, also at the same time on the same
 * objects, except while one of them is being created or destroyed. No lock of the library is held in a callback.
 * Callbacks may call every function but dovetail_device_destroy() and dovetail_device_drain(), and must not throw.
 */
#pragma once

#include "variants/c_api/include/dovetail_device.h"
#include "variants/c_api/include/dovetail_shader.h"
#include "variants/c_api/include/dovetail_state.h"
#include "variants/c_api/include/dovetail_variant.h"
