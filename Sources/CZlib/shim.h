// zlib, as Swift can import it.
#ifndef WAYSTONE_CZLIB_SHIM_H
#define WAYSTONE_CZLIB_SHIM_H

#include <zlib.h>

// inflateInit2 and deflateInit2 are macros that pass the structure's size, which Swift does not
// import. A negative window size means a raw DEFLATE stream, without zlib's header; 16 more than the
// greatest a gzip stream, whose checksum is held against its contents.
static inline int waystone_raw_inflate_init(z_stream *stream) {
  return inflateInit2(stream, -MAX_WBITS);
}
static inline int waystone_raw_deflate_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
static inline int waystone_gzip_inflate_init(z_stream *stream) {
  return inflateInit2(stream, MAX_WBITS + 16);
}

#endif
