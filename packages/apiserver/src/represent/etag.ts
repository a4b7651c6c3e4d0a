// Whether a client already has what it asks for, by the ETag it was given.

/** `etag` is quoted. Weak tags count as strong ones: the bodies are the same for everyone. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
