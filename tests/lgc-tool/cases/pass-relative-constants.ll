; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-relative-constants %s | FileCheck %s
; CHECK: asm "s_getpc_b64{{.*}}@dovetail.constant.0
@table = private unnamed_addr addrspace(4) constant [2 x i32] [i32 1, i32 2]
define amdgpu_cs void @_amdgpu_cs_main(i32 inreg %i, ptr addrspace(1) %p) {
  %q = getelementptr [2 x i32], ptr addrspace(4) @table, i32 0, i32 %i
  %v = load i32, ptr addrspace(4) %q
  store i32 %v, ptr addrspace(1) %p
  ret void
}
