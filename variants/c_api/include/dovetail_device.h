/* SPDX-License-Identifier: MIT
 *
 * Of dovetail.h: versions, the status of a call, and the device, which all that is drawn with is made from.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define DOVETAIL_API __attribute__((visibility("default")))
#else
#define DOVETAIL_API
#endif

/* ---- Version ---- */

#define DOVETAIL_VERSION_MAJOR 0
#define DOVETAIL_VERSION_MINOR 2
#define DOVETAIL_VERSION_PATCH 0
#define DOVETAIL_MAKE_VERSION(major, minor, patch)                                                                     \
  ((uint32_t)(major)*1000000u + (uint32_t)(minor)*1000u + (uint32_t)(patch))
#define DOVETAIL_VERSION DOVETAIL_MAKE_VERSION(DOVETAIL_VERSION_MAJOR, DOVETAIL_VERSION_MINOR, DOVETAIL_VERSION_PATCH)

/* The library's DOVETAIL_VERSION, which may be another one than the header's. Libraries with the same major version
 * (below 1.0: the same minor version) serve all older headers. Thread-safe. */
DOVETAIL_API uint32_t dovetail_version(void);

/* Names all that code depends on, other than shaders and states: the versions of Dovetail and of LLVM, and the build.
 * 32 hexadecimal digits; static. A driver that keeps variants in a cache of its own has this in its keys. Thread-safe.
 */
DOVETAIL_API const char *dovetail_build_id(void);

/* How many GPUs can be compiled for. Thread-safe. */
DOVETAIL_API size_t dovetail_gpu_count(void);

/* LLVM's name of a GPU's processor ("gfx900"). NULL from dovetail_gpu_count() on. Static. Thread-safe. */
DOVETAIL_API const char *dovetail_gpu_name(size_t index);

/* ---- Status ---- */

typedef enum dovetail_status {
  DOVETAIL_OK = 0,
  DOVETAIL_INVALID_INPUT = 1,    /* what the caller gave is malformed: SPIR-V that does not validate, for example */
  DOVETAIL_UNSUPPORTED = 2,      /* well formed, but nothing here implements it */
  DOVETAIL_UNKNOWN_GPU = 3,      /* see dovetail_gpu_name() */
  DOVETAIL_STATE_MISMATCH = 4,   /* the pipeline state contradicts the shaders, or they contradict each other */
  DOVETAIL_COMPILE_FAILED = 5,   /* LLVM reported an error */
  DOVETAIL_JOIN_REFUSED = 6,     /* parts do not fit together, or do not fit into the hardware */
  DOVETAIL_CHECK_FAILED = 7,     /* a finished image has a defect */
  DOVETAIL_IO = 8,               /* a file could not be read or written */
  DOVETAIL_NOT_READY = 9,        /* it takes a compiler, for which the caller does not wait; see never_compile */
  DOVETAIL_CANCELLED = 10,       /* whoever wanted it has gone */
  DOVETAIL_INTERNAL = 11,        /* a defect of this library */
  DOVETAIL_OUT_OF_MEMORY = 12,   /* an allocation failed */
  DOVETAIL_BAD_ARGUMENT = 13,    /* the call itself is wrong; the message names the argument */
  DOVETAIL_BUFFER_TOO_SMALL = 14 /* the caller's buffer; the size that is needed was returned */
} dovetail_status;

/* A few words for a status: "out of memory". Static, never NULL, also for numbers that are not in the enumeration.
 * Thread-safe. */
DOVETAIL_API const char *dovetail_status_text(dovetail_status status);

/* What went wrong, in UTF-8, with a final 0. A text that does not fit is cut off and ends in "...". The caller's own,
 * so threads do not disturb each other. */
typedef struct dovetail_message {
  char text[1024];
} dovetail_message;

/* LLVM's name of the GPU that has a PCI device id of AMD (vendor 1002). external_revision: what the kernel says beside
 * it (external_rev of drm_amdgpu_info_device), or 0; only ids of Raven need it, which are Raven2's, too. *gpu is
 * static, and NULL behind an error. Thread-safe. Errors: DOVETAIL_UNKNOWN_GPU. */
DOVETAIL_API dovetail_status dovetail_gpu_from_pci(uint16_t device_id, uint32_t external_revision, const char **gpu,
                                                   dovetail_message *message);

/* ---- Device ---- */

/* All that the programs of one GPU share: parts, variants, compilers, the background. A process may have several, for
 * the same GPU or for different ones. */
