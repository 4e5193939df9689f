/* SPDX-License-Identifier: MIT
 *
 * Of dovetail.h: binding, and all that can be asked of a variant.
 */
#pragma once

#include "variants/c_api/include/dovetail_shader.h"
#include "variants/c_api/include/dovetail_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Binding ---- */

/* Thread-safe. */
DOVETAIL_API dovetail_status dovetail_binder_create(dovetail_device *device, dovetail_binder **binder,
                                                    dovetail_message *message);

/* What it returned last is valid no longer, unless it was retained. One thread, with nobody else using the binder. */
DOVETAIL_API void dovetail_binder_destroy(dovetail_binder *binder);

/* In which order the background builds, the higher ones first. */
typedef enum dovetail_priority {
  DOVETAIL_PRIORITY_NORMAL = 0, /* there is something else to draw with */
  DOVETAIL_PRIORITY_HIGH = 1,   /* a draw is left out for it */
  DOVETAIL_PRIORITY_LOW = 2     /* not soon: beside optimized variants, and shaders that are compiled ahead */
} dovetail_priority;

typedef struct dovetail_bind_options {
  size_t size;
  /* Returned as long as the wanted variant takes a compiler, which works in the background then: because the state
   * changes a main part's own code, or, with never_compile, whatever takes it. For the same GPU, and valid in the call;
   * the binder keeps it as long as it returns it. Default: the first bind waits for the compiler. */
  const dovetail_variant *fallback;
  /* Make what takes microseconds, and wait for no other thread and no store. If main parts are still to be compiled, or
   * the program was never bound, the build is left to the background, and the fallback is returned, or
   * DOVETAIL_NOT_READY if there is none. on_publication tells when to bind again, and dovetail_device_generation()
   * grows. That is not told where the background is full (the message says so): one of the next 64 binds asks again. */
  uint32_t never_compile;
  uint32_t priority; /* dovetail_priority, of a build that goes to the background */
} dovetail_bind_options;

/* The variant to draw with: the optimized one from its publication on, before that the joined one. Parts are made when
 * a program needs them for the first time; it never waits for an optimized build. `*variant` is valid until the next
 * bind of this binder (or its end); dovetail_variant_retain() keeps it longer. A call with what was bound last costs a
 * compare; one with what was bound before takes no lock.
 *
 * state may be NULL: the program's default state (dovetail_state_create_default()). uniforms and options may be NULL.
 * One thread at a time for each binder; different binders do not disturb each other. Errors: those of the compiler and
 * of the join; DOVETAIL_STATE_MISMATCH where state and shaders contradict each other. What was bound stays valid then,
 * and *variant is NULL. So it is with DOVETAIL_NOT_READY, which only dovetail_bind_options::never_compile asks for. */
DOVETAIL_API dovetail_status dovetail_bind(dovetail_binder *binder, const dovetail_program *program,
                                           const dovetail_state *state, const dovetail_uniforms *uniforms,
                                           const dovetail_bind_options *options, const dovetail_variant **variant,
                                           dovetail_message *message);

/* The same for a driver that has no state objects. description: as for dovetail_state_create(), with its errors; the
 * variant is the one that such a state would give. The binder remembers the last description, so a call with an equal
 * one costs a compare of its fields and arrays; another one is read and hashed. One thread at a time for each binder.
 */
DOVETAIL_API dovetail_status dovetail_bind_pipeline_state(dovetail_binder *binder, const dovetail_program *program,
                                                          const dovetail_pipeline_state *description,
                                                          const dovetail_uniforms *uniforms,
                                                          const dovetail_bind_options *options,
                                                          const dovetail_variant **variant, dovetail_message *message);

/* For a driver that knows what a draw is going to bind some time before it does: when a pipeline is set, or while it
 * goes through a list of draws. The memory that dovetail_bind() waits for is fetched meanwhile. Returns at once, and
 * changes nothing, whatever is bound then. state and uniforms as for dovetail_bind(). Does nothing if binder or program
 * is NULL. One thread at a time for each binder. */
DOVETAIL_API void dovetail_binder_prefetch(const dovetail_binder *binder, const dovetail_program *program,
                                           const dovetail_state *state, const dovetail_uniforms *uniforms);

