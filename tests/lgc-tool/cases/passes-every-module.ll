; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-set-attributes,lgc-replay %s > %t
; RUN: lgc -extract=2 -passes=lgc-optimize-shader %t | FileCheck %s
; What is written of several modules is read as several.
; CHECK: !"stage", i32 4
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 0}
!1 = !{}
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
