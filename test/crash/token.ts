// What a writer puts into a Widget, so that whoever reads it can tell which write it came from and whether all of it
// is there: every part follows from the token.

import { createHash } from 'node:crypto'
import type { KubeObject } from '@homeostat/meta'
import { widget } from '../widgets.ts'

/** Stands for the token of an object that is not as any writer wrote it. */
export const TORN = 'torn'

export const COLORS = ['red', 'blue', 'green'] as const

export function colorOf(token: string): string {
  return COLORS[hashOf(token)[0] % COLORS.length] as string
}

/** From nothing to several pages of the file. */
function payloadOf(token: string): string {
  const [, size, more] = hashOf(token)
  return token.repeat(more < 16 ? size * 8 : size)
}

function hashOf(token: string): [number, number, number] {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(token).digest()
  return [a, b, c]
}

export function makeWidget(name: string, token: string): KubeObject {
  const object = widget(name, { spec: { token, payload: payloadOf(token) } })
  object.metadata.labels = { color: colorOf(token) }
  return object
}

/** The token of the write an object came from. */
export function tokenOf({ metadata, spec }: KubeObject): string {
  const { token, payload } = (spec ?? {}) as { token?: string; payload?: string }
  if (token === undefined || payload !== payloadOf(token)) return TORN
  return metadata.labels?.color === colorOf(token) ? token : TORN
}
