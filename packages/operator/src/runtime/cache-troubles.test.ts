import { ConnectionError } from '@homeostat/client'
import { expect, it } from 'vitest'
import { CacheTroubles } from './cache-troubles.ts'

function noting() {
  const lines: string[] = []
  const note = (level: string) => (fields: object, message: string) =>
    void lines.push(`${level} ${message} ${(fields as { kind?: string }).kind ?? ''}`.trimEnd())
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
  return { lines, troubles: new CacheTroubles(log, 'http://x') }
}

const widgets = { apiVersion: 'example.com/v1', kind: 'Widget' }
const maps = { apiVersion: 'v1', kind: 'ConfigMap' }

it('says once that the server is lost, and once that it is back, for all kinds', () => {
  const { lines, troubles } = noting()
  for (const kind of [widgets, maps, widgets]) troubles.troubled(new ConnectionError('refused'), kind)
  troubles.recovered(maps)
  troubles.troubled(new ConnectionError('refused'), widgets)
  troubles.recovered(widgets)
  troubles.recovered(widgets)
  expect(lines).toEqual([
    'warn the connection to the server is lost; it is made again',
    'info the connection to the server is there again',
  ])
})

it('says once what else is wrong with a kind, and once that it is over', () => {
  const { lines, troubles } = noting()
  for (const text of ['forbidden', 'forbidden', 'not served']) troubles.troubled(new Error(text), widgets)
  troubles.recovered(widgets)
  troubles.recovered(widgets)
  expect(lines).toEqual([
    'warn a cache is not current Widget',
    'warn a cache is not current Widget',
    'info a cache is current again Widget',
  ])
})
