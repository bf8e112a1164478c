# cmake -DSTAGE= -DLIBDIR= -DKOKKOS_LIBRARIES= -DKOKKOS_CMAKE= -DLICENSE= -P complete_tarball.cmake
# Adds to the files of a tarball in STAGE what another machine may lack: Kokkos, whose headers are part of
# Tessera's, and the shared libraries. LIBDIR, such as lib/x86_64-linux-gnu, is below STAGE.

file(GLOB kokkos_files ${KOKKOS_LIBRARIES}/libkokkos*)
file(COPY ${kokkos_files} DESTINATION ${STAGE}/${LIBDIR})
file(COPY ${KOKKOS_CMAKE} DESTINATION ${STAGE}/${LIBDIR}/cmake)
# Kokkos names its headers relative to its own prefix: the nearest folder above that has an include/.
set(kokkos_prefix ${KOKKOS_CMAKE})
while(NOT IS_DIRECTORY ${kokkos_prefix}/include)
  get_filename_component(above ${kokkos_prefix} DIRECTORY)
  if(above STREQUAL kokkos_prefix)
    message(FATAL_ERROR "no folder above ${KOKKOS_CMAKE} has Kokkos' headers in include/")
  endif()
  set(kokkos_prefix ${above})
endwhile()
file(RELATIVE_PATH kokkos_libdir ${kokkos_prefix} ${KOKKOS_LIBRARIES})
if(NOT kokkos_libdir STREQUAL LIBDIR)
  message(FATAL_ERROR "Kokkos' libraries lie in ${kokkos_libdir} of ${kokkos_prefix}, Tessera's in "
                      "${LIBDIR}: set CMAKE_INSTALL_LIBDIR to the former, for the tarball has both")
endif()
# Debian has them in a folder of their own; a prefix that is Kokkos' alone, one beside the other.
if(IS_DIRECTORY ${kokkos_prefix}/include/kokkos)
  file(COPY ${kokkos_prefix}/include/kokkos DESTINATION ${STAGE}/include)
else()
  file(COPY ${kokkos_prefix}/include DESTINATION ${STAGE})
endif()
file(GLOB kokkos_tools ${kokkos_prefix}/bin/*kokkos* ${kokkos_prefix}/bin/nvcc_wrapper)
if(kokkos_tools)
  file(COPY ${kokkos_tools} DESTINATION ${STAGE}/bin)
endif()

# glibc's parts work only with one another; the driver and the CUDA runtime are the machine's own.
set(glibc "^lib(c|m|mvec|dl|rt|pthread|resolv|util)\\.so")
set(cuda "^lib(cuda|cudart|cublas|cublasLt|cusparse|cusolver|curand|cufft|nvJitLink|nvidia-ml|nvrtc)[.-]")
file(GLOB libraries ${STAGE}/${LIBDIR}/lib*.so.*)
file(
  GET_RUNTIME_DEPENDENCIES
  EXECUTABLES ${STAGE}/bin/tessera
  LIBRARIES ${libraries}
  RESOLVED_DEPENDENCIES_VAR resolved
  UNRESOLVED_DEPENDENCIES_VAR unresolved
  CONFLICTING_DEPENDENCIES_PREFIX conflicting
  PRE_EXCLUDE_REGEXES "^ld-linux" "${glibc}" "^libtessera" "^libkokkos" "${cuda}")
if(unresolved OR conflicting_FILENAMES)
  message(FATAL_ERROR "these shared libraries are not found, or in two places: "
                      "${unresolved} ${conflicting_FILENAMES}")
endif()
set(TAKEN "")
foreach(library IN LISTS resolved)
  get_filename_component(file_name ${library} NAME)
  # By the name that the programs ask for, whatever chain of links leads to it.
  get_filename_component(file ${library} REALPATH)
  configure_file(${file} ${STAGE}/${LIBDIR}/${file_name} COPYONLY)
  string(APPEND TAKEN "\n    ${file_name}")
endforeach()

# Those of CUDA, by the names under which they are asked for.
file(GLOB libraries ${STAGE}/${LIBDIR}/lib*.so*)
execute_process(
  COMMAND objdump -p ${STAGE}/bin/tessera ${libraries}
  OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "NEEDED +[^\n]+" needed "${headers}")
list(TRANSFORM needed REPLACE "NEEDED +" "")
list(FILTER needed INCLUDE REGEX "${cuda}")
list(REMOVE_DUPLICATES needed)
set(OF_THE_MACHINE "")
if(needed)
  list(SORT needed)
  list(JOIN needed "\n    " OF_THE_MACHINE)
  set(OF_THE_MACHINE "
It is for NVIDIA GPUs. The driver and the CUDA toolkit are the machine's own; the toolkit's nvcc compiles a program
of your own, and the loader finds these by ldconfig's list or LD_LIBRARY_PATH:
    ${OF_THE_MACHINE}
")
endif()

# CMake looks below lib/cmake wherever it does not know the name of the architecture.
if(NOT LIBDIR STREQUAL lib)
  foreach(package Tessera Kokkos)
    file(RELATIVE_PATH there ${STAGE}/lib/cmake/${package} ${STAGE}/${LIBDIR}/cmake/${package})
    file(WRITE ${STAGE}/lib/cmake/${package}/${package}Config.cmake
         "include(\${CMAKE_CURRENT_LIST_DIR}/${there}/${package}Config.cmake)\n")
    file(WRITE ${STAGE}/lib/cmake/${package}/${package}ConfigVersion.cmake
         "include(\${CMAKE_CURRENT_LIST_DIR}/${there}/${package}ConfigVersion.cmake)\n")
  endforeach()
endif()

# The newest symbols of glibc that anything asks for.
file(GLOB libraries ${STAGE}/${LIBDIR}/lib*.so*)
execute_process(
  COMMAND objdump -T ${STAGE}/bin/tessera ${libraries}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "GLIBC_[0-9]+[.][0-9]+" versions "${symbols}")
list(REMOVE_DUPLICATES versions)
list(SORT versions COMPARE NATURAL)
list(GET versions -1 GLIBC)
string(REPLACE GLIBC_ "" GLIBC ${GLIBC})
file(COPY ${LICENSE} DESTINATION ${STAGE})
configure_file(${CMAKE_CURRENT_LIST_DIR}/README.txt.in ${STAGE}/README.txt @ONLY)
message(STATUS "the tarball needs glibc ${GLIBC} and takes along:${TAKEN}")
