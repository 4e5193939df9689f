// SPDX-License-Identifier: MIT
//
// Defects of LLVM, fixed or not, in branches and loops: in its structuriser, its uniformity analysis, its passes that
// lower control flow, and its sinking of instructions.
#include "tests/features/llvm-defects/llvm_defects.h"
#include <array>
#include <bit>

using namespace dovetail;

TEST_CASE("LLVM #203256, #67456: a uniform value is another one for each lane that leaves a loop with it") {
  const DefectInputs in = noise();
  // The numbers come from a uniform buffer, or from a buffer that the shader writes, which is loaded to VGPRs.
  for (const bool isLoadedToVector : {false, true}) {
    const uint32_t first = isLoadedToVector ? in.words[200] : in.uniforms[4];
    const uint32_t second = isLoadedToVector ? in.words[201] : in.uniforms[9];
    checkDefect(
        "", "",
        std::string("uint limit = data[i & 31u] & 7u, n = 0u, ") +
            (isLoadedToVector ? "k = data[200], j = data[201];" : "k = u[1].x, j = u[2].y;") +
            "for (;;) { k = (k ^ j) + 11u; j = (k << 3) | 1u; n++; if (n > limit) break; }"
            "r(0) = k + 1u; r(1) = j; r(2) = n + k; r(3) = (k & 0xffu) | (j << 9); r(4) = k ^ data[i]; r(5) = k;"
            "uint sum = 0u; for (uint m = 0u; m < (k & 3u); m++) sum += j ^ m; r(6) = sum;",
        in, 7, [&](uint32_t i, uint32_t row) {
          const uint32_t limit = in.words[i & 31] & 7;
          uint32_t k = first, n = 0, j = second, sum = 0;
          do {
            k = (k ^ j) + 11, j = k << 3 | 1;
          } while (++n <= limit);
          for (uint32_t m = 0; m < (k & 3); ++m)
            sum += j ^ m;
          const uint32_t results[] = {k + 1, j, n + k, (k & 0xff) | j << 9, k ^ in.words[i], k, sum};
          return results[row];
        });
  }
}

TEST_CASE(
    "LLVM #203256: what only the number of the round decides goes from an inner loop to the next round of the outer") {
  const DefectInputs in = noise();
  checkDefect("GL_EXT_shader_explicit_arithmetic_types_int16", "",
              "uint v = data[i], w = data[i + 1];"
              "for (uint n = 0u; n <= (data[i + 2] & 3u); n++) {"
              "  uint last = v & 3u, k = 0u; do { v = k ^ 0x871c1a66u; k++; } while (k <= last);"
              "  uint end = (w & 3u) + 1u; for (uint m = 0u; m < end; m++) w = (m ^ 5u) * 0x00010003u + u[1].x; }"
              "r(0) = v; r(1) = w;"
              "uint x = data[i + 3]; int16_t h = int16_t(x);"
              "for (uint n = 0u; n < 4u; n++) { uint end = uint(h) & 7u; for (uint m = 0u; m < end; m++)"
              "  { h = int16_t(m * 77u + n); x = m; } } r(2) = uint(int(h)); r(3) = x;",
              in, 4, [&](uint32_t i, uint32_t row) {
                uint32_t v = in.words[i], w = in.words[i + 1], x = in.words[i + 3];
                for (uint32_t n = 0; n <= (in.words[i + 2] & 3); ++n) {
                  v = (v & 3) ^ 0x871c1a66u;
                  w = ((w & 3) ^ 5) * 0x00010003u + in.uniforms[4];
                }
                int16_t h = static_cast<int16_t>(x);
                for (uint32_t n = 0; n < 4; ++n)
                  if (const uint32_t end = h & 7; end > 0)
                    h = static_cast<int16_t>((end - 1) * 77 + n), x = end - 1;
                const uint32_t results[] = {v, w, static_cast<uint32_t>(int32_t(h)), x};
                return results[row];
              });
}

