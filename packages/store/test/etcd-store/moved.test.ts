// A store whose objects were moved elsewhere: nobody goes on with what is left, not even a server that slept meanwhile.

import { describe, expect, it } from 'vitest'
import { note, set, value } from '../../src/conformance/harness.ts'
import { forgetStoreMoved, markStoreMoved } from '../../src/etcd/index.ts'
import { openEtcdStore } from '../../src/etcd/open.ts'
import { etcdMissing } from '../etcd/etcd-program.ts'
import { clusterForTests, opened } from './cluster.ts'

describe.skipIf(etcdMissing() !== undefined)('a store that was moved', () => {
  const tests = clusterForTests({ members: 1 })

  it('is not opened, and a server that has it open writes nothing more and ends', async () => {
    const options = tests.fresh()
    const sleeper = await opened(options)
    await set(sleeper, 'a', 'one')
    await markStoreMoved(options, '/data')
    const late = await sleeper.put('a', value('two'), await sleeper.get('a').catch(() => undefined), note)
    expect(late.type).toBe('failed')
    await expect.poll(() => sleeper.health()).toMatchObject({ writable: false })
    await expect(openEtcdStore(options)).rejects.toThrow(
      /the objects were migrated to \/data; delete the key .*\/meta\/moved/,
    )
    const again = await opened({ ...options, acceptMoved: true })
    expect((await again.range('', { limit: 10 })).entries).toHaveLength(1)
    await forgetStoreMoved(options)
    await set(await opened(options), 'a', 'three')
  })
})