typedef struct dovetail_device dovetail_device;
/* An API shader. */
typedef struct dovetail_shader dovetail_shader;
/* Shaders that are drawn with together, and the layout of their root table. */
typedef struct dovetail_program dovetail_program;
/* A pipeline state. */
typedef struct dovetail_state dovetail_state;
/* Values of uniforms. */
typedef struct dovetail_uniforms dovetail_uniforms;
/* One thread's way to a device's variants. */
typedef struct dovetail_binder dovetail_binder;
/* A program under a state: machine code and register values. Never changes. */
typedef struct dovetail_variant dovetail_variant;

/* When variants are compiled again as a whole, in the background, to be faster. */
typedef enum dovetail_policy {
  DOVETAIL_POLICY_OFF = 0,
  DOVETAIL_POLICY_HOT = 1,   /* those that were bound hot_binds times */
  DOVETAIL_POLICY_ALWAYS = 2 /* each, as soon as it is joined */
} dovetail_policy;

/* From errors on, which matter most, over warnings to debug. */
typedef enum dovetail_log_level {
  DOVETAIL_LOG_WARNING = 0, /* something is turned off or was given up: the store, a build in the background */
  DOVETAIL_LOG_ERROR = 1,   /* draws are left out: what they need could not be built in the background */
  DOVETAIL_LOG_INFO = 2,    /* a device was made; what became of an optimised variant */
  DOVETAIL_LOG_DEBUG = 3    /* each compile. A callback that gets these must call nothing of the device */
} dovetail_log_level;

typedef enum dovetail_compile_purpose {
  DOVETAIL_COMPILE_FOR_CALLER = 0,     /* a call waits for it: a bind, a shader with DOVETAIL_COMPILE_NOW, a build */
  DOVETAIL_COMPILE_FOR_BACKGROUND = 1, /* a shader or a first variant that the background makes */
  DOVETAIL_COMPILE_FOR_OPTIMIZED = 2   /* an optimised variant */
} dovetail_compile_purpose;

/* A compile that is over. Pointers are valid in the callback. */
typedef struct dovetail_compile_event {
  size_t size;
  uint32_t kind;           /* dovetail_part_kind of the part that was compiled */
  uint32_t purpose;        /* dovetail_compile_purpose */
  uint64_t key[2];         /* of the part, as in dovetail_part_info */
  const char *shaders;     /* their names: "phong.vert", or "a.tesc, b.tese" of a merged program; "" for copy shaders */
  uint64_t shader_hash[2]; /* of the SPIR-V words; of a merged program those of its last shader; 0 for copy shaders */
  uint32_t status;         /* dovetail_status: DOVETAIL_OK, or that of a call that fails for the same reason */
  uint32_t instruction_count; /* what follows is of the part, and 0 if there is none */
  uint32_t sgprs;
  uint32_t vgprs;
  uint32_t scratch_bytes; /* for each lane */
  uint32_t spilled_sgprs; /* as in dovetail_part_info */
  uint32_t spilled_vgprs;
  uint32_t reserved;
  const char *error;   /* why it failed; "" if it did not */
  double microseconds; /* wall time */
  /* CPU time of the compile's three parts. */
  double front_microseconds;    /* SPIR-V to LLVM IR */
  double optimize_microseconds; /* IR, and the hardware's form of inputs and outputs */
  double codegen_microseconds;  /* machine code, and what is read from it */
} dovetail_compile_event;

/* There is a variant that was not there before, or a better one, which binds find from now on. */
typedef struct dovetail_publication {
  size_t size;
  const dovetail_variant *variant;  /* valid in the callback; retain it to keep it. NULL: the build that a bind with
                                       never_compile left to the background failed, and the next bind returns the
                                       error; or it gave way to more urgent ones, and the next bind asks again */
  const dovetail_variant *replaced; /* likewise: the joined one, or the fallback; NULL if there was none */
  uint64_t generation;              /* of the device, this publication included */
  /* `user` of the program and of the state that were bound: dovetail_program_options, dovetail_pipeline_state. Where
   * several of them come to one variant, each pair of pointers has a publication of its own; equal programs, and equal
   * states, with the same pointers are one. A publication may come after they were destroyed, until the device is
   * drained. */
  void *program_user;
  void *state_user;
} dovetail_publication;

/* Memory that this C layer allocates, which is that of its handles. Blocks for code, for the compiler, for the parts
 * and variants behind a handle and for all bookkeeping of the C++ library are NOT allocated here: LLVM and the C++
 * standard library use the process's own operator new and malloc, which no library can redirect. Both functions or
 * none. Called on the threads that create and destroy. */