TEST_CASE("LLVM #203256: an array in registers leaves a loop with each lane's own round") {
  const DefectInputs in = noise();
  checkDefect("", "",
              "uint limit = data[i & 31u] & 7u, a[4] = uint[4](0u, 0u, 0u, 0u);"
              "for (uint n = 0u; n <= limit; n++) {"
              "  a[1] = i; a = uint[4](0u, 0u, 0u, 0u); a[n & 3u] = 0xf0f0f0f1u; }"
              "r(0) = a[0]; r(1) = a[1]; r(2) = a[2] + 3u; r(3) = a[3] ^ i;",
              in, 4, [&](uint32_t i, uint32_t row) {
                uint32_t a[4] = {};
                a[in.words[i & 31] & 3] = 0xf0f0f0f1;
                const uint32_t results[] = {a[0], a[1], a[2] + 3, a[3] ^ i};
                return results[row];
              });
}

TEST_CASE("LLVM: a loop of one round that some lanes return from, around a comparison of vectors") {
  const DefectInputs in = noise();
  checkDefect(
      "", "",
      "r(0) = 77u; uint sum = 0u;"
      "for (uint n = 0u; n < 1u; n++) { uvec2 p = uvec2(i, 0x55555555u) * uvec2(0u, i);"
      "  int d = int(p.x - p.y); if (d <= -1923363058) return;"
      "  ivec4 w = ivec4(0, d, 0, 0); uvec4 s = mix(uvec4(3u, 0u, 0u, 0u), uvec4(0u), lessThanEqual(w, ivec4(0)));"
      "  uint z = int(s.x) < 1 ? 1u : 0u; sum = i == 999u ? uint(findMSB(z)) : 1u; }"
      "r(0) = sum;",
      in, 1, [](uint32_t i, uint32_t) { return static_cast<int32_t>(0u - 0x55555555u * i) <= -1923363058 ? 77u : 1u; });
}

TEST_CASE("LLVM #155408, #157969, #183792: what costs nothing stays in its arm of nested branches") {
  const DefectInputs in = noise();
  const auto &d = in.words;
  checkDefect("", "",
              "uvec4 w = uvec4(data[i], data[i + 2], data[i + 4], data[i + 6]), x = w; uint y;"
              "if ((data[i + 9] & 1u) != 0u) {"
              "  if ((data[i + 10] & 1u) != 0u) { if ((data[i + 11] & 1u) != 0u) x = w.yxwz; else x.x = w.z; }"
              "  else x.z += 3u;"
              "} else if ((data[i + 12] & 2u) != 0u) { x.xy = w.zw; r(5) = 1u; }"
              "switch (data[i + 13] & 3u) { case 0u: y = w.x; break; case 1u: y = w.y; break;"
              "  case 2u: if (data[i + 11] > data[i + 12]) { y = w.z; break; } y = data[i + 20]; break;"
              "  default: y = w.w; }"
              "r(0) = x.x; r(1) = x.y; r(2) = x.z; r(3) = x.w; r(4) = y;",
              in, 6, [&](uint32_t i, uint32_t row) {
                const std::array<uint32_t, 4> w = {d[i], d[i + 2], d[i + 4], d[i + 6]};
                std::array<uint32_t, 4> x = w;
                const bool isFirst = d[i + 9] & 1, isLast = !isFirst && (d[i + 12] & 2);
                if (isFirst && !(d[i + 10] & 1))
                  x[2] += 3;
                else if (isFirst && (d[i + 11] & 1))
                  x = {w[1], w[0], w[3], w[2]};
                else if (isFirst)
                  x[0] = w[2];
                else if (isLast)
                  x[0] = w[2], x[1] = w[3];
                const uint32_t which = d[i + 13] & 3;
                const uint32_t y = which != 2 ? w[which] : d[i + 11] > d[i + 12] ? w[2] : d[i + 20];
                return row < 4 ? x[row] : row == 4 ? y : uint32_t(isLast);
              });
}

