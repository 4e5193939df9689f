// SPDX-License-Identifier: MIT
//
// The stores that are open in this process, by folder: LMDB must not open one database twice.
#pragma once

#include "parts/store/part_store.h"
#include <functional>
#include <string>

namespace dovetail::store {

// The store of the folder that is open already, or what `open` gives; whichever path leads to the folder. Makes the
// folder if asked to. Errors: Io, and those of `open`.
Result<std::shared_ptr<PartStore>> openOnce(const std::string &path, bool makeFolder,
                                            const std::function<Result<std::shared_ptr<PartStore>>()> &open);

// The store has closed its files.
void closedOnce(const PartStore *store);

} // namespace dovetail::store
