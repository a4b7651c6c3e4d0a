// The continue token of a paged list: a revision and the key to continue at. Revision -1 means "the newest", which a
// client may accept after its pages expired.

import { badRequest } from '@homeostat/meta'

export interface ContinueToken {
  readonly revision: number
  /** The first key of the next page. */
  readonly start: string
}

export function encodeContinue(token: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: token.revision, start: token.start })).toString(
    'base64url',
  )
}

export function decodeContinue(text: string, prefix: string): ContinueToken {
  let token: { v?: unknown; rv?: unknown; start?: unknown }
  try {
    token = JSON.parse(Buffer.from(text, 'base64url').toString()) as typeof token
  } catch {
    throw badRequest('continue key is not valid: take it from metadata.continue of the page before')
  }
  const { v, rv, start } = token ?? {}
  if (
    v !== 'meta.k8s.io/v1' ||
    typeof rv !== 'number' ||
    !Number.isSafeInteger(rv) ||
    typeof start !== 'string' ||
    !start.startsWith(prefix)
  ) {
    throw badRequest('continue key is not valid: it belongs to another list')
  }
  return { revision: rv, start }
}
