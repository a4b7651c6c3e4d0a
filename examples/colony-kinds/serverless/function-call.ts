// One call of a function that somebody else runs: what is sent, and what its answer means. Pure.

import { type Fields, numberOf, textOf } from '../resource.ts'
import type { Read } from '../unused-fields.ts'

export const FUNCTION_FIELDS: Read = { url: true, secret: true, timeoutSeconds: true }
const DEFAULT_TIMEOUT = 30

export interface FunctionTarget {
  readonly url: URL
  readonly secret: string | undefined
  readonly timeoutMs: number
}

/** Or what is wrong with it. The controller's machine reaches more than those who write resources may: hosts are listed. */
export function functionTarget(
  { url, secret, timeoutSeconds }: Fields,
  hosts: readonly string[],
): FunctionTarget | string {
  const parsed = URL.parse(textOf(url) ?? '')
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:'))
    return `spec.url: ${JSON.stringify(url)} is no address such as https://functions.example/resize`
  if (parsed.username !== '' || parsed.password !== '') return 'spec.url: a login belongs into a Secret'
  if (!hosts.some((host) => matches(parsed, host)))
    return `spec.url: the controllers do not call ${parsed.host}: start them with HOMEOSTAT_SERVERLESS_HOSTS=${parsed.host}`
  return { url: parsed, secret: textOf(secret), timeoutMs: (numberOf(timeoutSeconds) ?? DEFAULT_TIMEOUT) * 1000 }
}

/** `host`, `host:port`, or `host:*` for every port. */
function matches({ hostname, host }: URL, allowed: string): boolean {
  return allowed === host || allowed === `${hostname}:*`
}

export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

export type Meaning =
  | { readonly output: unknown }
  /** `again`: the function may answer otherwise later. */
  | { readonly error: string; readonly again: boolean }

const AGAIN = [408, 425, 429]
const LONGEST_ERROR = 300

export function meaningOf({ status, contentType, body }: Answer): Meaning {
  if (status < 200 || status > 299) {
    const said = body.trim().slice(0, LONGEST_ERROR)
    return {
      error: `the function answered ${status}${said && `: ${said}`}`,
      again: status >= 500 || AGAIN.includes(status),
    }
  }
  if (!/^application\/(.*\+)?json\b/.test(contentType)) return { output: body }
  try {
    return { output: body === '' ? undefined : JSON.parse(body) }
  } catch {
    return { error: 'the function answered with JSON that is none', again: false }
  }
}
