# hashmill::hashmill  the shared library, hashmill.h and the C++ headers, which call it
# hashmill::static    the same with the static library
# hashmill::headers   the C++ headers alone

get_filename_component(hashmill_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
get_filename_component(hashmill_prefix "${hashmill_lib}/@UP@" ABSOLUTE)

if(NOT TARGET hashmill::hashmill)
  add_library(hashmill::hashmill SHARED IMPORTED)
  set_target_properties(hashmill::hashmill PROPERTIES
    @SHARED@
    INTERFACE_INCLUDE_DIRECTORIES "${hashmill_prefix}/include"
    INTERFACE_COMPILE_DEFINITIONS HASHMILL_LINKED)

  add_library(hashmill::static STATIC IMPORTED)
  set_target_properties(hashmill::static PROPERTIES
    IMPORTED_LOCATION "${hashmill_lib}/libhashmill.a"
    INTERFACE_INCLUDE_DIRECTORIES "${hashmill_prefix}/include"
    INTERFACE_COMPILE_DEFINITIONS HASHMILL_LINKED)

  add_library(hashmill::headers INTERFACE IMPORTED)
  set_target_properties(hashmill::headers PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${hashmill_prefix}/include"
    INTERFACE_COMPILE_FEATURES cxx_std_20)
endif()
