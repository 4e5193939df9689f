// SPDX-License-Identifier: MIT
//
// The steps of a join, in running order. Each step works on the Image that is being built; join.cpp says what holds
// between them.
#pragma once

#include "merge/image.h"
#include "merge/join.h"
#include "src/base/error.h"

namespace dovetail {

// collect_parts.cpp: the stages and parts in their order, each stage with the interface of its main part.
Result<void> collectParts(const JoinInput &input, Image &image);
// group_layout.cpp: how threads are grouped, how they share LDS and the off-chip buffer, and the samples of a pixel.
Result<void> layOutGroups(const PipelineState &state, const TargetInfo &target, Image &image);
// usage.cpp: the registers, scratch and LDS of a stage, over all its parts; which inputs the hardware loads.
Result<void> mergeUsage(const TargetInfo &target, Image &image);
// user_data.cpp: the content of each user SGPR, and the root dwords that are read.
Result<void> mapUserData(const TargetInfo &target, Image &image);
// contracts.cpp: checks that each part finds its inputs, and that modes agree.
Result<void> checkContracts(const Image &image);
// boundary_hazards.cpp: decides where an s_nop goes in front of a part.
void resolveBoundaryHazards(Image &image);
// layout.cpp: layOutText() gives text and constants their places; codeBytes() is the size of both; copyText() copies
// them there.
void layOutText(Image &image);
uint32_t codeBytes(const Image &image);
void copyText(Image &image);
// relocate.cpp: fills in the fields that depend on places.
Result<void> relocate(Image &image);
// registers/registers.h: all registers that the driver has to program.
void writeRegisters(const PipelineState &state, const TargetInfo &target, Image &image);

// Of parts that run one after the other: the first part that is not glue, and the float mode of the first part that
// asks for one.
const Part &firstOwnPart(std::span<const ImagePart> parts);
uint8_t floatModeOf(std::span<const ImagePart> parts);

// For messages: "the fragment epilog".
std::string describePart(const Part &part);

} // namespace dovetail
