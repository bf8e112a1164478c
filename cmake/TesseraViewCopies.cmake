# tessera_check_view_copies(RESULT KOKKOS_TARGET): RESULT is why programs of this compiler cannot have
# the Views of this Kokkos, in one line, or empty.
#
# g++ 12.2 to 12.5 may lose what initialises a [[no_unique_address]] member that an empty one
# follows. An empty View of Kokkos 4.6.99 then has a record that is not there, and a copy of it ends
# the program; Kokkos 5 works round the fault. With nvcc, Views are made without the attribute.
function(tessera_check_view_copies result target)
  set(${result} "" PARENT_SCOPE)
  string(TOLOWER "${Kokkos_DEVICES}" devices)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12.2
     OR CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13 OR "cuda" IN_LIST devices
     OR CMAKE_CROSSCOMPILING)
    return()
  endif()
  try_run(TESSERA_VIEW_COPY_EXIT TESSERA_VIEW_COPY_COMPILES "${PROJECT_BINARY_DIR}/view_copy"
          "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/view_copy.cpp" LINK_LIBRARIES ${target})
  if(TESSERA_VIEW_COPY_COMPILES AND TESSERA_VIEW_COPY_EXIT STREQUAL "FAILED_TO_RUN")
    unset(TESSERA_VIEW_COPY_EXIT CACHE) # so that the next call looks again
    string(CONCAT why
      "g++ ${CMAKE_CXX_COMPILER_VERSION} miscompiles the Views of the Kokkos ${Kokkos_VERSION} in "
      "${Kokkos_DIR}: a program that copies an empty View ends with a segmentation fault. "
      "Build that Kokkos with -DKokkos_ENABLE_IMPL_VIEW_LEGACY=ON, or take Kokkos 5, or compile Kokkos "
      "and Tessera with g++ 13 or newer")
    set(${result} "${why}" PARENT_SCOPE)
  endif()
endfunction()
