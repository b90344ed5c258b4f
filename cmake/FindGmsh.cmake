# The Gmsh SDK (gmsh.h and the shared library), which comes without a CMake package: target
# Gmsh::Gmsh.
find_path(GMSH_INCLUDE_DIR gmsh.h)
find_library(GMSH_LIBRARY gmsh)
mark_as_advanced(GMSH_INCLUDE_DIR GMSH_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Gmsh
  REQUIRED_VARS GMSH_LIBRARY GMSH_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libgmsh-dev, or configure with -DRANKINE_PROGRAM=OFF")

if(Gmsh_FOUND AND NOT TARGET Gmsh::Gmsh)
  add_library(Gmsh::Gmsh SHARED IMPORTED)
  set_target_properties(Gmsh::Gmsh PROPERTIES
    IMPORTED_LOCATION ${GMSH_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${GMSH_INCLUDE_DIR})
endif()
