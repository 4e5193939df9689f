// SPDX-License-Identifier: MIT
//
// Loops over the 64 lanes, compiled twice: for any host, and for those with AVX2. Nothing in either contracts or
// reorders, so that both give the same bits.
#pragma once

// In front of a loop in which no iteration touches what another one does, although registers may be the same.
#ifdef __clang__
#define DOVETAIL_LANES_ARE_APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define DOVETAIL_LANES_ARE_APART _Pragma("GCC ivdep")
#endif

namespace dovetail::emulator {

#if defined(__x86_64__) && defined(__GNUC__)

inline const bool HostHasAvx2 = __builtin_cpu_supports("avx2") != 0;

template <typename Loop> [[gnu::target("avx2"), gnu::flatten]] void runWithAvx2(const Loop &loop) {
  loop();
}

// Runs `loop`, of which all that it calls is inlined.
template <typename Loop> void withHostVectors(const Loop &loop) {
  if (HostHasAvx2)
    runWithAvx2(loop);
  else
    loop();
}

#else

template <typename Loop> void withHostVectors(const Loop &loop) {
  loop();
}

#endif

} // namespace dovetail::emulator
