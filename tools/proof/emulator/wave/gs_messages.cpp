// SPDX-License-Identifier: MIT
//
// The rules for geometry messages:
// - M0 holds the wave's geometry wave id.
// - Only lanes that run geometry emit and cut. Each emits at most VGT_GS_MAX_VERT_OUT vertices.
// - GS_DONE comes exactly once, at the end, after all stores have arrived in memory, because the copy shader may read
//   the ring at once.
//
// EMIT needs no such wait: nobody reads before GS_DONE. LLVM's SIInsertWaitcnts and Mesa wait at the same places.
#include "tools/proof/emulator/wave/gs_messages.h"
#include "tools/proof/emulator/wave/wave.h"

namespace dovetail::emulator {

namespace {

void countEmits(Wave &wave, const GsMessageRules &rules, const Message &message) {
  const unsigned stream = gsOperation(message).stream;
  for (unsigned lane = 0; lane < WaveSize; ++lane) {
    if ((message.exec >> lane & 1) == 0)
      continue;
    uint16_t &emitted = wave.gsMessages.emitted[stream][lane];
    if (++emitted > rules.maxVertices)
      return wave.trap(TrapKind::BadMessage, "lane {} emits more than {} vertices to stream {}", lane,
                       rules.maxVertices, stream);
  }
}

} // namespace

void checkGsMessage(Wave &wave, const Message &message) {
  const unsigned id = messageId(message);
  if (id != GsMessage && id != GsDoneMessage)
    return;
  const std::optional<GsMessageRules> &rules = wave.setup().gsMessages;
  const GsOperation operation = gsOperation(message);
  if (!rules || rules->threads == 0)
    return wave.trap(TrapKind::BadMessage, "the wave has no geometry threads");
  if (wave.gsMessages.done)
    return wave.trap(TrapKind::BadMessage, "the wave has already said that it is done");
  if (message.m0 != rules->waveId)
    return wave.trap(TrapKind::BadMessage, "M0 is {:#x}, and the wave's id {:#x}", message.m0, rules->waveId);
  if (id == GsMessage && !operation.emits && !operation.cuts)
    return wave.trap(TrapKind::BadMessage, "it says nothing");

  const uint64_t threads = rules->threads >= WaveSize ? ~uint64_t(0) : (uint64_t(1) << rules->threads) - 1;
  if ((operation.emits || operation.cuts) && (message.exec & ~threads) != 0)
    return wave.trap(TrapKind::BadMessage, "lanes {:#x} run no geometry", message.exec & ~threads);
  if (operation.emits)
    countEmits(wave, *rules, message);
  if (id != GsDoneMessage)
    return;
  if (const size_t accesses = wave.accessesInFlight(); accesses != 0)
    return wave.trap(TrapKind::BadMessage, "{} vector memory operations are still in flight", accesses);
  wave.gsMessages.done = true;
}

void checkGsEnd(Wave &wave) {
  const std::optional<GsMessageRules> &rules = wave.setup().gsMessages;
  if (rules && rules->threads != 0 && !wave.gsMessages.done)
    wave.trap(TrapKind::BadMessage, "the wave ends without GS_DONE");
}

} // namespace dovetail::emulator