/* Cancels what waits in the background for a program; what runs is finished. The next bind may ask for it again.
 * Thread-safe. */
DOVETAIL_API dovetail_status dovetail_program_cancel_builds(const dovetail_program *program, dovetail_message *message);

typedef enum dovetail_bind_kind {
  DOVETAIL_BIND_NONE = 0,      /* nothing was bound yet, or the last bind failed */
  DOVETAIL_BIND_UNCHANGED = 1, /* was bound last: a compare */
  DOVETAIL_BIND_KNOWN = 2,     /* was bound before: a look-up without locks */
  DOVETAIL_BIND_FOUND = 3,     /* a new state, which comes to a variant that was there */
  DOVETAIL_BIND_JOINED = 4,    /* a new variant of parts that were there */
  DOVETAIL_BIND_ENCODED = 5,   /* a new variant; parts were encoded for it, or read from the store */
  DOVETAIL_BIND_COMPILED = 6,  /* a new variant; the compiler made parts of it */
  DOVETAIL_BIND_FALLBACK = 7,  /* dovetail_bind_options::fallback */
  DOVETAIL_BIND_NOT_READY = 8  /* nothing: DOVETAIL_NOT_READY */
} dovetail_bind_kind;

/* Why a bind took as long as it did. */
typedef struct dovetail_bind_info {
  size_t size;
  uint32_t kind;                    /* dovetail_bind_kind */
  uint32_t waited;                  /* for another thread, which was making the variant or a part of it */
  uint32_t parts_encoded;           /* made without the compiler */
  uint32_t parts_compiled;          /* made by the compiler */
  uint32_t parts_stored;            /* read from the store */
  uint32_t longest_part;            /* dovetail_part_kind of the one that took longest of those above */
  double longest_part_microseconds; /* wall time; 0: there was none */
} dovetail_bind_info;

/* How the last bind of this binder came by its variant. Costs no more than the struct. One thread at a time for each
 * binder. */
DOVETAIL_API dovetail_status dovetail_binder_get_last_bind(const dovetail_binder *binder, dovetail_bind_info *info,
                                                           dovetail_message *message);

typedef struct dovetail_build_options {
  size_t size;
  uint32_t monolithic; /* compile each program of the hardware as a whole */
  uint32_t reserved;
} dovetail_build_options;

/* The variant for tools: joined or monolithic as the options say, never optimized, built now if it is not known. It is
 * retained; release it. state and options may be NULL. Thread-safe. Errors: as dovetail_bind(). */
DOVETAIL_API dovetail_status dovetail_build(dovetail_device *device, const dovetail_program *program,
                                            const dovetail_state *state, const dovetail_build_options *options,
                                            const dovetail_variant **variant, dovetail_message *message);

/* ---- Variants ---- */

/* Keeps a valid variant until it has been released as often as it was retained. Retained variants may outlive the
 * device. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_retain(const dovetail_variant *variant, dovetail_message *message);

/* NULL: does nothing. Releasing more often than retaining is undefined. Thread-safe. */
DOVETAIL_API void dovetail_variant_release(const dovetail_variant *variant);

/* A value for a hardware register, which the driver writes before it draws: dovetail_variant_get_register_runs(). */
typedef struct dovetail_register {
  uint32_t address; /* in dwords, as in PAL metadata and register headers: 0xa000 + n is a context register */
  uint32_t value;
} dovetail_register;

/* A field of the code that depends on the address at which the code is placed. dovetail_variant_copy_code() deals with
 * them. */
typedef enum dovetail_relocation_kind {
  DOVETAIL_RELOCATION_ABS32 = 0,
  DOVETAIL_RELOCATION_ABS32_LO = 1,
  DOVETAIL_RELOCATION_ABS32_HI = 2,
  DOVETAIL_RELOCATION_ABS64 = 3
} dovetail_relocation_kind;

typedef struct dovetail_relocation {
  uint32_t offset; /* of the field, bytes from the start of the code */
  uint32_t kind;   /* dovetail_relocation_kind */
  int64_t target;  /* bytes from the start of the code: the field becomes the address of that */
} dovetail_relocation;

