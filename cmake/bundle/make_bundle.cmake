# Fills the folder BUNDLE from the programs in LIST and packs it as tessera-bundle.tar.xz beside it.

set(limit_mb 40)

file(REMOVE_RECURSE ${BUNDLE})
file(MAKE_DIRECTORY ${BUNDLE}/bin ${BUNDLE}/lib)

set(programs "")
set(table "")
file(READ ${LIST} text)
string(REPLACE ";" "|" text "${text}")
string(REGEX MATCHALL "[^\n]+" lines "${text}")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([^|]*)[|]([^|]*)[|](.*)$" matched "${line}")
  set(kind ${CMAKE_MATCH_1})
  set(program ${CMAKE_MATCH_2})
  set(source "${CMAKE_MATCH_3}")
  get_filename_component(file_name ${program} NAME)
  file(COPY ${program} DESTINATION ${BUNDLE}/bin)
  execute_process(COMMAND ${STRIP} ${BUNDLE}/bin/${file_name})
  list(APPEND programs ${program})
  set(expect "")
  if(source)
    file(STRINGS ${source} expect REGEX "^// expect: " LIMIT_COUNT 1)
    string(REPLACE "// expect: " "" expect "${expect}")
  endif()
  string(APPEND table "${kind}\t${file_name}\t${expect}\n")
endforeach()
file(WRITE ${BUNDLE}/programs.tsv "${table}")

# The machine has glibc, whose parts work only with one another, and what comes with the driver and
# the CUDA runtime; all else comes along.
file(
  GET_RUNTIME_DEPENDENCIES
  EXECUTABLES ${programs}
  RESOLVED_DEPENDENCIES_VAR libraries
  UNRESOLVED_DEPENDENCIES_VAR unresolved
  PRE_EXCLUDE_REGEXES
    "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util)\\.so" "^libnsl\\.so"
    "^lib(cuda|cudart|cublas|cublasLt|cusparse|cusolver|curand|cufft|nvJitLink|nvidia-ml|nvrtc)[.-]")
if(unresolved)
  message(FATAL_ERROR "these shared libraries are not found: ${unresolved}")
endif()
foreach(library IN LISTS libraries)
  file(COPY ${library} DESTINATION ${BUNDLE}/lib FOLLOW_SYMLINK_CHAIN)
  get_filename_component(file_name ${library} NAME)
  execute_process(COMMAND ${STRIP} ${BUNDLE}/lib/${file_name})
endforeach()

file(COPY ${RUN} DESTINATION ${BUNDLE}
     FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                      WORLD_EXECUTE)
set(OUTPUT ${BUNDLE}/version)
set(INPUT ${CMAKE_CURRENT_LIST_DIR}/version.in)
include(${CMAKE_CURRENT_LIST_DIR}/../write_version.cmake)

get_filename_component(parent ${BUNDLE} DIRECTORY)
set(archive ${parent}/tessera-bundle.tar.xz)
execute_process(
  COMMAND tar -C ${parent} --sort=name -cf - bundle
  COMMAND xz -T0 -6 -c
  OUTPUT_FILE ${archive} COMMAND_ERROR_IS_FATAL ANY)
file(SIZE ${archive} size)
math(EXPR size_mb "(${size} + 999999) / 1000000")
if(size_mb GREATER limit_mb)
  message(FATAL_ERROR "${archive} has ${size_mb} MB; ${limit_mb} MB are the most that are wanted. "
                      "With BUILD_SHARED_LIBS=ON the programs have the library in common.")
endif()
message(STATUS "${archive}: ${size_mb} MB")
