// Data directories that an earlier version wrote are opened as they are: every object with its revision, the changes
// that watches may still ask for, and the tokens given out before.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubeObject } from '@homeostat/meta'
import { describe, expect, test } from 'vitest'
import { call, revisionOf } from './http-call.ts'
import { fixtures, olderData } from './older-data.ts'
import { startServer } from './server-process.ts'
import { WatchReader } from './watch-reader.ts'

interface Served {
  readonly revision: number
  readonly lists: Readonly<Record<string, readonly KubeObject[]>>
}

describe.each(['stopped', 'killed'])('a data directory of a server that was %s', (ending) => {
  const served: Served = JSON.parse(readFileSync(join(fixtures, `${ending}.json`), 'utf8'))

  test('serves every object as it was, and goes on from its revision', async () => {
    const { url } = await startServer(olderData(ending), ['--runtime', 'none'])
    for (const [path, items] of Object.entries(served.lists)) {
      const list = (await call(`${url}${path}`)).body
      const names = new Set(items.map(nameOf))
      const found = list.items?.filter((item) => names.has(nameOf(item))).map(untyped)
      expect(found).toEqual(items.map(untyped))
    }
    const lamp = await call(`${url}/apis/example.org/v1/namespaces/team/lamps/desk`)
    expect(lamp.text).toContain('"serial":9007199254740993')
    const made = await call(`${url}/api/v1/namespaces/team/configmaps`, 'POST', { metadata: { name: 'new' } })
    expect(made.code).toBe(201)
    expect(revisionOf(made.body)).toBeGreaterThan(served.revision)
  })

  test('replays its changes to a watch', async () => {
    const { url } = await startServer(olderData(ending), ['--runtime', 'none'])
    const watch = new WatchReader({ path: '/api/v1/namespaces/default/configmaps', from: 90 })
    const end = new AbortController()
    const following = watch.follow(url, end.signal)
    const last = await call(`${url}/api/v1/namespaces/default/configmaps`, 'POST', { metadata: { name: 'last' } })
    await watch.reached(revisionOf(last.body))
    end.abort()
    await following
    const kept = watch.events.filter(({ object }) => object.metadata.name === 'kept')
    expect(kept.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'MODIFIED', 'MODIFIED', 'MODIFIED'])
    const gone = watch.events.filter(({ object }) => object.metadata.name === 'gone')
    expect(gone.map(({ type }) => type)).toEqual(['ADDED', 'DELETED'])
  })

  test('accepts the tokens it gave out', async () => {
    const { url } = await startServer(olderData(ending), ['--runtime', 'none'])
    const token = readFileSync(join(fixtures, 'token'), 'utf8').trim()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: '{}' })
    expect(await answer.json()).toMatchObject({
      status: { userInfo: { username: 'system:serviceaccount:team:robot' } },
    })
  })
})

/** That version said apiVersion and kind in every item of a list; built-in kinds leave it to the list. */
function untyped({ apiVersion: _, kind: __, ...item }: KubeObject): object {
  return item
}

function nameOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}
