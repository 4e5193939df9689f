/* SPDX-License-Identifier: MIT
 *
 * dovetail.h: Dovetail for drivers, in C99. Dovetail compiles each SPIR-V shader to machine code once. It makes every
 * later variant of a shader, for another pipeline state, by joining binaries. docs/examples has programs to begin
 * with:
 *
 *   dovetail_device_create()   one for each GPU
 *   dovetail_shader_create()   one for each API shader
 *   dovetail_program_create()  shaders that are drawn with together
 *   dovetail_binder_create()   one for each context or thread
 *   dovetail_bind()            program and state -> variant, ready to upload
 *
 * Formats, topologies, blend factors and the like are uint32_t, with the values of the Vulkan enumeration that the
 * comment names; vulkan_core.h is not needed. No function calls exit(), prints, throws, installs a signal handler or
 * changes an option of LLVM.
 *
 * STATUS. Functions that can fail return a dovetail_status. If it is not DOVETAIL_OK, the call changed nothing, except
 * that handles which it was to return are NULL. The last parameter, which may be NULL, receives a message in words. On
 * success, it is empty; else it names the input (argument, struct member, SPIR-V word offset, set and binding). Besides
 * the errors that its comment lists, every function can return DOVETAIL_OUT_OF_MEMORY, DOVETAIL_INTERNAL and
 * DOVETAIL_BAD_ARGUMENT (NULL where NULL is not allowed, a value that its enumeration does not have, a struct of a
 * wrong size).
 *
 * STRUCTS. The first member of most structs is `size`. Set it to sizeof the struct, as your compiler knows it, before
 * the call. If the struct is smaller (older) than the library's, the missing members take their defaults. A larger
 * (newer) struct is an error unless the bytes that this library does not know are 0. Zero is the default of every
 * member of the `_options` and `_description` structs; dovetail_pipeline_state has an initializer. The library fills in
 * a caller's struct as far as its size goes, and sets bytes that it does not know to 0. Structs without `size` never
 * change. Members named `reserved` are 0. Yes-or-no members are uint32_t: 0 or 1, anything else is an error.
 *
 * OWNERSHIP. The library copies what a caller passes in; it need not outlive the call. The caller owns what a `_create`
 * function returned until he passes it to `_destroy`. Destroying NULL does nothing. Using a destroyed object, or
 * destroying it twice, is undefined. Destroy everything that was made from a device before the device, except retained
 * variants. Shaders, programs and binders of different devices do not go together (DOVETAIL_BAD_ARGUMENT); states and
 * uniforms go with those of every device.
 *
 * THREADS. Each function says what it allows. "Thread-safe" means: from any thread, also at the same time on the same
 * objects, except while one of them is being created or destroyed. The library holds no lock during a callback.
 * Callbacks may call every function but dovetail_device_destroy() and dovetail_device_drain(), unless their comment
 * says otherwise, and must not throw.
 */
#pragma once

#include "variants/c_api/include/dovetail_device.h"
#include "variants/c_api/include/dovetail_shader.h"
#include "variants/c_api/include/dovetail_state.h"
#include "variants/c_api/include/dovetail_variant.h"