TEST_CASE("LLVM #210695: a value that only the outer of two loops changes is kept by the inner one") {
  const DefectInputs in = noise();
  checkDefect("", "",
              "int last = 0, sum = 0; uint n = 0u;"
              "for (;;) { bool is_end = false; int least;"
              "  for (;;) { n++; if (n > (i & 15u) + 2u) { is_end = true; break; }"
              "    least = min(int(data[n]) >> 3, int(data[n + 50])); if (least > last) sum += int(n);"
              "    if (((i + n) & 1u) == 0u) break; }"
              "  if (is_end) break; last = least; }"
              "r(0) = uint(sum); r(1) = uint(last);",
              in, 2, [&](uint32_t i, uint32_t row) {
                int32_t last = 0, sum = 0;
                for (uint32_t n = 1; n <= (i & 15) + 2; ++n) {
                  const int32_t least = std::min(int32_t(in.words[n]) >> 3, int32_t(in.words[n + 50]));
                  if (least > last)
                    sum += n;
                  if (((i + n) & 1) == 0)
                    last = least;
                }
                return uint32_t(row == 0 ? sum : last);
              });
}

TEST_CASE("LLVM #137277, #139667, #216296: which of several exits a lane takes differs, whoever chose the exit") {
  DefectInputs in = noise();
  for (uint32_t stop = 1; stop < 7; stop += 2) {
    in.uniforms[0] = stop;
    checkDefect(
        "", "",
        "uint q = 0u, k = 0u, stop = u[0].x;"
        "for (;;) { k++;"
        "  if ((i & 7u) < k) { uint n = 0u; bool is_end = false;"
        "    for (;;) { if (n > (u[k].x & 3u)) { is_end = true; break; } n++; if ((u[n].y & 1u) == 0u) break; }"
        "    if (is_end) { q = 1u; break; } }"
        "  else if ((u[k].z & 3u) == 0u) { q = 2u; break; }"
        "  if (k > stop) { q = 3u; break; } }"
        "uint p; uint m = 0u; for (;;) { m++; if (m * 3u > (i & 15u)) { p = 1u; break; } if (m > stop) { p = 2u; "
        "break; } }"
        "r(0) = q * 10u + k; r(1) = q == 1u ? 5u : 6u + q; r(2) = p * 17u; if (p == 1u) r(3) = m; else r(4) = m;",
        in, 5, [&](uint32_t i, uint32_t row) {
          const auto at = [&](uint32_t index, uint32_t part) { return in.uniforms[index * 4 + part]; };
          uint32_t q = 0, k = 0, m = 1;
          while (!q) {
            ++k;
            if ((i & 7) < k) {
              for (uint32_t n = 0;;) {
                if (n > (at(k, 0) & 3)) {
                  q = 1;
                  break;
                }
                if ((at(++n, 1) & 1) == 0)
                  break;
              }
            } else if ((at(k, 2) & 3) == 0) {
              q = 2;
            }
            if (!q && k > stop)
              q = 3;
          }
          while (m * 3 <= (i & 15) && m <= stop)
            ++m;
          const bool isFirst = m * 3 > (i & 15);
          const uint32_t results[] = {q * 10 + k, q == 1 ? 5 : 6 + q, isFirst ? 17u : 34u, isFirst ? m : 0,
                                      isFirst ? 0 : m};
          return results[row];
        });
  }
}

