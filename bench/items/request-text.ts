// Whole HTTP/1.1 requests as text for the load generator, with placeholders that all fill up to eight digits.

import { COLLECTION, itemBody } from './item.ts'

/** A watch of all items that is told what changes from now on. */
export const WATCH = `${COLLECTION}?watch=true&allowWatchBookmarks=true&resourceVersion=0&resourceVersionMatch=NotOlderThan&sendInitialEvents=false`

export interface RequestParts {
  readonly method: string
  readonly path: string
  readonly accept?: string
  readonly contentType?: string
  readonly body?: string
}

export function requestText(port: number, { method, path, accept, contentType, body = '' }: RequestParts): string {
  const head = [`${method} ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`, `accept: ${accept ?? 'application/json'}`]
  if (body !== '') head.push(`content-type: ${contentType ?? 'application/json'}`)
  if (method !== 'GET') head.push(`content-length: ${body.replaceAll(/\{[nk]\}/g, '00000000').length}`)
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

export function createText(port: number): string {
  return requestText(port, { method: 'POST', path: COLLECTION, body: itemBody('{n}', 'r-1') })
}

/** Patches object `{k}` with a whole item whose release is new in every request. */
export function patchText(port: number): string {
  const contentType = 'application/merge-patch+json'
  return requestText(port, {
    method: 'PATCH',
    path: `${COLLECTION}/item-{k}`,
    contentType,
    body: itemBody('{k}', 'r-{n}'),
  })
}

/** Applies to object `{k}` what it is like after one such request. */
export function applyText(port: number): string {
  return requestText(port, {
    method: 'PATCH',
    path: `${COLLECTION}/item-{k}?fieldManager=bench&force=true`,
    contentType: 'application/apply-patch+yaml',
    body: itemBody('{k}', 'r-1'),
  })
}

export function getText(port: number, path: string, accept?: string): string {
  return requestText(port, { method: 'GET', path, ...(accept === undefined ? {} : { accept }) })
}
