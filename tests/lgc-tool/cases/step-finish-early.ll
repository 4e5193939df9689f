; SPDX-License-Identifier: MIT
; What the optimisation in front of code generation mends would be left out for good.
; RUN: lgc -passes=lgc-set-attributes,lgc-replay,lgc-optimize-shader,lgc-collect-resources,lgc-lower-in-out,lgc-lower-user-data,lgc-make-entry-point %s -o %t.ll
; RUN: not lgc -passes=lgc-finish-entry-point %t.ll 2>&1 | FileCheck %s
; CHECK: lgc: invalid input: lgc-finish-entry-point takes a module behind lgc-optimize-hardware-form, and this one is behind lgc-make-entry-point
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
