# What `cmake --install` and `cpack` lay down: the libraries as a CMake package (component library), the program and the
# example cases (component program).
#
# With RANKINE_BUNDLE (the release preset) the program alone, with every shared library it needs, so that the tarball
# runs on a machine with nothing installed. The loader finds them through the program's DT_RPATH, which, unlike
# DT_RUNPATH, also serves the libraries' own dependencies. Left to the machine: the C library and the CUDA driver.

# Installs a library of rankine_library with its headers, and the targets that the package's component NAME reads.
function(rankine_install_library name)
  get_target_property(folder rankine_${name} SOURCE_DIR)
  get_target_property(patterns rankine_${name} RANKINE_HEADERS)
  list(TRANSFORM patterns PREPEND ${folder}/)
  file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${patterns})
  foreach(header IN LISTS headers)
    cmake_path(GET header PARENT_PATH room)
    install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rankine/${room}
      COMPONENT library)
  endforeach()
  install(TARGETS rankine_${name} EXPORT rankine_${name} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
  install(EXPORT rankine_${name} NAMESPACE rankine:: FILE rankine-${name}.cmake DESTINATION ${package_folder}
    COMPONENT library)
endfunction()

if(NOT RANKINE_BUNDLE)
  include(CMakePackageConfigHelpers)
  set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/rankine)
  foreach(name IN ITEMS meshes fmm bem gpu)
    rankine_install_library(${name})
  endforeach()
  configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/rankine-config.cmake.in
    ${PROJECT_BINARY_DIR}/rankine-config.cmake INSTALL_DESTINATION ${package_folder})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/rankine-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/rankine-config.cmake ${PROJECT_BINARY_DIR}/rankine-config-version.cmake
    DESTINATION ${package_folder} COMPONENT library)
endif()

if(NOT TARGET rankine)
  return()
endif()

if(RANKINE_BUNDLE)
  set(data_folder .)
  set(library_folder lib)
else()
  set(data_folder ${CMAKE_INSTALL_DATADIR}/rankine)
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/cases/ DESTINATION ${data_folder}/cases COMPONENT program
  FILES_MATCHING
  PATTERN "*.toml" PATTERN "*.geo" PATTERN "*.msh" PATTERN "*.stl" PATTERN "*.step" PATTERN "*.py" PATTERN "*.png"
  PATTERN "*/README.md"
  PATTERN "results" EXCLUDE)
install(FILES README.md LICENSE NOTICE CITATION.cff CHANGELOG.md DESTINATION ${data_folder}
  COMPONENT program)

if(NOT RANKINE_BUNDLE)
  install(TARGETS rankine RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  return()
endif()

set_target_properties(rankine PROPERTIES INSTALL_RPATH "$ORIGIN/../${library_folder}")
target_link_options(rankine PRIVATE LINKER:--disable-new-dtags)
install(TARGETS rankine RUNTIME_DEPENDENCY_SET rankine_libraries RUNTIME DESTINATION bin COMPONENT program)
install(RUNTIME_DEPENDENCY_SET rankine_libraries
  PRE_EXCLUDE_REGEXES "^lib(cuda|nvidia-.*)\\.so"
  POST_EXCLUDE_REGEXES "/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|resolv|util))\\.so[^/]*$"
  LIBRARY DESTINATION ${library_folder} COMPONENT program)

set(CPACK_GENERATOR TXZ)
set(CPACK_PACKAGE_NAME rankine)
set(CPACK_PACKAGE_FILE_NAME rankine-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_ARCHIVE_THREADS 0)
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
