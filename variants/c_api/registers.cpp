// SPDX-License-Identifier: MIT
//
// Gives a driver the registers as it writes them: in runs, as differences, and with masks of its own bits.
#include "merge/registers/register_runs.h"
#include "src/abi/get_target.h"
#include "src/abi/registers/register_fields.h"
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/handles.h"

using namespace dovetail;
using namespace dovetail::c_api;

static_assert(int(RegisterSpace::Config) == DOVETAIL_REGISTER_SPACE_CONFIG &&
              int(RegisterSpace::Sh) == DOVETAIL_REGISTER_SPACE_SH &&
              int(RegisterSpace::Context) == DOVETAIL_REGISTER_SPACE_CONTEXT &&
              int(RegisterSpace::Uconfig) == DOVETAIL_REGISTER_SPACE_UCONFIG);
// The function hands out masks as they lie in memory.
static_assert(sizeof(RegisterMask) == sizeof(dovetail_register_mask) &&
              offsetof(RegisterMask, address) == offsetof(dovetail_register_mask, address) &&
              offsetof(RegisterMask, imageBits) == offsetof(dovetail_register_mask, variant_bits) &&
              offsetof(RegisterMask, driverBits) == offsetof(dovetail_register_mask, driver_bits));

namespace {

dovetail_register_run toRun(const RegisterRun &run) {
  return {static_cast<uint32_t>(run.space),
          run.address,
          run.address - startOf(run.space),
          run.packetIndex,
          run.count,
          run.firstValue};
}

} // namespace

dovetail_status dovetail_variant_get_register_runs(const dovetail_variant *variant, const dovetail_variant *previous,
                                                   dovetail_register_run *runs, size_t *run_count, uint32_t *values,
                                                   size_t *value_count, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(variant, "variant"));
    DOVETAIL_C_CHECK(checkNotNull(run_count, "run_count"));
    DOVETAIL_C_CHECK(checkNotNull(value_count, "value_count"));
    const Image &image = *fromHandle(variant)->image;
    const Image *const before = previous ? fromHandle(previous)->image : nullptr;
    if (before && before->gpuName != image.gpuName)
      return badArgument("previous is for {}, and the variant for {}", before->gpuName, image.gpuName);
    const RegisterRuns written = before ? changedRegisterRuns(*before, image) : registerRuns(image);

    const size_t roomForRuns = *run_count, roomForValues = *value_count;
    *run_count = written.runs.size();
    *value_count = written.values.size();
    DOVETAIL_C_CHECK(checkRoom(runs, roomForRuns, written.runs.size(), "runs"));
    DOVETAIL_C_CHECK(checkRoom(values, roomForValues, written.values.size(), "values"));
    if (runs)
      std::ranges::transform(written.runs, runs, toRun);
    if (values)
      std::ranges::copy(written.values, values);
    return {};
  });
}

dovetail_status dovetail_register_get_masks(const char *gpu, dovetail_register_mask *masks, size_t *count,
                                            dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(gpu, "gpu"));
    DOVETAIL_C_CHECK(checkNotNull(count, "count"));
    const TargetInfo &target = *DOVETAIL_C_TRY(getTarget(gpu));
    const std::span<const RegisterMask> rows =
        registerMasks(target.hasMergedStages ? RegisterGenerations::Gfx9 : RegisterGenerations::Gfx8);
    return handOut(std::span(reinterpret_cast<const dovetail_register_mask *>(rows.data()), rows.size()), masks, count,
                   "masks");
  });
}
