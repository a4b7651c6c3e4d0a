// What the site answers by itself, as JSON.

import type { SiteAnswer } from '@homeostat/apiserver'
import { PRIVATE } from './headers.ts'

export type OwnAnswer = Exclude<SiteAnswer, { readonly pass: string }>

export function json(status: number, value: object, headers: readonly string[] = []): OwnAnswer {
  const body = Buffer.from(JSON.stringify(value))
  return { status, headers: [...PRIVATE, 'Content-Type', 'application/json', ...headers], body }
}

/** In the API's own form, so that the page has one way to read failures. */
export function refusal(code: number, message: string): OwnAnswer {
  const reason = REASONS[code]
  return json(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code })
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  413: 'RequestEntityTooLarge',
  503: 'ServiceUnavailable',
}
