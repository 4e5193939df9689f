// SPDX-License-Identifier: MIT
//
// A listing as machine code, without a compiler: one walk over the steps, in which registers are given out
// (placed_values.h), loads are waited for where their values are used, and branches and exports end the program.
#pragma once

#include "parts/listing/listing.h"
#include "src/abi/interface/link_constant.h"
#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "src/isa/encoder.h"
#include <boost/container/small_vector.hpp>

namespace dovetail {

struct EncodedListing {
  isa::Encoder code;
  struct LinkLiteral {
    uint32_t offset; // of the dword in the code
    LinkConstant constant;
  };
  boost::container::small_vector<LinkLiteral, 2> linkLiterals;
};

// Errors: Unsupported if registers do not suffice.
Result<EncodedListing> encodeListing(const Listing &listing, const TargetInfo &target);

} // namespace dovetail
