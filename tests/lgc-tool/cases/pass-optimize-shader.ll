; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-set-attributes,lgc-replay,lgc-optimize-shader %s | FileCheck %s
; What nobody needs is gone.
; CHECK: define void @main()
; CHECK-NEXT: ret void
define void @main() {
  %v = call float @lgc.read.generic.input(i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i1 poison, i1 poison)
  ret void
}
declare float @lgc.read.generic.input(i32, i32, i32, i32, i32, i32, i1, i1)
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
