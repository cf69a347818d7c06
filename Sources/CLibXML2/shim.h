// libxml2, as Swift can import it.
#ifndef WAYSTONE_CLIBXML2_SHIM_H
#define WAYSTONE_CLIBXML2_SHIM_H

// ICU's enums clash with Foundation's copy of ICU in a clean debug build, so the headers are read
// as if libxml2 had been built without it; the library itself is not affected.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

// The version of the library that is linked, such as "20914"; a variable, which Swift takes for shared state.
static inline const char *waystone_libxml2_version(void) { return xmlParserVersion; }

#endif
