// SPDX-License-Identifier: MIT
#include "src/abi/target_info.h"
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/handles.h"
#include "variants/c_api/convert/retained_variants.h"
#include "variants/c_api/convert/sized_struct.h"

using namespace dovetail;
using namespace dovetail::c_api;

namespace {

Outcome<JobPriority> readPriority(uint32_t priority) {
  switch (DOVETAIL_C_TRY(readEnum(priority, DOVETAIL_PRIORITY_LOW, "options->priority"))) {
  case DOVETAIL_PRIORITY_NORMAL:
    break;
  case DOVETAIL_PRIORITY_HIGH:
    return JobPriority::Urgent;
  case DOVETAIL_PRIORITY_LOW:
    return JobPriority::Optional;
  }
  return JobPriority::Wanted;
}

Outcome<VariantRef> readFallback(const dovetail_variant *handle, const Device &device) {
  VariantRef fallback = fromHandle(handle)->shared_from_this();
  if (fallback->image->gpuName != device.target().gpuName)
    return badArgument("options->fallback is for {}, and the device for {}", fallback->image->gpuName,
                       device.target().gpuName);
  return fallback;
}

Outcome<BindOptions> readOptions(const dovetail_bind_options *options, const Device &device) {
  BindOptions read;
  if (!options)
    return read;
  const auto given = DOVETAIL_C_TRY(readSized(options, dovetail_bind_options{}, "options"));
  if (given.fallback)
    read.fallback = DOVETAIL_C_TRY(readFallback(given.fallback, device));
  read.neverCompiles = DOVETAIL_C_TRY(readBool(given.never_compile, "options->never_compile"));
  read.priority = DOVETAIL_C_TRY(readPriority(given.priority));
  return read;
}

// The common part of all binds. It calls `readState`, which gives an Outcome<const StateRef *>, after checking binder
// and program.
template <typename ReadState>
dovetail_status bindWith(dovetail_binder *binder, const dovetail_program *program, const ReadState &readState,
                         const dovetail_uniforms *uniforms, const dovetail_bind_options *options,
                         const dovetail_variant **variant, dovetail_message *message) {
  const UniformValuesRef noUniforms;
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(variant, "variant"));
    *variant = nullptr;
    DOVETAIL_C_CHECK(checkNotNull(binder, "binder"));
    DOVETAIL_C_CHECK(checkNotNull(program, "program"));
    if (&program->owner.get() != &binder->owner.get())
      return badArgument("program was made from another device than binder");
    const StateRef *state = DOVETAIL_C_TRY(readState());
    const BindOptions bindOptions = DOVETAIL_C_TRY(readOptions(options, *binder->owner.get().device));
    *variant = toHandle(DOVETAIL_C_TRY(
        binder->binder.bind(program->program, *state, uniforms ? uniforms->values : noUniforms, bindOptions)));
    return {};
  });
}

const StateRef &stateOf(const dovetail_program *program, const dovetail_state *state) {
  return state ? state->state : program->defaultState;
}

} // namespace

dovetail_status dovetail_binder_create(dovetail_device *device, dovetail_binder **binder, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(binder, "binder"));
    *binder = nullptr;
    DOVETAIL_C_CHECK(checkNotNull(device, "device"));
    *binder = makeHandle<dovetail_binder>(*device);
    return {};
  });
}

void dovetail_binder_destroy(dovetail_binder *binder) {
  destroyHandle(binder);
}

void dovetail_binder_prefetch(const dovetail_binder *binder, const dovetail_program *program,
                              const dovetail_state *state, const dovetail_uniforms *uniforms) {
  const UniformValuesRef noUniforms;
  if (binder && program)
    binder->binder.prefetch(program->program, stateOf(program, state), uniforms ? uniforms->values : noUniforms);
}

dovetail_status dovetail_bind(dovetail_binder *binder, const dovetail_program *program, const dovetail_state *state,
                              const dovetail_uniforms *uniforms, const dovetail_bind_options *options,
                              const dovetail_variant **variant, dovetail_message *message) {
  const auto readState = [&]() -> Outcome<const StateRef *> { return &stateOf(program, state); };
  return bindWith(binder, program, readState, uniforms, options, variant, message);
}

dovetail_status dovetail_bind_pipeline_state(dovetail_binder *binder, const dovetail_program *program,
                                             const dovetail_pipeline_state *description,
                                             const dovetail_uniforms *uniforms, const dovetail_bind_options *options,
                                             const dovetail_variant **variant, dovetail_message *message) {
  const auto readState = [&] { return binder->plainState.read(description, "description"); };
  return bindWith(binder, program, readState, uniforms, options, variant, message);
}

static_assert(int(BindKind::None) == DOVETAIL_BIND_NONE && int(BindKind::Unchanged) == DOVETAIL_BIND_UNCHANGED &&
              int(BindKind::Known) == DOVETAIL_BIND_KNOWN && int(BindKind::Found) == DOVETAIL_BIND_FOUND &&
              int(BindKind::Joined) == DOVETAIL_BIND_JOINED && int(BindKind::Encoded) == DOVETAIL_BIND_ENCODED &&
              int(BindKind::Compiled) == DOVETAIL_BIND_COMPILED && int(BindKind::Fallback) == DOVETAIL_BIND_FALLBACK &&
              int(BindKind::NotReady) == DOVETAIL_BIND_NOT_READY);

dovetail_status dovetail_program_cancel_builds(const dovetail_program *program, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(program, "program"));
    program->owner.get().device->cancelBuilds(program->program);
    return {};
  });
}

dovetail_status dovetail_binder_get_last_bind(const dovetail_binder *binder, dovetail_bind_info *info,
                                              dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(binder, "binder"));
    const BindInfo last = binder->binder.lastBind();
    dovetail_bind_info answer = {};
    answer.kind = uint32_t(last.kind);
    answer.waited = last.waited;
    answer.parts_encoded = last.parts.encoded;
    answer.parts_compiled = last.parts.compiled;
    answer.parts_stored = last.parts.stored;
    answer.longest_part = uint32_t(last.parts.longestKind);
    answer.longest_part_microseconds = last.parts.longestMicroseconds;
    return writeSized(answer, info, "info");
  });
}

dovetail_status dovetail_build(dovetail_device *device, const dovetail_program *program, const dovetail_state *state,
                               const dovetail_build_options *options, const dovetail_variant **variant,
                               dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(variant, "variant"));
    *variant = nullptr;
    DOVETAIL_C_CHECK(checkNotNull(device, "device"));
    DOVETAIL_C_CHECK(checkNotNull(program, "program"));
    if (&program->owner.get() != device)
      return badArgument("program was made from another device");
    const auto given = DOVETAIL_C_TRY(readSizedOr(options, dovetail_build_options{}, "options"));
    DOVETAIL_C_CHECK(checkReserved(given.reserved, "options->reserved"));
    const BuildOptions buildOptions = {.monolithic = DOVETAIL_C_TRY(readBool(given.monolithic, "options->monolithic"))};
    VariantRef built =
        DOVETAIL_C_TRY(device->device->bind(program->program->set, stateOf(program, state)->fields, buildOptions));
    const Variant *handle = built.get();
    retainVariant(std::move(built));
    *variant = toHandle(handle);
    return {};
  });
}

dovetail_status dovetail_variant_retain(const dovetail_variant *variant, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(variant, "variant"));
    retainVariant(fromHandle(variant)->shared_from_this());
    return {};
  });
}

void dovetail_variant_release(const dovetail_variant *variant) {
  if (variant)
    releaseVariant(fromHandle(variant));
}
