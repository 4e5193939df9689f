// SPDX-License-Identifier: MIT
//
// A program that is linked with failing_allocations.cpp has an operator new of its own, which fails when it is told to.
// The library's allocations come there, too, because a program's functions go before those of libstdc++.
#pragma once

namespace dovetail::test {

// Allocations of this thread until one fails; negative: none does, which is also so after one has failed.
extern thread_local long allocationsLeft;

} // namespace dovetail::test
