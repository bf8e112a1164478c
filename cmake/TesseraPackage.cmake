# find_package(Tessera), from an install tree and from this build tree. Each component is an export
# set of its own, so that an embedder who wants the kernels alone needs no LAPACK.

include(CMakePackageConfigHelpers)

set(tessera_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)

set(tessera_components kernels tessera)
if(TARGET tessera_parameters)
  list(APPEND tessera_components parameters)
endif()
if(TARGET tessera_command)
  list(APPEND tessera_components command)
endif()
if(TARGET tessera_distributed)
  list(APPEND tessera_components distributed)
endif()
foreach(component hypre mfem)
  if(TARGET tessera_${component})
    list(APPEND tessera_components ${component})
  endif()
endforeach()
get_property(tessera_adapters GLOBAL PROPERTY TESSERA_ADAPTERS)
foreach(component IN LISTS tessera_components tessera_adapters)
  install(
    TARGETS tessera_${component}
    EXPORT Tessera_${component}
    RUNTIME COMPONENT libraries
    LIBRARY COMPONENT libraries NAMELINK_COMPONENT development
    ARCHIVE COMPONENT development
    FILE_SET HEADERS COMPONENT development)
  install(
    EXPORT Tessera_${component}
    FILE Tessera_${component}.cmake
    NAMESPACE Tessera::
    DESTINATION ${tessera_package_dir}
    COMPONENT development)
  export(
    EXPORT Tessera_${component}
    FILE ${PROJECT_BINARY_DIR}/Tessera_${component}.cmake
    NAMESPACE Tessera::)
endforeach()

# The C interface is a file and a header: what it is linked with, no program that uses it has to find.
if(TARGET tessera_c)
  list(APPEND tessera_components c)
  install(
    TARGETS tessera_c
    RUNTIME COMPONENT libraries
    LIBRARY COMPONENT libraries NAMELINK_COMPONENT development
    FILE_SET HEADERS COMPONENT development)
  file(RELATIVE_PATH tessera_to_libdir ${CMAKE_INSTALL_FULL_LIBDIR}/cmake/Tessera ${CMAKE_INSTALL_FULL_LIBDIR})
  file(RELATIVE_PATH tessera_to_includedir ${CMAKE_INSTALL_FULL_LIBDIR}/cmake/Tessera
       ${CMAKE_INSTALL_FULL_INCLUDEDIR})
  foreach(tree install build)
    if(tree STREQUAL install)
      set(TESSERA_C_FILE "\${CMAKE_CURRENT_LIST_DIR}/${tessera_to_libdir}$<TARGET_FILE_NAME:tessera_c>")
      set(TESSERA_C_INCLUDES "\${CMAKE_CURRENT_LIST_DIR}/${tessera_to_includedir}")
      set(file ${PROJECT_BINARY_DIR}/package_files/Tessera_c.cmake)
    else()
      set(TESSERA_C_FILE $<TARGET_FILE:tessera_c>)
      set(TESSERA_C_INCLUDES ${PROJECT_SOURCE_DIR}/packages/c)
      set(file ${PROJECT_BINARY_DIR}/Tessera_c.cmake)
    endif()
    configure_file(${PROJECT_SOURCE_DIR}/cmake/Tessera_c.cmake.in
                   ${PROJECT_BINARY_DIR}/package_files/Tessera_c.${tree}.in @ONLY)
    file(GENERATE OUTPUT ${file} INPUT ${PROJECT_BINARY_DIR}/package_files/Tessera_c.${tree}.in)
  endforeach()
  install(FILES ${PROJECT_BINARY_DIR}/package_files/Tessera_c.cmake DESTINATION ${tessera_package_dir}
          COMPONENT development)
endif()

get_target_property(tessera_library_type tessera_tessera TYPE)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/TesseraConfig.cmake.in ${PROJECT_BINARY_DIR}/TesseraConfig.cmake
  INSTALL_DESTINATION ${tessera_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
# Read by TesseraConfig.cmake, from the build tree as well.
foreach(module FindTesseraSuiteSparse FindTesseraScotch)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${module}.cmake ${PROJECT_BINARY_DIR}/${module}.cmake
                 COPYONLY)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/TesseraConfig.cmake
              ${PROJECT_BINARY_DIR}/FindTesseraSuiteSparse.cmake
              ${PROJECT_BINARY_DIR}/FindTesseraScotch.cmake
              ${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake
        DESTINATION ${tessera_package_dir}
        COMPONENT development)

include(TesseraPackaging)