TEST_CASE("LLVM #180870, #197240: a loop leaves by a comparison with its counter, whatever bounds its rounds besides") {
  DefectInputs in = noise();
  for (uint32_t i = 0; i < 64; ++i)
    in.words[i] = i < 40 ? i : 0u - i;
  for (uint32_t i = 64; i < 256; ++i)
    in.words[i] |= 1u << 20;
  const auto &d = in.words;
  checkDefect(
      "", "",
      "int limit = int(data[i]), v = 1;"
      "for (;;) { int next = v + 1; if (!(uint(next) < uint(limit) && limit > 0)) break;"
      "  if (!(uint(v - 1) < (data[64 + v] & 0x7fffffffu))) break; v = next; }"
      "int bound = limit & 0x7fffffff, w = 1;"
      "for (;;) { int next = w + 1; if (!(next < bound && limit > 0)) break;"
      "  if (!(w - 1 < int(data[64 + w] & 0x7fffffffu))) break; w = next; }"
      "int x = 40; for (;;) { int next = x - 1; if (!(next > limit && limit >= 0)) break;"
      "  if (!(x + 3 > int(data[64 + x] >> 31))) break; x = next; }"
      "int g = 7 + int(i & 3u) * 1061, m; bool c; uint rounds = 0u; m = 2;"
      "for (;;) { int h = -m; g -= 1061; rounds++; c = 2 <= h; if (g == 7) { m = 2; if (rounds > 5u) break; continue; }"
      "  m = 0; if (!c) break; }"
      "r(0) = uint(v); r(1) = uint(w); r(2) = uint(x); r(3) = uint(g); r(4) = rounds;",
      in, 5, [&](uint32_t i, uint32_t row) {
        const int32_t limit = static_cast<int32_t>(d[i]);
        int32_t v = 1, x = 40;
        while (limit > 0 && v + 1 < limit)
          ++v;
        while (limit >= 0 && x - 1 > limit)
          --x;
        int32_t g = 7 + int32_t(i & 3) * 1061;
        uint32_t rounds = 0;
        do {
          g -= 1061, ++rounds;
        } while (g == 7 && rounds <= 5);
        const uint32_t results[] = {uint32_t(v), uint32_t(v), uint32_t(x), uint32_t(g), rounds};
        return results[row];
      });
}

TEST_CASE("LLVM #179267, #73337: flags of lanes that come round loops with uniform branches") {
  const DefectInputs in = noise();
  const auto &d = in.words;
  checkDefect(
      "", "",
      "bool p = (data[i] & 1u) != 0u, s = data[i] > data[i + 1], t = data[i] > data[i + 2]; uint sum = 0u, n = 0u;"
      "for (;;) { n++; bool q = (data[i + n] & 2u) != 0u; if (p) sum += n;"
      "  if ((u[n].x & 4u) != 0u) { p = q; sum ^= 3u; } else if ((u[n].y & 1u) == 0u) p = !q;"
      "  if (n > (u[15].x & 7u)) break; }"
      "for (uint m = 0u; m < 5u; m++) { bool old = s; s = t ^^ (data[i + m] > 0x3f000000u);"
      "  if (u[m].x > u[m].y) t = old; else t = s || old; if (u[m].z == 77u) break; r(m) = uint(s) * 2u + uint(t); }"
      "r(5) = sum + (p ? 1000u : 0u); r(6) = uint(s) + uint(t) * 4u;",
      in, 7, [&](uint32_t i, uint32_t row) {
        const auto at = [&](uint32_t index, uint32_t part) { return in.uniforms[index * 4 + part]; };
        bool p = d[i] & 1, s = d[i] > d[i + 1], t = d[i] > d[i + 2];
        uint32_t sum = 0, n = 0;
        uint32_t results[7] = {};
        do {
          ++n;
          const bool q = d[i + n] & 2;
          if (p)
            sum += n;
          if (at(n, 0) & 4)
            p = q, sum ^= 3;
          else if ((at(n, 1) & 1) == 0)
            p = !q;
        } while (n <= (at(15, 0) & 7));
        for (uint32_t m = 0; m < 5; ++m) {
          const bool old = s;
          s = t != (d[i + m] > 0x3f000000u);
          t = at(m, 0) > at(m, 1) ? old : s || old;
          results[m] = s * 2 + t;
        }
        results[5] = sum + (p ? 1000 : 0), results[6] = s + t * 4;
        return results[row];
      });
}

TEST_CASE("LLVM #215829, #223957: a comparison that is branched on and selects uniforms, too") {
  for (const float value : {0.25f, 4.0f}) {
    DefectInputs in = noise();
    in.uniforms[0] = std::bit_cast<uint32_t>(value);
    checkDefect(
        "GL_KHR_shader_subgroup_vote", "",
        "float f = uintBitsToFloat(u[0].x); uint p = u[1].x * 3u + u[1].y, q = u[1].z ^ u[1].w;"
        "bool c = f * 3.0 > 1.5; uint a = c ? p : q; r(0) = a; if (c) { r(1) = a + i; } else { r(2) = a ^ p; }"
        "bool e = subgroupAny(isinf(float(i) * f / 0.0) && f > 1.0); uint b = e ? q : p; if (e) r(3) = b;"
        "r(4) = b + a; bool all = subgroupAll(f > 1.0); r(5) = all ? p : q; if (all) r(6) = p; r(7) = all ? 1u : 2u;",
        in, 8, [&](uint32_t i, uint32_t row) {
          const auto &u = in.uniforms;
          const uint32_t p = u[4] * 3 + u[5], q = u[6] ^ u[7];
          const bool c = value > 1;
          const uint32_t a = c ? p : q, b = c ? q : p;
          const uint32_t results[] = {a, c ? a + i : 0, c ? 0 : a ^ p, c ? b : 0, a + b, a, c ? p : 0, c ? 1u : 2u};
          return results[row];
        });
  }
}

