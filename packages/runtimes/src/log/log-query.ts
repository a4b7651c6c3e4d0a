// Parses the query of `pods/log` as Kubernetes does, for every log that is read over the API.

import { invalid, parseRfc3339 } from '@homeostat/meta'
import { invalidValue } from '@homeostat/meta/server'
import type { LogOptions } from '../runtime.ts'

/** `name` names the object in errors. */
export function logOptions(query: URLSearchParams, name: string, now: number): LogOptions {
  const tailLines = wholeNumber(query, 'tailLines', 0, name)
  const limitBytes = wholeNumber(query, 'limitBytes', 1, name)
  const sinceSeconds = wholeNumber(query, 'sinceSeconds', 1, name)
  const sinceTime = query.get('sinceTime')
  const since = sinceSeconds !== undefined ? now - sinceSeconds * 1000 : sinceTime ? parseRfc3339(sinceTime) : undefined
  const refuse = (field: string, value: unknown, detail: string) =>
    invalid({ group: '', kind: 'PodLogOptions' }, name, [invalidValue(field, value, detail)])
  if (sinceTime && sinceSeconds !== undefined) {
    throw refuse('', 'sinceTime, sinceSeconds', 'at most one of `sinceTime` or `sinceSeconds` may be specified')
  }
  if (sinceTime && since === undefined)
    throw refuse('sinceTime', sinceTime, 'must be a time such as 2006-01-02T15:04:05Z')
  return {
    follow: isTrue(query.get('follow')),
    timestamps: isTrue(query.get('timestamps')),
    ...(tailLines !== undefined && { tailLines }),
    ...(limitBytes !== undefined && { limitBytes }),
    ...(since !== undefined && { since }),
  }
}

function wholeNumber(query: URLSearchParams, key: string, least: number, name: string): number | undefined {
  const text = query.get(key)
  if (text === null || text === '') return undefined
  const number = Number(text)
  if (/^-?\d{1,15}$/.test(text) && number >= least) return number
  const detail = `must be a whole number greater than or equal to ${least}`
  throw invalid({ group: '', kind: 'PodLogOptions' }, name, [invalidValue(key, text, detail)])
}

export function isTrue(text: string | null): boolean {
  return text === 'true' || text === '1'
}
