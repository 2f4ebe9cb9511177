// The header alone, though the rest of the program may be linked with the library.
#undef HASHMILL_LINKED
#include "beside_classes.hpp"

std::vector<beside::implementation> beside::header() { return classes("header"); }