/* Pointers live as long as the variant. Offsets are in bytes from the start of the code. */
typedef struct dovetail_variant_info {
  size_t size;
  const char *gpu;
  uint64_t key[2];     /* 128 bits; different for variants that differ */
  const uint8_t *code; /* text, constants, padding for the instruction prefetch; all of it is to be uploaded */
  size_t code_size;
  uint32_t code_alignment; /* of the GPU address, in bytes; at least 256 */
  uint32_t text_size;      /* end of the last instruction */
  uint32_t constants_start;
  uint32_t constants_end;             /* == constants_start: there are none */
  const dovetail_register *registers; /* each address once, in no order */
  size_t register_count;
  uint32_t stage_count;      /* dovetail_variant_get_stage() */
  uint32_t part_count;       /* dovetail_variant_get_part() */
  uint32_t relocation_count; /* dovetail_variant_get_relocation(); 0: the code runs at every address as it is */
  uint32_t instruction_count;
  uint32_t is_monolithic;    /* its programs were compiled as a whole; of an optimized one, those that gain by it.
                                If a state changes one program's code, only that one was: dovetail_part_info::kind */
  uint32_t is_optimized;     /* it was compiled for this state in particular */
  uint32_t has_tessellation; /* dovetail_variant_get_tessellation() */
  uint32_t has_geometry;     /* dovetail_variant_get_geometry() */
  double join_microseconds;  /* wall time of the join, without that of making parts */
} dovetail_variant_info;

/* The variant of this function and of all below must be valid. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_info(const dovetail_variant *variant, dovetail_variant_info *info,
                                                       dovetail_message *message);

/* Which packet writes a register; its offsets count from the number behind it, in dwords. */
typedef enum dovetail_register_space {
  DOVETAIL_REGISTER_SPACE_CONFIG = 0,  /* SET_CONFIG_REG, 0x2000; no variant that was built here has such */
  DOVETAIL_REGISTER_SPACE_SH = 1,      /* SET_SH_REG, 0x2c00 */
  DOVETAIL_REGISTER_SPACE_CONTEXT = 2, /* SET_CONTEXT_REG, 0xa000 */
  DOVETAIL_REGISTER_SPACE_UCONFIG = 3  /* SET_UCONFIG_REG, 0xc000 */
} dovetail_register_space;

/* Registers with consecutive addresses, which one packet writes: the header, `offset | index << 28`, `count` values. */
typedef struct dovetail_register_run {
  uint32_t space;       /* dovetail_register_space */
  uint32_t address;     /* of the first, as in dovetail_register */
  uint32_t offset;      /* of the first, from where the space begins */
  uint32_t index;       /* not 0 for IA_MULTI_VGT_PARAM and VGT_LS_HS_CONFIG, each of which is a run of its own */
  uint32_t count;       /* of registers */
  uint32_t first_value; /* in the values of all runs, which lie one behind the other */
} dovetail_register_run;

/* A variant's registers, ready to be written: by ascending address, in runs. previous may be NULL, or a variant for the
 * same GPU whose registers were written before: then only those registers that it does not have, or has other values
 * in. Those that only previous has may stay as they are: nothing that runs under this variant reads them. Graphics and
 * compute variants have no register in common, so a driver keeps one previous of each.
 *
 * Registers of user SGPRs are in no run: the driver writes its own values there, by dovetail_stage_info::user_data.
 *
 * `*run_count`, `*value_count`: of what `runs` and `values` have room for; become how many there are. Where runs or
 * values is NULL, only that. dovetail_variant_info::register_count of each is always enough. The
 * variants must be valid. Thread-safe. Errors: DOVETAIL_BUFFER_TOO_SMALL, and nothing is written but the counts. */
DOVETAIL_API dovetail_status dovetail_variant_get_register_runs(const dovetail_variant *variant,
                                                                const dovetail_variant *previous,
                                                                dovetail_register_run *runs, size_t *run_count,
                                                                uint32_t *values, size_t *value_count,
                                                                dovetail_message *message);

