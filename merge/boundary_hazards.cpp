// SPDX-License-Identifier: MIT
//
// The compiler resolves hazards inside a function; between the last instructions of a part and the first ones of the
// next it does not look. Each part brings a summary of both ends, so that a join compares two short lists. A part that
// is shorter than a hazard's distance lets the hazard pass, so what is pending is carried along the whole stage.
#include "merge/steps.h"
#include "src/isa/hazards.h"
#include <algorithm>
#include <boost/container/small_vector.hpp>

namespace dovetail {

namespace {

using Pending = boost::container::small_vector<isa::HazardEdge, 32>;

// Wait states that must go in front of a part with these consumers.
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

// What is pending behind a part, from what was pending in front of it.
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