typedef struct dovetail_allocator {
  void *user;
  /* Returns NULL, and the call returns DOVETAIL_OUT_OF_MEMORY; or a block aligned to `alignment`, a power of two. */
  void *(*allocate)(void *user, size_t size, size_t alignment);
  void (*free)(void *user, void *block);
} dovetail_allocator;

#define DOVETAIL_PART_CACHE_KEY_SIZE 16

/* A cache of parts that the driver owns, as Mesa's disk cache or what is behind a VkPipelineCache. It keeps bytes by
 * key (DOVETAIL_PART_CACHE_KEY_SIZE of them), and may forget any. What it returns is checked, and a miss if it is
 * damaged. Keys name all that changes code, the GPU and the build of Dovetail and of LLVM among it.
 *
 * Both functions are called on any thread, several at the same time, also while a bind waits. They must call nothing of
 * the device. */
typedef struct dovetail_part_cache {
  void *user;
  /* Copies what was put under a key to `buffer` if it fits, and returns its size; 0: there is none. It is called again
   * with a larger buffer if it did not fit. */
  size_t (*get)(void *user, const uint8_t *key, void *buffer, size_t buffer_size);
  /* `data` is valid in the call. */
  void (*put)(void *user, const uint8_t *key, const void *data, size_t size);
} dovetail_part_cache;

typedef struct dovetail_device_options {
  size_t size;
  const char *gpu;     /* LLVM's name, "gfx803", or that of a chip, "polaris10", or of a product, "RX 580". Needed. */
  uint32_t policy;     /* dovetail_policy */
  uint32_t hot_binds;  /* default 64 */
  uint32_t threads;    /* that work in the background at the same time; default 1 */
  uint32_t max_queued; /* builds that wait in the background; what exceeds it is not enqueued. Default 64 */
  uint64_t memory_budget;   /* bytes of variants and parts; what is referenced is kept beyond it. Default 256 MiB */
  const char *store_path;   /* a folder for parts on disk, shared by processes; made if missing, with its parents.
                               Default: no store; "" is an error */
  uint64_t store_max_bytes; /* default 1 GiB */
  uint32_t store_read_only;
  /* Use the folder even if it is a link, belongs to somebody else, or others may write to it: whoever may write to it
   * chooses the machine code that runs. */
  uint32_t store_trust_folder;
  /* Called on any thread, several at the same time, also before dovetail_device_create() returns. */
  void *log_user;
  void (*log)(void *user, dovetail_log_level level, const char *text);
  /* Called on background threads, also while dovetail_device_destroy() waits for them. May bind, with a binder of its
   * own; a caller whose callback makes handles drains the device before he destroys it. */
  void *publication_user;
  void (*on_publication)(void *user, const dovetail_publication *publication);
  /* Copied, and used until everything that was made from the device is destroyed. */
  dovetail_allocator allocator;
  /* Where parts are looked for and put, ahead of the store. Default: none. Copied. */
  dovetail_part_cache part_cache;
  /* Called for each compile when it is over, on the thread that compiled, several at the same time, also while a bind
   * waits. Must call nothing of the device. What is found or encoded (prologs, epilogs, glue) is no compile. */
  void *compile_user;
  void (*on_compile)(void *user, const dovetail_compile_event *event);
  /* A folder for files of builds that fail or take long, each with a warning that names it: a shader, or shaders with
   * layout and state, which `dovetail compile` reads. Each is written once, 100 by a device at most. Made if missing,
   * with its parents; one that cannot be written to is a warning. Default: none; "" is an error. */
  const char *dump_path;
  double dump_slow_milliseconds; /* wall time from which on a build is slow; default: only what fails is written */
  uint32_t log_level;            /* dovetail_log_level: what matters less is not logged. Default: warnings and errors */
  /* 1: the first thread of the background is started with the first program, so that no bind with never_compile has to.
   * Policies other than DOVETAIL_POLICY_OFF do so anyway. */
  uint32_t start_background_early;
  uint32_t keep_unpacked; /* 1: optimised variants do not pack several locations into one parameter */
  uint32_t reserved;
} dovetail_device_options;

/* Thread-safe. A store that cannot be used is a warning, not an error. Errors: DOVETAIL_UNKNOWN_GPU, with the names
 * that are known. */
DOVETAIL_API dovetail_status dovetail_device_create(const dovetail_device_options *options, dovetail_device **device,
                                                    dovetail_message *message);

/* Cancels what waits in the background and waits for what runs. Errors: DOVETAIL_BAD_ARGUMENT, with their number, while
 * shaders, programs, states, uniforms or binders of the device exist; the device stays as it is. One thread, with
 * nobody else using the device; not from a callback. */
