; SPDX-License-Identifier: MIT
; RUN: not lgc -passes=lgc-collect-resources %s 2>&1 | FileCheck %s
; An offset in the root table (kind 8) is no descriptor.
; CHECK: lgc.load.descriptor in main has operands that do not go together
define void @main() {
  %d = call <4 x i32> @lgc.load.descriptor.v4i32(i32 8, i32 0, i32 0, i32 0, i32 0)
  ret void
}
declare <4 x i32> @lgc.load.descriptor.v4i32(i32, i32, i32, i32, i32)
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
