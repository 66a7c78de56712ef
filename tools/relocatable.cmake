# attend_relocatable(TARGET OBJECTS): one object file, $<TARGET_FILE:TARGET>, of all objects of an object library. To
# CMake it is an executable, so it is linked with the compiler, linker, system root and flags of the build.
function(attend_relocatable target objects)
  if(NOT CMAKE_OBJCOPY)
    message(FATAL_ERROR "The static library needs objcopy: set CMAKE_OBJCOPY")
  endif()
  add_executable(${target} $<TARGET_OBJECTS:${objects}>)
  set_target_properties(${target} PROPERTIES SUFFIX .o LINKER_LANGUAGE C POSITION_INDEPENDENT_CODE OFF)
  # --no-gc-sections, because nothing is called yet. The other flags are for -flto, which generates code only now: as
  # machine code, since objcopy does not see names in the compiler's internal form; and position-independent.
  target_link_options(${target} PRIVATE -r -nostdlib LINKER:--no-gc-sections
    $<$<C_COMPILER_ID:GNU>:-flinker-output=nolto-rel$<SEMICOLON>-fPIC>)
endfunction()