/* Whose the bits of a register are. A bit that is the variant's alone is written as the variant has it. One that is the
 * driver's alone is 0 in every variant, and the driver puts there what it has of its own, mostly 0. One that is in both
 * is set if the variant or the driver wants it. A register of a user SGPR is the driver's as a whole. */
typedef struct dovetail_register_mask {
  uint32_t address; /* as in dovetail_register */
  uint32_t variant_bits;
  uint32_t driver_bits;
} dovetail_register_mask;

/* Of all registers that variants for a GPU have, by ascending address. gpu: see dovetail_gpu_name(). `*count`: masks
 * that `masks` has room for; becomes how many there are. With masks == NULL, only that. Thread-safe. Errors:
 * DOVETAIL_UNKNOWN_GPU, with the names that are known; DOVETAIL_BUFFER_TOO_SMALL, and nothing is written but the count.
 */
DOVETAIL_API dovetail_status dovetail_register_get_masks(const char *gpu, dovetail_register_mask *masks, size_t *count,
                                                         dovetail_message *message);

/* Programs of the hardware. GFX9 has no LS and no ES: they are the first half of HS and GS. */
typedef enum dovetail_hardware_stage {
  DOVETAIL_HARDWARE_LS = 0,
  DOVETAIL_HARDWARE_HS = 1,
  DOVETAIL_HARDWARE_ES = 2,
  DOVETAIL_HARDWARE_GS = 3,
  DOVETAIL_HARDWARE_VS = 4,
  DOVETAIL_HARDWARE_PS = 5,
  DOVETAIL_HARDWARE_CS = 6
} dovetail_hardware_stage;

/* What the driver writes to a user SGPR: a dword of the root table, by its index (below 0x10000000), or one of these.
 * Addresses are low halves of 64-bit ones; the high half is that of the code. Numbers are PAL's below
 * 0x40000000. */
typedef enum dovetail_user_data {
  DOVETAIL_USER_DATA_GLOBAL_TABLE = 0x10000000, /* address of the descriptors in dovetail_global_table */
  DOVETAIL_USER_DATA_SPILL_TABLE = 0x10000002,  /* address of a copy of the whole root table in memory */
  DOVETAIL_USER_DATA_BASE_VERTEX = 0x10000003,  /* vertexOffset, or firstVertex if not indexed */
  DOVETAIL_USER_DATA_BASE_INSTANCE = 0x10000004,
  DOVETAIL_USER_DATA_DRAW_INDEX = 0x10000005,
  DOVETAIL_USER_DATA_WORKGROUP_COUNT = 0x10000006, /* address of three dwords; its high half goes into the next SGPR,
                                                      which is DOVETAIL_USER_DATA_UNMAPPED */
  DOVETAIL_USER_DATA_VIEW_INDEX = 0x1000000b, /* of the view that is drawn; a multiview draw is one for each view */
  /* Address of four descriptors: transform feedback buffers. Their stride is that of VGT_STRMOUT_VTX_STRIDE; on GFX8
   * they have ADD_TID_ENABLE. */
  DOVETAIL_USER_DATA_STREAMOUT_TABLE = 0x1000000c,
  DOVETAIL_USER_DATA_VERTEX_BUFFER_TABLE = 0x1000000f, /* address of a descriptor for each vertex binding, by number */
  DOVETAIL_USER_DATA_ALPHA_REFERENCE = 0x40000000,     /* float: what alpha is compared with */
  DOVETAIL_USER_DATA_DEVICE_INDEX = 0x40000001,        /* of the GPU in its group */
  /* Floats: y of a fragment in a shader with OriginLowerLeft is y of the row of the target times the scale, which is 1
   * or -1, plus the bias. 1, 0 for a target whose first row is the lowest; else -1, the target's height. */
  DOVETAIL_USER_DATA_FRAG_COORD_Y_SCALE = 0x40000002,
  DOVETAIL_USER_DATA_FRAG_COORD_Y_BIAS = 0x40000003,
  /* Floats, this number and the five behind it: GL_PATCH_DEFAULT_OUTER_LEVEL (4) and INNER_LEVEL (2), of programs that
   * have no control shader. */
  DOVETAIL_USER_DATA_DEFAULT_TESS_LEVEL = 0x40000008
} dovetail_user_data;
#define DOVETAIL_USER_DATA_UNMAPPED 0xffffffffu /* nothing: it is never read */

