# What Tessera is built on. Kokkos decides which device the build is for: there is no option of
# Tessera's own for CUDA or HIP.

set(TESSERA_KOKKOS_MINIMUM 4.6)

# Without a version in the call: Kokkos's version file accepts one major release only, and both 4.6
# and 5.x are supported.
find_package(Kokkos REQUIRED CONFIG)
if(Kokkos_VERSION VERSION_LESS TESSERA_KOKKOS_MINIMUM)
  message(FATAL_ERROR "Tessera needs Kokkos ${TESSERA_KOKKOS_MINIMUM} or newer, but ${Kokkos_DIR} "
                      "holds Kokkos ${Kokkos_VERSION}. Set Kokkos_ROOT to a newer one.")
endif()

# Kokkos inside Trilinos may offer only TriBITS's `all_libs`.
if(TARGET Kokkos::kokkos)
  set(TESSERA_KOKKOS_TARGET Kokkos::kokkos)
else()
  set(TESSERA_KOKKOS_TARGET Kokkos::all_libs)
endif()
if(BUILD_SHARED_LIBS AND TARGET Kokkos::kokkoscore)
  get_target_property(tessera_kokkos_type Kokkos::kokkoscore TYPE)
  if(tessera_kokkos_type STREQUAL STATIC_LIBRARY)
    message(FATAL_ERROR "BUILD_SHARED_LIBS=ON needs a shared Kokkos, but the one in ${Kokkos_DIR} is "
                        "static: a program and each of its libraries would have a Kokkos of their "
                        "own. Build Kokkos with BUILD_SHARED_LIBS=ON, or Tessera without.")
  endif()
endif()
string(TOLOWER "${Kokkos_DEVICES}" tessera_kokkos_devices)
message(STATUS "Tessera: Kokkos ${Kokkos_VERSION} (${tessera_kokkos_devices}) in ${Kokkos_DIR}")

set(TESSERA_HAVE_CUDA OFF)
set(TESSERA_HAVE_HIP OFF)
if("cuda" IN_LIST tessera_kokkos_devices)
  set(TESSERA_HAVE_CUDA ON)
  find_package(CUDAToolkit REQUIRED)
endif()
if("hip" IN_LIST tessera_kokkos_devices)
  set(TESSERA_HAVE_HIP ON)
endif()

include("${CMAKE_CURRENT_LIST_DIR}/TesseraViewCopies.cmake")
tessera_check_view_copies(tessera_miscompiled ${TESSERA_KOKKOS_TARGET})
if(tessera_miscompiled)
  message(FATAL_ERROR "${tessera_miscompiled}.")
endif()

set(TESSERA_HAVE_KOKKOSKERNELS OFF)
if(TESSERA_ENABLE_KOKKOSKERNELS)
  find_package(KokkosKernels CONFIG QUIET)
  # One that was built with another Kokkos would bring that one's symbols into the program. Releases of
  # both have the same number; inside Trilinos they lie side by side.
  cmake_path(GET Kokkos_DIR PARENT_PATH tessera_beside_kokkos)
  string(REGEX MATCH "^[0-9]+[.][0-9]+[.]" tessera_kokkos_release "${Kokkos_VERSION}.")
  string(FIND "${KokkosKernels_VERSION}." "${tessera_kokkos_release}" tessera_same_release)
  cmake_path(IS_PREFIX tessera_beside_kokkos "${KokkosKernels_DIR}" tessera_same_folder)
  if(KokkosKernels_FOUND AND NOT tessera_same_folder AND NOT tessera_same_release EQUAL 0)
    message(STATUS "Tessera: without Kokkos Kernels (that in ${KokkosKernels_DIR} "
                   "is not of this Kokkos)")
  elseif(KokkosKernels_FOUND)
    set(TESSERA_HAVE_KOKKOSKERNELS ON)
    if(TARGET Kokkos::kokkoskernels)
      set(TESSERA_KOKKOSKERNELS_TARGET Kokkos::kokkoskernels)
    else()
      set(TESSERA_KOKKOSKERNELS_TARGET KokkosKernels::all_libs)
    endif()
    message(STATUS "Tessera: Kokkos Kernels in ${KokkosKernels_DIR}")
  endif()
endif()

# Two of its libraries, both without BLAS: AMD orders, KLU factors nonsymmetric matrices.
set(TESSERA_HAVE_SUITESPARSE OFF)
if(TESSERA_ENABLE_SUITESPARSE)
  find_package(TesseraSuiteSparse MODULE QUIET)
  if(TesseraSuiteSparse_FOUND)
    set(TESSERA_HAVE_SUITESPARSE ON)
    message(STATUS "Tessera: SuiteSparse's KLU and AMD in ${TESSERA_KLU_LIBRARY}")
  else()
    message(STATUS "Tessera: without a sparse direct solver (no SuiteSparse was found)")
  endif()
endif()

# Orders large meshes for the factors, where there are any.
set(TESSERA_HAVE_SCOTCH OFF)
if(TESSERA_ENABLE_SCOTCH AND TESSERA_HAVE_SUITESPARSE)
  find_package(TesseraScotch MODULE QUIET)
  if(TesseraScotch_FOUND)
    set(TESSERA_HAVE_SCOTCH ON)
    message(STATUS "Tessera: nested dissection by SCOTCH (${TESSERA_SCOTCH_LIBRARY})")
  endif()
endif()

find_package(LAPACK REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
if(TESSERA_HAVE_CUDA)
  # fmt 9, Debian 12's, takes nvcc for a compiler without constexpr and then fails its own checks.
  target_compile_definitions(fmt::fmt INTERFACE FMT_USE_CONSTEXPR=1)
endif()
if(TESSERA_BUILD_APP OR TESSERA_BUILD_PERF_TESTS)
  find_package(CLI11 REQUIRED)
endif()
if(TESSERA_BUILD_PARAMETERS)
  find_package(nlohmann_json REQUIRED)
endif()
if(TESSERA_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
if(TESSERA_BUILD_PERF_TESTS)
  find_package(benchmark QUIET)
endif()

# nvcc preprocesses a source once for the host and once for each device, and ccache keys on one of
# them: it is left out of CUDA builds rather than trusted with both.
if(PROJECT_IS_TOP_LEVEL AND NOT TESSERA_HAVE_CUDA AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TESSERA_CCACHE ccache)
  if(TESSERA_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${TESSERA_CCACHE})
  endif()
endif()
