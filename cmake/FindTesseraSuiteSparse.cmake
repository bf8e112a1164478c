# Finds SuiteSparse's KLU and AMD and what they need, and makes the target
# TesseraSuiteSparse::TesseraSuiteSparse, to link with; TESSERA_KLU_INCLUDE_DIR is for the few sources
# that include klu.h and amd.h. SuiteSparse's own packages exist from release 6 on only;
# this one reads the libraries themselves. SuiteSparse_ROOT names a folder where they are.

find_path(
  TESSERA_KLU_INCLUDE_DIR klu.h
  HINTS ${SuiteSparse_ROOT} $ENV{SuiteSparse_ROOT}
  PATH_SUFFIXES include suitesparse include/suitesparse)
set(tessera_suitesparse_libraries "")
set(tessera_suitesparse_variables "")
foreach(name klu btf colamd amd suitesparseconfig)
  string(TOUPPER TESSERA_${name}_LIBRARY variable)
  find_library(
    ${variable} ${name}
    HINTS ${SuiteSparse_ROOT} $ENV{SuiteSparse_ROOT}
    PATH_SUFFIXES lib lib64)
  mark_as_advanced(${variable})
  list(APPEND tessera_suitesparse_variables ${variable})
  list(APPEND tessera_suitesparse_libraries ${${variable}})
endforeach()
mark_as_advanced(TESSERA_KLU_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  TesseraSuiteSparse REQUIRED_VARS ${tessera_suitesparse_variables} TESSERA_KLU_INCLUDE_DIR)

if(TesseraSuiteSparse_FOUND AND NOT TARGET TesseraSuiteSparse::TesseraSuiteSparse)
  add_library(TesseraSuiteSparse::TesseraSuiteSparse INTERFACE IMPORTED)
  set_target_properties(
    TesseraSuiteSparse::TesseraSuiteSparse
    PROPERTIES INTERFACE_LINK_LIBRARIES "${tessera_suitesparse_libraries}")
endif()
unset(tessera_suitesparse_libraries)
unset(tessera_suitesparse_variables)
