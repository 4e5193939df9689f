// SPDX-License-Identifier: MIT
//
// LLVM resolves hazards inside a function, but the last instructions of a part and the first ones of the next part can
// have hazards, too. Each part has a summary of both its ends, so the join only compares two short lists at each
// boundary and decides how many wait states go there. A hazard can reach across a part that is shorter than the
// hazard's distance, so pending hazards are carried along the whole stage.
#include "merge/steps.h"
#include "src/isa/hazards.h"
#include <algorithm>
#include <boost/container/small_vector.hpp>

namespace dovetail {

namespace {

using Pending = boost::container::small_vector<isa::HazardEdge, 32>;

// The wait states that must go in front of a part with these consumers.
unsigned missingWaitStates(const Pending &pending, const isa::HazardSummary &next) {
  unsigned missing = 0;
  for (const isa::HazardEdge &producer : pending)
    for (const isa::HazardEdge &consumer : next.sensitiveAtStart) {
      unsigned have = producer.waitStates + consumer.waitStates;
      unsigned need = isa::requiredWaitStates(producer.hazard);
      if (have < need && isa::conflict(producer, consumer))
        missing = std::max(missing, need - have);
    }
  return missing;
}

// Makes the list of what is pending behind a part from the list in front of it. `inserted`: wait states in front of the
// part.
void advance(Pending &pending, unsigned inserted, const isa::HazardSummary &part) {
  unsigned passed = inserted + part.length;
  auto expired = [&](isa::HazardEdge &edge) {
    unsigned waitStates = edge.waitStates + passed;
    edge.waitStates = uint8_t(std::min(waitStates, 255u));
    return waitStates >= isa::requiredWaitStates(edge.hazard);
  };
  pending.erase(std::remove_if(pending.begin(), pending.end(), expired), pending.end());
  pending.insert(pending.end(), part.pendingAtEnd.begin(), part.pendingAtEnd.end());
}

} // namespace

void resolveBoundaryHazards(Image &image) {
  for (const ImageStage &stage : image.stages) {
    Pending pending;
    for (unsigned i = 0; i < stage.partCount; ++i) {
      ImagePart &placed = image.parts[stage.firstPart + i];
      unsigned missing = pending.empty() ? 0 : missingWaitStates(pending, placed.part->hazards);
      placed.waitStates = uint8_t(missing);
      advance(pending, missing, placed.part->hazards);
    }
  }
}

} // namespace dovetail
