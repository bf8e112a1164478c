# What every target of Tessera shares.

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# An installed program finds the libraries that it was linked with, wherever they lie: Tessera's own,
# where they are shared ones, beside itself.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
file(RELATIVE_PATH tessera_bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
if(BUILD_SHARED_LIBS AND NOT APPLE)
  set(CMAKE_INSTALL_RPATH "\$ORIGIN" "\$ORIGIN/${tessera_bin_to_lib}")
endif()

if(TESSERA_BUILD_FUZZERS AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # The library as well, so that the fuzzer sees which branches an input takes.
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined)
  add_link_options(-fsanitize=address,undefined)
endif()

# Warnings for Tessera's own sources only; an embedder's targets never see them.
function(tessera_target_defaults target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wnon-virtual-dtor
                                           -Woverloaded-virtual)
  if(TESSERA_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Sources are compiled several at a time, for most of what a compiler does with one is to read Kokkos.
# Twelve: sixteen would gain a twelfth of what kernels take, and whoever changes one waits for all.
# CUDA's presets take fewer, for nvcc's memory.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_UNITY_BUILD)
  set(CMAKE_UNITY_BUILD ON)
  if(NOT DEFINED CMAKE_UNITY_BUILD_BATCH_SIZE)
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)
    # Of `src`, whose sources are small: a tenth less to compile than by sixteen.
    set(TESSERA_BATCHES_SMALL_SOURCES 24)
  endif()
endif()

# What runs once or for moments (the command, reports, parameters, tests) is compiled for a short
# build: in half the time.
function(tessera_compile_quickly target)
  if(NOT TESSERA_HAVE_CUDA AND NOT TESSERA_HAVE_HIP)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# The same for a library, static or shared as BUILD_SHARED_LIBS says. Before 1.0 minor versions break.
function(tessera_library_defaults target)
  tessera_target_defaults(${target})
  set_target_properties(
    ${target}
    PROPERTIES VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
               DEFINE_SYMBOL "" # nothing is marked for export: the same objects for both
               VERIFY_INTERFACE_HEADER_SETS ON)
  # There the adapters are under test, and the libraries, at -O3, in the other configuration.
  # Performance programs measure them: not where these are built.
  if(TESSERA_TEST_ADAPTERS_ONLY AND NOT TESSERA_BUILD_PERF_TESTS)
    tessera_compile_quickly(${target})
  endif()
endfunction()

# tessera_without_other_devices(<variable>): a list of files without those for devices that this Kokkos
# does not have, and without those for MPI where there is none.
function(tessera_without_other_devices variable)
  set(files ${${variable}})
  if(NOT TESSERA_HAVE_CUDA)
    list(FILTER files EXCLUDE REGEX "(^|/)cuda/")
  endif()
  if(NOT TESSERA_HAVE_HIP)
    list(FILTER files EXCLUDE REGEX "(^|/)hip/")
  endif()
  if(NOT MPI_CXX_FOUND)
    list(FILTER files EXCLUDE REGEX "(^|/)mpi/")
  endif()
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# tessera_glob(<variable> <pattern>...): the files below the current folder that match, without
# those for devices that this Kokkos does not have. CONFIGURE_DEPENDS, because a file's folder alone
# says what it belongs to: adding one needs no edit of a list.
function(tessera_glob variable)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${ARGN})
  tessera_without_other_devices(files)
  list(TRANSFORM files PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# tessera_add_headers(<target> [<folder>...]): the headers that are installed with the target, which
# VERIFY_INTERFACE_HEADER_SETS compiles alone as well: those of cmake/public_headers.txt that are in
# the current folder, or in another one that is named. All others are the library's own.
function(tessera_add_headers target)
  set(list_file ${PROJECT_SOURCE_DIR}/cmake/public_headers.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list_file})
  file(STRINGS ${list_file} names REGEX "^(public|needed) ")
  list(TRANSFORM names REPLACE "^[a-z]+ " "")
  tessera_without_other_devices(names)
  set(headers "")
  foreach(folder IN ITEMS ${CMAKE_CURRENT_SOURCE_DIR} ${ARGN})
    foreach(name IN LISTS names)
      if(EXISTS ${folder}/${name})
        list(APPEND headers ${folder}/${name})
      endif()
    endforeach()
  endforeach()
  target_sources(
    ${target}
    PUBLIC FILE_SET HEADERS
           BASE_DIRS ${CMAKE_CURRENT_SOURCE_DIR} ${ARGN}
           FILES ${headers})
endfunction()

# fmt 9 takes nvcc for a compiler without constexpr, and then calls what it did not declare so.
function(tessera_fmt_for_nvcc target)
  if(TESSERA_HAVE_CUDA)
    target_compile_definitions(${target} PRIVATE FMT_USE_CONSTEXPR=1 "FMT_CONSTEVAL=")
  endif()
endfunction()

# A program in C on the C interface. Instruments that the flags for C++ bring have a library of their own,
# which a program needs before any other.
function(tessera_link_c_program target)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize|--coverage")
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
endfunction()

# An executable that uses the library and is not installed for embedders.
function(tessera_add_executable target)
  add_executable(${target} ${ARGN})
  tessera_target_defaults(${target})
  target_link_libraries(${target} PRIVATE Tessera::tessera)
endfunction()