TEST_CASE("LLVM #120121, #121787: a branch around a block that jumps elsewhere stays") {
  const DefectInputs in = noise();
  const auto &d = in.words;
  checkDefect("", "",
              "uint n = 0u, x = 0u; while (true) { n++;"
              "  if ((data[i + n] & 3u) == 1u) continue;"
              "  if (data[i + n] > 0xff000000u) { if ((i & 1u) == 0u) break; x += 7u; }"
              "  if (n >= 20u) break; x ^= n; }"
              "r(0) = n; r(1) = x;",
              in, 2, [&](uint32_t i, uint32_t row) {
                uint32_t n = 0, x = 0;
                while (true) {
                  ++n;
                  if ((d[i + n] & 3) == 1)
                    continue;
                  if (d[i + n] > 0xff000000u) {
                    if ((i & 1) == 0)
                      break;
                    x += 7;
                  }
                  if (n >= 20)
                    break;
                  x ^= n;
                }
                return row == 0 ? n : x;
              });
}

TEST_CASE("LLVM #166955, #166665: subgroup operations on uniform values see the lanes that are on") {
  for (const uint32_t least : {0u, 7u}) {
    DefectInputs in = noise();
    in.uniforms[1] = 5, in.uniforms[2] = least;
    checkDefect(
        "GL_KHR_shader_subgroup_ballot GL_KHR_shader_subgroup_vote", "",
        "bool c = u[0].y > u[0].z; if ((data[i] & 1u) != 0u) { uvec4 lanes = subgroupBallot(c);"
        "  r(0) = lanes.x; r(1) = lanes.y; r(2) = subgroupBroadcastFirst(u[0].x + i);"
        "  r(3) = subgroupAll(c) ? 1u : 2u; r(4) = subgroupAny(c) ? u[0].x : u[1].x; }"
        "uint n = 0u; while (n < (data[i] & 7u)) { n += subgroupBallotBitCount(subgroupBallot(c)) == 0u ? 2u : 1u; }"
        "r(5) = n;",
        in, 6, [&](uint32_t i, uint32_t row) {
          uint64_t lanes = 0;
          for (uint32_t lane = 0; lane < 64; ++lane)
            lanes |= uint64_t(in.words[lane] & 1) << lane;
          const bool c = 5 > least;
          const uint32_t limit = in.words[i] & 7, x = in.uniforms[0];
          const uint32_t results[] = {c ? uint32_t(lanes) : 0, c ? uint32_t(lanes >> 32) : 0,
                                      x + uint32_t(std::countr_zero(lanes)), c ? 1u : 2u, c ? x : in.uniforms[4]};
          return row == 5 ? c ? limit : (limit + 1) / 2 * 2 : in.words[i] & 1 ? results[row] : 0;
        });
  }
}

