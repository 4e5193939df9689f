; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-set-attributes %s | FileCheck %s
; CHECK: br i1 %done, label %end, label %loop, !llvm.loop ![[#LOOP:]]
; CHECK: ![[#LOOP]] = distinct !{![[#LOOP]], ![[#OFF:]]}
; CHECK: ![[#OFF]] = !{!"llvm.loop.unroll.disable"}
define void @main() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, 4
  br i1 %done, label %end, label %loop
end:
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 0}
!1 = !{!"shaderOptions", !2}
!2 = !{!3}
!3 = !{!"disableLoopUnroll", i32 1}
