"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "cuda.kernel"() <{arg_attrs = [{}], function_type = (!cute.memref<f32, gmem, "(?{div=4}):(1)">) -> (), sym_name = "kernel_scale"}> ({
    ^bb0(%arg1: !cute.memref<f32, gmem, "(?{div=4}):(1)"> loc("<module>"("scale.py":8:0)), %arg2: i32 loc(unknown)):
      %19 = "cute.make_shape"() : () -> !cute.shape<"(6,2)"> loc("a = cute.make_layout((6,2), stride=(1,7))"("scale.py":10:8))
      %21 = "cute.make_layout"(%19, %arg2) <{operandSegmentSizes = array<i32: 1, 1>}> {note = "a } b", "other" = {x = [1 : i32, 2 : i32]}} : (!cute.shape<"(6,2)">, i32) -> !cute.layout<"(6,2):(?,7)"> loc("a = cute.make_layout((6,2), stride=(1,7))"("scale.py":10:8))
      "cute.print"(%21) <{fmt = "say \22loc(x)\22: {}\0A"}> : (!cute.layout<"(6,2):(?,7)">) -> () loc("print(\22 loc(x)\22)"("scale.py":13:4))
      %30:2 = "scf.if"(%arg2) ({
        "scf.yield"(%21, %arg2) : (!cute.layout<"(6,2):(?,7)">, i32) -> () loc("<module>"("scale.py":14:0))
      }, {
        "scf.yield"(%21, %arg2) : (!cute.layout<"(6,2):(?,7)">, i32) -> () loc("<module>"("scale.py":14:0))
      }) {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>} : (i32) -> (!cute.layout<"(6,2):(?,7)">, i32) loc("if n:"("scale.py":14:4))
      "cf.br"(%30#1)[^bb1] : (i32) -> () loc(unknown)
    ^bb1(%40: i32 loc(unknown)):  // pred: ^bb0
      "cuda.return"() : () -> () loc("<module>"("scale.py":19:0))
    ^bb2:  // no predecessors
      "cuda.return"() : () -> () loc("<module>"("scale.py":19:0))
    }) {cu_attrs = {max = #cuda.dev_max_shared_memory_optin, n = 1 : i32}, cute.kernel} : () -> () loc("<module>"("scale.py":8:0))
  }) : () -> () loc("<module>"("scale.py":19:0))
  "func.func"() <{function_type = (i32) -> i32, sym_name = "host"}> ({
  ^bb0(%arg0: i32 loc(unknown)):
    "func.return"(%arg0) : (i32) -> () loc("<module>"("scale.py":19:0))
  }) {llvm.emit_c_interface} : () -> () loc("<module>"("scale.py":19:0))
}) {gpu.container_module} : () -> () loc("<module>"("scale.py":19:0))