/* Entries of the global table: buffer descriptors (V#) of 16 bytes each, as far as programs use them. */
typedef enum dovetail_global_table {
  DOVETAIL_GLOBAL_TABLE_GRAPHICS_SCRATCH = 0, /* swizzled by lane, as wide as a wave */
  DOVETAIL_GLOBAL_TABLE_COMPUTE_SCRATCH = 1,
  DOVETAIL_GLOBAL_TABLE_ES_RING_OUT = 2,  /* GFX8: the ESGS ring, swizzled likewise, for the writing ES */
  DOVETAIL_GLOBAL_TABLE_GS_RING_IN = 3,   /* GFX8: the same memory, for the reading GS */
  DOVETAIL_GLOBAL_TABLE_GS_RING_OUT = 4,  /* the GSVS ring; only its base address counts */
  DOVETAIL_GLOBAL_TABLE_COPY_RING_IN = 8, /* the same memory, for the reading copy shader (VS) */
  DOVETAIL_GLOBAL_TABLE_TESS_FACTORS = 9,
  DOVETAIL_GLOBAL_TABLE_OFFCHIP = 10,          /* outputs of control shaders */
  DOVETAIL_GLOBAL_TABLE_SAMPLE_POSITIONS = 12, /* PAL's palette: 16 patterns of 16 samples of 16 bytes, of which the
                                                  first two floats are the offset from the pixel's centre; pattern n is
                                                  that of 2^n samples */
  DOVETAIL_GLOBAL_TABLE_POLYGON_STIPPLE = 32   /* 32 rows of 32 pixels, a dword each. Not one of PAL's */
} dovetail_global_table;

typedef struct dovetail_stage_info {
  size_t size;
  uint32_t stage;     /* dovetail_hardware_stage */
  uint32_t entry;     /* offset of the first instruction, a multiple of 256; in its SPI_SHADER_PGM_LO register's
                         place goes (address of the code + entry) >> 8 */
  uint32_t text_size; /* bytes, from the entry to the end of the program */
  uint32_t first_part;
  uint32_t part_count;
  uint32_t second_half; /* merged programs made of parts: which of them, from first_part on, begins the second half */
  uint32_t sgprs;       /* that the code uses, VCC and other specials included */
  uint32_t vgprs;
  uint32_t scratch_bytes; /* for each lane */
  uint32_t lds_bytes;     /* for each group */
  uint32_t wave_size;
  uint32_t user_sgpr_count;
  uint32_t user_data[32];     /* what goes into each user SGPR: see dovetail_user_data */
  uint32_t spill_threshold;   /* the lowest root dword that is read through the spill table; 0xffff: none */
  uint32_t workgroup_size[3]; /* compute; else 0 */
  uint32_t writes_memory;     /* it has stores or atomics */
  uint32_t reserved;
  uint32_t spilled_sgprs; /* of all parts, as in dovetail_part_info */
  uint32_t spilled_vgprs;
} dovetail_stage_info;

/* index: below dovetail_variant_info::stage_count; in the order in which the stages run. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_stage(const dovetail_variant *variant, uint32_t index,
                                                        dovetail_stage_info *info, dovetail_message *message);

typedef enum dovetail_part_kind {
  DOVETAIL_PART_VERTEX_PROLOG = 0,
  DOVETAIL_PART_VERTEX_MAIN = 1,
  DOVETAIL_PART_TESS_CONTROL_MAIN = 2,
  DOVETAIL_PART_TESS_CONTROL_EPILOG = 3,
  DOVETAIL_PART_TESS_EVALUATION_MAIN = 4,
  DOVETAIL_PART_GEOMETRY_PROLOG = 5,
  DOVETAIL_PART_GEOMETRY_MAIN = 6,
  DOVETAIL_PART_GEOMETRY_COPY = 7, /* runs as VS and exports a geometry shader's vertices */
  DOVETAIL_PART_FRAGMENT_PROLOG = 8,
  DOVETAIL_PART_FRAGMENT_MAIN = 9,
  DOVETAIL_PART_FRAGMENT_EPILOG = 10,
  DOVETAIL_PART_COMPUTE_MAIN = 11,
  DOVETAIL_PART_GLUE = 12, /* between the halves of a merged program */
  DOVETAIL_PART_MONOLITHIC = 13,
  DOVETAIL_PART_NULL_FRAGMENT = 14, /* the whole PS of programs without a fragment shader */
  DOVETAIL_PART_COMPUTE_PROLOG = 15
} dovetail_part_kind;

