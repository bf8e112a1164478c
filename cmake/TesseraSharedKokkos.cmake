# Whether this Kokkos can be inside a shared library, as the C interface is one whatever the others are: a static
# Kokkos can only if it was compiled for that.
set(TESSERA_KOKKOS_IS_STATIC OFF)
if(TARGET Kokkos::kokkoscore)
  get_target_property(tessera_kokkos_core_type Kokkos::kokkoscore TYPE)
  if(tessera_kokkos_core_type STREQUAL STATIC_LIBRARY)
    set(TESSERA_KOKKOS_IS_STATIC ON)
  endif()
endif()
if(TESSERA_KOKKOS_IS_STATIC AND UNIX AND NOT APPLE)
  try_compile(
    TESSERA_KOKKOS_FITS_INTO_SHARED "${PROJECT_BINARY_DIR}/static_kokkos"
    "${PROJECT_SOURCE_DIR}/cmake/static_kokkos.cpp"
    COMPILE_DEFINITIONS -fPIC
    LINK_OPTIONS -shared "LINKER:--version-script=${PROJECT_SOURCE_DIR}/packages/c/exports.map"
    LINK_LIBRARIES ${TESSERA_KOKKOS_TARGET})
  if(NOT TESSERA_KOKKOS_FITS_INTO_SHARED)
    message(STATUS "Tessera: without the C interface (the Kokkos in ${Kokkos_DIR} is static, and not compiled "
                   "for shared libraries: build it with CMAKE_POSITION_INDEPENDENT_CODE=ON or as a shared one)")
  endif()
else()
  set(TESSERA_KOKKOS_FITS_INTO_SHARED ON)
endif()
