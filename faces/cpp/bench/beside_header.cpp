// The header alone, even if the rest of the program is linked with the library.
#undef HASHMILL_LINKED
#include "beside_classes.hpp"

std::vector<beside::implementation> beside::header() { return classes("header"); }
