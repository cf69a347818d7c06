// The processor's own instructions for SHA-256, which Swift cannot name.
#ifndef WAYSTONE_CSHA256_SHIM_H
#define WAYSTONE_CSHA256_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

// Whether this processor has them (Intel's Software Developer's Manual, volume 2A, CPUID).
static inline bool waystone_sha256_is_supported(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3)) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29));
}

// Takes whole blocks of 64 bytes into the eight words of the state; `k` are the 64 constants. Two
// registers keep the state as the instructions want it, words A, B, E, F and C, D, G, H.
__attribute__((target("sha,sse4.1,ssse3"))) static inline void waystone_sha256_compress(
    uint32_t *state, const uint8_t *block, size_t count, const uint32_t *k) {
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
  const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
  __m128i abef = _mm_alignr_epi8(badc, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, badc, 0xF0);
  for (; count > 0; count--, block += 64) {
    const __m128i first = abef, second = cdgh;
    __m128i words[4];
    for (int i = 0; i < 4; i++)
      words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)block + i), order);
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      const __m128i now = words[i & 3], last = words[(i + 3) & 3];
      const __m128i sum = _mm_add_epi32(now, _mm_loadu_si128((const __m128i *)k + i));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
      if (i >= 12) continue;
      const __m128i next = _mm_add_epi32(_mm_sha256msg1_epu32(now, words[(i + 1) & 3]),
                                         _mm_alignr_epi8(last, words[(i + 2) & 3], 4));
      words[i & 3] = _mm_sha256msg2_epu32(next, last);
    }
    abef = _mm_add_epi32(abef, first);
    cdgh = _mm_add_epi32(cdgh, second);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#else

static inline bool waystone_sha256_is_supported(void) { return false; }

static inline void waystone_sha256_compress(
    uint32_t *state, const uint8_t *block, size_t count, const uint32_t *k) {
  (void)state, (void)block, (void)count, (void)k;
}

#endif

#endif