TEST_CASE("LLVM: whether a condition that is the opposite of another holds in all lanes, or in none") {
  const std::string before =
      "uint64_t number = uint64_t(data[i]) << 32 | data[64u + i]; bvec2 pair = bvec2(false); pair[0] = number < 1ul;\n"
      "bool both = pair.x || number == 7ul; uint extended = uint(pair.x), any_ = uint(any(pair));\n";
  const std::pair<const char *, bool (*)(uint64_t)> conditions[] = {
      {"any(pair)", [](uint64_t number) { return number == 0; }},
      {"!any(pair)", [](uint64_t number) { return number != 0; }},
      {"all(not(pair))", [](uint64_t number) { return number != 0; }},
      {"both", [](uint64_t number) { return number == 0 || number == 7; }},
      {"extended == 0u", [](uint64_t number) { return number != 0; }},
      {"any_ != 0u", [](uint64_t number) { return number == 0; }},
      {"bool(any_ ^ 1u)", [](uint64_t number) { return number != 0; }},
  };
  for (const auto &[text, holds] : conditions) {
    const std::string condition = text;
    CAPTURE(condition);
    const ShaderSet shaders = computeOf(
        "GL_KHR_shader_subgroup_vote GL_KHR_shader_subgroup_ballot GL_EXT_shader_explicit_arithmetic_types", "",
        before + "uint all_ = 7u, none = 7u;\nif (subgroupAll(" + condition +
            ")) { data[192u + i] = 1u; all_ = 5u; }\nif (!subgroupAny(" + condition +
            ")) { data[256u + i] = 1u; none = 5u; }\ndata[320u + i] = all_; data[384u + i] = none;\n"
            "if (subgroupBallot(" +
            condition + ") == uvec4(0u)) data[128u + i] = 1u;");
    for (const unsigned level : {0u, 2u})
      for (const unsigned zeros : {0u, 1u, 63u, 64u}) {
        CAPTURE(level);
        CAPTURE(zeros);
        std::vector<uint32_t> words(448, 0);
        for (unsigned i = zeros; i < 64; ++i)
          words[64 + i] = i + 1;
        unsigned count = 0;
        for (unsigned i = 0; i < 64; ++i)
          count += holds(words[64 + i]);
        const std::vector<uint32_t> results = computedWords(atLevel(level, shaders), words);
        CHECK(results[320] == (count == 64 ? 5 : 7));
        CHECK(results[384] == (count == 0 ? 5 : 7));
        CHECK(results[192] == (count == 64));
        CHECK(results[256] == (count == 0));
        CHECK(results[128] == (count == 0));
      }
  }
}

TEST_CASE("a loop that runs once, behind a loop that lanes leave one after the other") {
  const ShaderSet shaders = computeOf("", "",
                                      "uint value = 1u; for (uint n = 0u; n < (data[i] & 7u); ++n) value += 3u * n;\n"
                                      "for (uint once = 0u; once < 1u; ++once) if (i < 9u) value = 127u;\n"
                                      "data[64u + i] = value; uint other = 1u; for (uint n = 0u; n < i; ++n) ;\n"
                                      "for (uint once = 0u; once < 1u; ++once) if (i < 1u) other = 127u;\n"
                                      "data[128u + i] = other;");
  std::vector<uint32_t> words(192, 0);
  for (unsigned i = 0; i < 64; ++i)
    words[i] = i * 5;
  for (const unsigned level : {0u, 1u, 2u, 3u}) {
    CAPTURE(level);
    const std::vector<uint32_t> results = computedWords(atLevel(level, shaders), words);
    for (unsigned i = 0; i < 64; ++i) {
      const unsigned rounds = i * 5 & 7;
      CHECK(results[64 + i] == (i < 9 ? 127 : 1 + 3 * (rounds * (rounds ? rounds - 1 : 0) / 2)));
      CHECK(results[128 + i] == (i < 1 ? 127 : 1));
    }
  }
}

// The constant that the scan and the store share.
TEST_CASE("LLVM: a constant of the whole wave makes VGPRs of waiting lanes ones of the whole wave") {
  const DefectInputs in = noise();
  for (const bool isWide : {false, true})
    checkDefect("GL_KHR_shader_subgroup_arithmetic GL_EXT_shader_explicit_arithmetic_types_int64 "
                "GL_EXT_shader_subgroup_extended_types_int64",
                "",
                std::string("uint v = data[i], kept = 32u, all = 0u;"
                            "if ((v & 1u) != 0u) { kept = v; all = ") +
                    (isWide ? "uint(subgroupOr(uint64_t(v)));" : "subgroupOr(v);") +
                    "} data[256u + 2u * i] = 0u; data[257u + 2u * i] = kept; r(2) = all;"
                    "r(3) = uint(subgroupInclusiveAdd(uint64_t(v)) >> 1);",
                in, 4, [&](uint32_t i, uint32_t row) {
                  uint32_t all = 0;
                  uint64_t sum = 0;
                  for (uint32_t lane = 0; lane < 64; ++lane) {
                    all |= in.words[lane] & 1 ? in.words[lane] : 0;
                    sum += lane <= i ? in.words[lane] : 0;
                  }
                  if (row == 2)
                    return in.words[i] & 1 ? all : 0;
                  if (row == 3)
                    return static_cast<uint32_t>(sum >> 1);
                  const uint32_t lane = (64 * row + i) / 2, word = in.words[lane];
                  return i % 2 == 0 ? 0 : word & 1 ? word : 32;
                });
}

