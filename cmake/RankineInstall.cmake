# What `cmake --install` and `cpack` lay down: the program, the example cases.
#
# With RANKINE_BUNDLE (the release preset) also every shared library the program needs, so that the tarball runs on a
# machine with nothing installed. The loader finds them through the program's DT_RPATH, which, unlike DT_RUNPATH, also
# serves the libraries' own dependencies. Left to the machine: the C library and the CUDA driver.

if(NOT TARGET rankine)
  return()
endif()

if(RANKINE_BUNDLE)
  set(data_folder .)
  set(library_folder lib)
else()
  set(data_folder ${CMAKE_INSTALL_DATADIR}/rankine)
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/cases/ DESTINATION ${data_folder}/cases
  FILES_MATCHING
  PATTERN "*.toml" PATTERN "*.geo" PATTERN "*.msh" PATTERN "*.stl" PATTERN "*.step" PATTERN "*.py" PATTERN "*.png"
  PATTERN "*/README.md"
  PATTERN "results" EXCLUDE)
install(FILES README.md LICENSE NOTICE CITATION.cff CHANGELOG.md DESTINATION ${data_folder})

if(NOT RANKINE_BUNDLE)
  install(TARGETS rankine RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  return()
endif()

set_target_properties(rankine PROPERTIES INSTALL_RPATH "$ORIGIN/../${library_folder}")
target_link_options(rankine PRIVATE LINKER:--disable-new-dtags)
install(TARGETS rankine RUNTIME_DEPENDENCY_SET rankine_libraries RUNTIME DESTINATION bin)
install(RUNTIME_DEPENDENCY_SET rankine_libraries
  PRE_EXCLUDE_REGEXES "^lib(cuda|nvidia-.*)\\.so"
  POST_EXCLUDE_REGEXES "/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|resolv|util))\\.so[^/]*$"
  LIBRARY DESTINATION ${library_folder})

set(CPACK_GENERATOR TXZ)
set(CPACK_PACKAGE_NAME rankine)
set(CPACK_PACKAGE_FILE_NAME rankine-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_ARCHIVE_THREADS 0)
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
