// ICU's enums clash with Foundation's copy of ICU, so the headers are read as if libxml2 had been
// built without it; the library itself is not affected.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