DOVETAIL_API dovetail_status dovetail_device_destroy(dovetail_device *device, dovetail_message *message);

/* Waits until nothing waits or runs in the background. Thread-safe; not from a callback. */
DOVETAIL_API dovetail_status dovetail_device_drain(dovetail_device *device, dovetail_message *message);

/* Waits until the parts that were made so far are in the store on disk: before a process ends that may not come to
 * dovetail_device_destroy(), or before the folder is copied. Does nothing without a store and with a read-only one.
 * Thread-safe. Errors: DOVETAIL_IO if the store is turned off. */
DOVETAIL_API dovetail_status dovetail_device_flush_store(dovetail_device *device, dovetail_message *message);

/* The parts that the device holds as one run of bytes, which begins with what it is and for whom: for a file beside an
 * application's pipelines. `*size`: bytes that `buffer` has room for; becomes the size of the run. With buffer == NULL,
 * only that; there may be more parts by the next call. Thread-safe. Errors: DOVETAIL_BUFFER_TOO_SMALL, and nothing is
 * written but the size. */
DOVETAIL_API dovetail_status dovetail_device_export_parts(dovetail_device *device, void *buffer, size_t *size,
                                                          dovetail_message *message);

typedef struct dovetail_import_info {
  size_t size;
  uint64_t imported;
  uint64_t known;   /* parts that the device had */
  uint64_t damaged; /* parts whose checksum or encoding is wrong, which were left out */
} dovetail_import_info;

/* Takes in what was exported by a device, or of a variant: what is in it need not be made. info may be NULL.
 * Thread-safe. Errors: DOVETAIL_INVALID_INPUT for what is no such run of bytes, was cut off, or is for another GPU or
 * of another build of Dovetail or LLVM; nothing was taken in then. */
DOVETAIL_API dovetail_status dovetail_device_import_parts(dovetail_device *device, const void *data, size_t size,
                                                          dovetail_import_info *info, dovetail_message *message);

/* How many publications there have been; 0 for NULL. Thread-safe, and as fast as reading a number. */
DOVETAIL_API uint64_t dovetail_device_generation(const dovetail_device *device);

typedef struct dovetail_device_statistics {
  size_t size;
  uint64_t binds;           /* of all binders */
  uint64_t unchanged_binds; /* that were a compare */
  uint64_t known_binds;     /* that found their variant */
  uint64_t waited_binds;    /* that waited for another thread's build */
  uint64_t joined_variants; /* that were built, as are the next two */
  uint64_t monolithic_variants;
  uint64_t optimized_variants;
  uint64_t failed_builds;
  uint64_t rejected_optimizations; /* that were no better */
  uint64_t fallbacks;              /* binds that got a fallback */
  uint64_t optimizer_overtaken;    /* what a bind made itself, because the background had not finished it */
  uint64_t evicted_variants;
  uint64_t evicted_parts;
  uint64_t variants; /* that are held */
  uint64_t variant_bytes;
  uint64_t generation;
  uint64_t parts_made;
  uint64_t parts_found;
  uint64_t part_bytes;        /* of code and constants, that are held */
  uint64_t part_memory_bytes; /* with bookkeeping; with variant_bytes, it is what memory_budget is for */
  uint64_t background_queued;
  uint64_t background_finished;
  uint64_t background_failed;
  uint64_t background_cancelled;
  uint64_t background_refused; /* because the queue was full */
  uint64_t background_waiting; /* now */
  uint64_t background_running; /* now */
  uint64_t store_hits;
  uint64_t store_misses;
  uint64_t store_written;
  uint64_t store_damaged; /* entries that were found damaged and removed; a damaged database counts as one */
  uint64_t store_evicted;
  uint64_t store_dropped; /* not written: too much was waiting already, there was no room, or the part is too large */
  uint64_t store_entries;
  uint64_t store_bytes;
  uint32_t store_is_readable;
  uint32_t store_is_writable;
  uint64_t not_ready_binds;    /* that got nothing and left the build to the background */
  uint64_t parts_stored;       /* found in the driver's cache or the store instead of being made, or imported */
  uint64_t part_cache_damaged; /* that the driver's cache returned */
} dovetail_device_statistics;

/* Thread-safe; the numbers are not all from one moment. */
DOVETAIL_API dovetail_status dovetail_device_get_statistics(const dovetail_device *device,
                                                            dovetail_device_statistics *statistics,
                                                            dovetail_message *message);

#ifdef __cplusplus
}
#endif
