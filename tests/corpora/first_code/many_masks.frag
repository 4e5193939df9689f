// SPDX-License-Identifier: MIT
#version 450

// More masks of waiting lanes than there are SGPRs.
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 target;

#define IF(n) if (p.x * 3.0 > 0.03125 * float(n)) { v = v * 1.125 + float(n);
#define ELSE(n) w += v; } else { v -= p.y * float(n); w *= p.z; }

void main() {
  float v = p.w, w = p.z;
  IF(0) IF(1) IF(2) IF(3) IF(4) IF(5) IF(6) IF(7)
  IF(8) IF(9) IF(10) IF(11) IF(12) IF(13) IF(14) IF(15)
  IF(16) IF(17) IF(18) IF(19) IF(20) IF(21) IF(22) IF(23)
  IF(24) IF(25) IF(26) IF(27) IF(28) IF(29) IF(30) IF(31)
  IF(32) IF(33) IF(34) IF(35) IF(36) IF(37) IF(38) IF(39)
  IF(40) IF(41) IF(42) IF(43) IF(44) IF(45) IF(46) IF(47)
  IF(48) IF(49) IF(50) IF(51) IF(52) IF(53) IF(54) IF(55)
  ELSE(55) ELSE(54) ELSE(53) ELSE(52) ELSE(51) ELSE(50) ELSE(49)
  ELSE(48) ELSE(47) ELSE(46) ELSE(45) ELSE(44) ELSE(43) ELSE(42)
  ELSE(41) ELSE(40) ELSE(39) ELSE(38) ELSE(37) ELSE(36) ELSE(35)
  ELSE(34) ELSE(33) ELSE(32) ELSE(31) ELSE(30) ELSE(29) ELSE(28)
  ELSE(27) ELSE(26) ELSE(25) ELSE(24) ELSE(23) ELSE(22) ELSE(21)
  ELSE(20) ELSE(19) ELSE(18) ELSE(17) ELSE(16) ELSE(15) ELSE(14)
  ELSE(13) ELSE(12) ELSE(11) ELSE(10) ELSE(9) ELSE(8) ELSE(7)
  ELSE(6) ELSE(5) ELSE(4) ELSE(3) ELSE(2) ELSE(1) ELSE(0)
  target = vec4(fract(v), fract(w), fract(v * 0.0625), 1.0);
}