/* Pointers live as long as the variant. */
typedef struct dovetail_part_info {
  size_t size;
  uint32_t kind;  /* dovetail_part_kind */
  uint32_t stage; /* index of its dovetail_stage_info */
  uint32_t offset;
  uint32_t code_size;        /* bytes, without constants */
  uint32_t wait_states;      /* of the s_nop that the join put in front of it; 0: there is none */
  uint32_t constants_offset; /* of its constants */
  uint32_t constants_size;   /* bytes */
  uint32_t instruction_count;
  uint32_t was_made; /* when this variant was built; else it was there already */
  uint32_t reserved;
  double make_microseconds; /* wall time that the build spent on getting it */
  uint64_t key[2];          /* 128 bits; parts with the same kind and key are the same */
  const char *description;  /* what it does, in words: "attr0 R32G32B32_SFLOAT.xyz binding 0 +12, ..." */
  char symbol[64];          /* "vs.vertex_prolog", unique in the variant */
  /* Registers that the compiler had no room for: each one that is stored somewhere else counts, SGPRs in lanes of VGPRs
   * or in scratch memory, VGPRs in scratch memory. 0 of a variant that was read from a file. */
  uint32_t spilled_sgprs;
  uint32_t spilled_vgprs;
} dovetail_part_info;

/* index: below dovetail_variant_info::part_count; in the order of their offsets. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_part(const dovetail_variant *variant, uint32_t index,
                                                       dovetail_part_info *info, dovetail_message *message);

/* index: below dovetail_variant_info::relocation_count. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_relocation(const dovetail_variant *variant, uint32_t index,
                                                             dovetail_relocation *relocation,
                                                             dovetail_message *message);

/* How patches are put into groups, and how a group shares LDS and its part of the off-chip buffer. */
typedef struct dovetail_tessellation_info {
  size_t size;
  uint32_t input_control_points; /* of a patch */
  uint32_t output_control_points;
  uint32_t patches_per_group;
  uint32_t ls_vertex_stride;   /* bytes from vertex to vertex in LDS */
  uint32_t lds_patch_stride;   /* bytes of a patch's outputs in LDS */
  uint32_t output_base;        /* LDS bytes: where the outputs of the group's patches begin */
  uint32_t offchip_patch_base; /* bytes in the group's part of the off-chip buffer: where per-patch outputs begin */
  uint32_t lds_bytes;          /* of a group */
  uint32_t offchip_bytes;      /* of a group; at most the size of a block of the off-chip buffer, 32 KiB */
  uint32_t reserved;
} dovetail_tessellation_info;

/* Thread-safe. Errors: DOVETAIL_BAD_ARGUMENT if the variant has no tessellation. */
DOVETAIL_API dovetail_status dovetail_variant_get_tessellation(const dovetail_variant *variant,
                                                               dovetail_tessellation_info *info,
                                                               dovetail_message *message);

/* The sizes of the rings of geometry shaders, and of their groups. */
typedef struct dovetail_geometry_info {
  size_t size;
  uint32_t es_vertex_stride; /* bytes: VGT_ESGS_RING_ITEMSIZE * 4 */
  /* GFX9: an ES-GS group, whose ESGS ring is in LDS. GFX8: 0, and the ring is in memory. */
  uint32_t es_vertices_per_group;
  uint32_t gs_primitives_per_group;          /* without instancing */
  uint32_t gs_instance_primitives_per_group; /* times the invocations */
  uint32_t lds_bytes;
  uint32_t gsvs_item_dwords[4]; /* the GSVS ring: dwords that one lane of a wave takes for each stream */
  uint32_t reserved;
} dovetail_geometry_info;

