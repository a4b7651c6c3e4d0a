// The headers of everything that the site sends: what a page of it may do in a browser, and what others may do with it.

const NEVER_FRAMED = [
  'X-Content-Type-Options',
  'nosniff',
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Opener-Policy',
  'same-origin',
  'Cross-Origin-Resource-Policy',
  'same-origin',
]

/** Of an answer that no cache may keep. */
export const PRIVATE: readonly string[] = [...NEVER_FRAMED, 'Cache-Control', 'no-store']

/** Of what a cluster answers: should somebody open it as a page, nothing in it runs. */
export const PASSED: readonly string[] = [...PRIVATE, 'Content-Security-Policy', "default-src 'none'; sandbox"]

/** Of a file whose name changes with its content. */
export const FOREVER: readonly string[] = [...NEVER_FRAMED, 'Cache-Control', 'public, max-age=31536000, immutable']

/** Of a document. The editor and the dialogs write style elements of their own, which carry the nonce; scripts are files. */
export function documentHeaders(nonce?: string): readonly string[] {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    nonce === undefined ? "style-src 'self'" : `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  return [...PRIVATE, 'Content-Security-Policy', policy.join('; '), 'Content-Type', 'text/html; charset=utf-8']
}