// More values than VGPRs live in front of the branch and in it. Lanes that do not take it keep those of the front.
TEST_CASE("LLVM: spills and reloads between instructions of the whole wave run in lanes that wait") {
  constexpr uint32_t count = 270;
  const DefectInputs in = noise();
  const auto word = [](uint32_t j, uint32_t step) {
    return "data[(" + std::to_string(step) + "u * i + " + std::to_string(j) + "u) & 255u]";
  };
  std::string front, inner, sums, result;
  for (uint32_t j = 0; j < count; ++j) {
    const std::string n = std::to_string(j);
    front += "uint k" + n + " = " + word(j, 1) + ";";
    inner += "uint a" + n + " = " + word(j, 3) + ";";
    if (j % 6 == 0)
      sums += "all = all * 3u + subgroupAdd(a" + n + ");";
    sums += "k" + n + " = a" + n + ";";
    result += "all = all * 5u + k" + n + ";";
  }
  checkDefect("GL_KHR_shader_subgroup_arithmetic", "",
              front + "uint all = 0u; r(1) = i; if ((data[i] & 1u) != 0u) {" + inner + "r(2) = i;" + sums +
                  "} r(3) = all;" + result + "r(0) = all;",
              in, 4, [&](uint32_t i, uint32_t row) {
                if (row == 1)
                  return i;
                const bool isIn = in.words[i] & 1;
                if (row == 2)
                  return isIn ? i : 0;
                uint32_t all = 0;
                for (uint32_t j = 0; isIn && j < count; j += 6) {
                  uint32_t sum = 0;
                  for (uint32_t lane = 0; lane < 64; ++lane)
                    sum += in.words[lane] & 1 ? in.words[(3 * lane + j) & 255] : 0;
                  all = all * 3 + sum;
                }
                if (row == 3)
                  return all;
                for (uint32_t j = 0; j < count; ++j)
                  all = all * 5 + in.words[((isIn ? 3 : 1) * i + j) & 255];
                return all;
              });
}

// More numbers of the whole wave than SGPRs. Each is read once more when all have been read.
TEST_CASE("LLVM: spilled SGPRs are in lanes of VGPRs that no other value gets") {
  constexpr uint32_t count = 130;
  const DefectInputs in = noise();
  std::string front, again;
  for (uint32_t j = 0; j < count; ++j) {
    const std::string n = std::to_string(j);
    front += "uint k" + n + " = subgroupBroadcastFirst(data[(i + " + n + "u) & 255u]); all = all * 31u + k" + n + ";";
    again += "sum = (sum * 3u) ^ (k" + n + " + all);";
  }
  checkDefect("GL_KHR_shader_subgroup_ballot", "",
              "uint all = 0u, own = data[i] * 5u;" + front + "uint sum = all;" + again +
                  "r(0) = sum; r(1) = own; r(2) = i + all;",
              in, 3, [&](uint32_t i, uint32_t row) {
                uint32_t all = 0;
                for (uint32_t j = 0; j < count; ++j)
                  all = all * 31 + in.words[j];
                if (row == 1)
                  return in.words[i] * 5;
                if (row == 2)
                  return i + all;
                uint32_t sum = all;
                for (uint32_t j = 0; j < count; ++j)
                  sum = (sum * 3) ^ (in.words[j] + all);
                return sum;
              });
}
