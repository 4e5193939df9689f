// SPDX-License-Identifier: MIT
//
// Encodes a listing as machine code, without a compiler. One walk over the steps assigns registers (placed_values.h),
// waits for loads where their values are used, and ends the program with branches and exports.
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