/* Thread-safe. Errors: DOVETAIL_BAD_ARGUMENT if the variant has no geometry shader. */
DOVETAIL_API dovetail_status dovetail_variant_get_geometry(const dovetail_variant *variant,
                                                           dovetail_geometry_info *info, dovetail_message *message);

/* Writes the code as it has to be in the GPU's memory at `gpu_address`, a multiple of code_alignment. `destination` has
 * room for code_size bytes at least; no byte of it is read, so it may be write-combined. Thread-safe. Errors:
 * DOVETAIL_BUFFER_TOO_SMALL, and nothing is written. */
DOVETAIL_API dovetail_status dovetail_variant_copy_code(const dovetail_variant *variant, void *destination,
                                                        size_t destination_size, uint64_t gpu_address,
                                                        dovetail_message *message);

/* A PAL pipeline ELF, for drivers and tools that read one: code, metadata, a symbol for each program and each part.
 * `*size`: bytes that `buffer` has room for; becomes the size of the file. With buffer == NULL, only that. The file is
 * made by each call, in about 100 microseconds. Thread-safe. Errors: DOVETAIL_BUFFER_TOO_SMALL, and nothing is written
 * but the size; DOVETAIL_IO. */
DOVETAIL_API dovetail_status dovetail_variant_write_elf(const dovetail_variant *variant, void *buffer, size_t *size,
                                                        dovetail_message *message);

/* A variant of such a file: what the file says, to be drawn with as it is. Its parts have their kind, code and
 * constants, no key and no timing. It is retained; release it. It belongs to no device. Any bytes are safe to read.
 * Thread-safe. Errors: DOVETAIL_INVALID_INPUT for what is no pipeline ELF for a GPU that is known here, or is damaged.
 */
DOVETAIL_API dovetail_status dovetail_variant_read_elf(const void *data, size_t size, const dovetail_variant **variant,
                                                       dovetail_message *message);

/* The parts of a variant as one run of bytes, for dovetail_device_import_parts(). Who has those of a joined variant
 * compiles nothing to make it again; of an optimised one, only code generation is spared: its parts are found by what
 * their shaders read, which takes lowering them. `*size` and `buffer` as for dovetail_variant_write_elf(). Thread-safe.
 * Errors: DOVETAIL_INVALID_INPUT for a variant that was read from a file; DOVETAIL_BUFFER_TOO_SMALL, and nothing is
 * written but the size. */
DOVETAIL_API dovetail_status dovetail_variant_export_parts(const dovetail_variant *variant, void *buffer, size_t *size,
                                                           dovetail_message *message);

/* The code as assembly text that shows where each part begins, what it takes and what it gives. UTF-8, with a final 0,
 * which *size includes; otherwise like dovetail_variant_write_elf(). Takes milliseconds. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_disassemble(const dovetail_variant *variant, char *buffer, size_t *size,
                                                          dovetail_message *message);

/* ---- For tools ---- */

/* A static estimate of what a program costs, for comparing one build with another: each instruction counts once,
 * whether it is in a loop or behind a branch. */
typedef struct dovetail_code_cost {
  size_t size;
  uint32_t instruction_count; /* of the program, or of the part */
  /* In which a SIMD issues these for one wave: 4 for most, more for instructions at a lower rate. Waits for memory, LDS
   * and other waves are not in it. */
  uint32_t cycles;
  /* Instructions by their class. */
  uint32_t vector_count;
  uint32_t interpolate_count;
  uint32_t scalar_count; /* with branches and waits */
  uint32_t scalar_load_count;
  uint32_t vector_memory_count;
  uint32_t lds_count;
  uint32_t export_count;
  uint32_t reserved;
} dovetail_code_cost;

/* index: below dovetail_variant_info::stage_count. Decodes the code, which takes about as long as
 * dovetail_variant_disassemble(). Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_stage_cost(const dovetail_variant *variant, uint32_t index,
                                                             dovetail_code_cost *cost, dovetail_message *message);
/* index: below dovetail_variant_info::part_count. Decodes the code, too. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_variant_get_part_cost(const dovetail_variant *variant, uint32_t index,
                                                            dovetail_code_cost *cost, dovetail_message *message);

#define DOVETAIL_NO_PART 0xffffffffu

/* The instruction at an offset of the code: a program counter of a trace or of a fault, minus the address to which the
 * code was copied. */
typedef struct dovetail_code_place {
  size_t size;
  uint32_t stage;              /* index of its dovetail_stage_info */
  uint32_t part;               /* index of its dovetail_part_info; DOVETAIL_NO_PART: an s_nop between two parts */
  uint32_t offset_in_part;     /* of the instruction, bytes; 0 without a part */
  uint32_t instruction_offset; /* in the code; the offset that was asked for may be in its middle */
  uint32_t instruction_size;
  uint32_t reserved;
  char text[120]; /* "v_mov_b32_e32 v0, s3"; cut off if it is longer */
} dovetail_code_place;

/* offset: bytes from the start of the code. Thread-safe. Errors: DOVETAIL_INVALID_INPUT for an offset that is in no
 * program. */
DOVETAIL_API dovetail_status dovetail_variant_find_place(const dovetail_variant *variant, uint32_t offset,
                                                         dovetail_code_place *place, dovetail_message *message);

/* Which lines of their sources the main parts of a variant come from. Belongs to its device. */
typedef struct dovetail_source_lines dovetail_source_lines;

/* From this offset on, up to the next row, code comes from this line. */
typedef struct dovetail_source_line {
  uint32_t offset;  /* bytes from the start of the variant's code */
  uint32_t line;    /* from 1 on; 0: the module says no line */
  const char *file; /* as the module names it; lives as long as the dovetail_source_lines. "" without a line */
} dovetail_source_line;

/* Of a variant that was bound or built for this program and this state (NULL: the program's own): the main parts are
 * compiled again with debug information. Modules without lines (OpLine, DebugLine) have no rows, nor have parts that
 * are no main parts, as those of monolithic and optimised variants. Destroy it. Thread-safe. Errors:
 * those of dovetail_build(); DOVETAIL_BAD_ARGUMENT for a variant of another GPU. */
DOVETAIL_API dovetail_status dovetail_source_lines_create(const dovetail_program *program, const dovetail_state *state,
                                                          const dovetail_variant *variant,
                                                          dovetail_source_lines **lines, dovetail_message *message);

/* The rows, sorted by offset; *count becomes their number. The pointer is valid until they are destroyed. NULL and 0
 * for NULL. Thread-safe. */
DOVETAIL_API const dovetail_source_line *dovetail_source_lines_get(const dovetail_source_lines *lines, size_t *count);

/* Where the code at an offset comes from: the last row that begins at it or before, if it is of the same part; else
 * line 0. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_source_lines_find(const dovetail_source_lines *lines, uint32_t offset,
                                                        dovetail_source_line *line, dovetail_message *message);

/* The variant's pipeline ELF as dovetail_variant_write_elf() makes it, with these lines as DWARF's tables
 * (.debug_line), for debuggers, profilers and llvm-symbolizer: addresses are offsets in .text. Without rows, there are
 * no tables. `buffer` and `size` likewise. Thread-safe. */
DOVETAIL_API dovetail_status dovetail_source_lines_write_elf(const dovetail_source_lines *lines, void *buffer,
                                                             size_t *size, dovetail_message *message);

/* Nobody may be using them any more. Thread-safe. */
DOVETAIL_API void dovetail_source_lines_destroy(dovetail_source_lines *lines);

/* The LLVM IR from which code of the program's main parts is generated under a state (NULL: the program's own), each
 * behind a comment with its shader's name.
 * UTF-8, with a final 0, which *size includes; otherwise like dovetail_variant_write_elf(). Each call compiles the
 * shaders again. Thread-safe. Errors: those of the compiler; DOVETAIL_BUFFER_TOO_SMALL. */
DOVETAIL_API dovetail_status dovetail_program_print_ir(const dovetail_program *program, const dovetail_state *state,
                                                       char *buffer, size_t *size, dovetail_message *message);

#ifdef __cplusplus
}
#endif
