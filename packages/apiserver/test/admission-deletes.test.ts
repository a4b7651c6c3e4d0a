// Steps that an extension adds for DELETE: what they see, that they can refuse it, and that one which waits blocks no other
// write.

import { forbidden } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import type { AdmissionStep } from '../src/index.ts'
import { at, gate, specOf, start, URL } from './admission.ts'
import { JOBS, job } from './jobs.ts'

describe('a step for DELETE', () => {
  const kept: AdmissionStep = {
    name: 'keep',
    at: 'admit',
    operations: ['DELETE'],
    run: ({ operation, old, request: { type, name = '' } }) => {
      if (specOf(old).keep) throw forbidden({ ...type, name }, `no ${operation}`)
    },
  }

  it.each(['mutate', 'admit'] as const)('refuses by the stored object, whoever deletes (%s)', async (place) => {
    const { http, api } = await start([{ ...kept, at: place }])
    await http.post(URL, job('a', { keep: true }))
    await http.post(URL, job('b'))
    expect(await http.delete(`${URL}/a`)).toMatchObject({ status: 403, body: { reason: 'Forbidden' } })
    expect((await http.delete(`${URL}/a`)).body.message).toContain('no DELETE')
    expect(await http.delete(`${URL}/a`, { dryRun: ['All'] })).toMatchObject({ status: 403 })
    expect(await http.delete(`${URL}/a`, { propagationPolicy: 'Foreground' })).toMatchObject({ status: 403 })
    await expect(api.delete(JOBS, at('a'))).rejects.toThrow('no DELETE')
    expect(api.get(JOBS, at('a'))?.metadata.deletionTimestamp).toBeUndefined()
    expect(await http.delete(`${URL}/b`)).toMatchObject({ status: 200 })
    expect(api.get(JOBS, at('b'))).toBeUndefined()
    await http.patch(`${URL}/a`, { spec: { keep: false } })
    expect(await http.delete(`${URL}/a`)).toMatchObject({ status: 200 })
  })

  it('is asked for each object of a collection', async () => {
    const { http, api } = await start([kept])
    for (const name of ['a', 'b', 'c']) await http.post(URL, job(name, { keep: name === 'b' }))
    expect(await http.delete(URL)).toMatchObject({ status: 403 })
    expect(api.get(JOBS, at('b'))).toBeDefined()
    await http.patch(`${URL}/b`, { spec: { keep: null } })
    expect(await http.delete(URL)).toMatchObject({ status: 200 })
    expect(api.list(JOBS)).toEqual([])
  })

  it('sees preconditions before itself, and what it makes of the object is not stored', async () => {
    let runs = 0
    const { http } = await start([
      {
        name: 'meddle',
        at: 'mutate',
        operations: ['CREATE', 'DELETE'],
        run: (write) => {
          runs++
          if (write.operation === 'DELETE') write.object = { ...write.object, spec: { meddled: true } }
        },
      },
    ])
    await http.post(URL, { ...job('a'), metadata: { name: 'a', finalizers: ['ex.io/hold'] } })
    expect(await http.delete(`${URL}/a`, { preconditions: { uid: 'other' } })).toMatchObject({ status: 409 })
    expect(runs).toBe(1)
    const marked = await http.delete(`${URL}/a`, { propagationPolicy: 'Foreground' })
    expect(marked.body).toMatchObject({ metadata: { finalizers: ['ex.io/hold', 'foregroundDeletion'] }, spec: {} })
    expect(marked.body.spec.meddled).toBeUndefined()
    expect(runs).toBe(2)
    // The update that removes an object is no DELETE.
    await http.patch(`${URL}/a`, { metadata: { finalizers: [] } })
    expect(await http.get(`${URL}/a`)).toMatchObject({ status: 404 })
    expect(runs).toBe(2)
  })

  it.each(['mutate', 'admit'] as const)('that waits blocks no other write (%s)', async (place) => {
    const gated = gate(place, () => true)
    const { http, api } = await start([{ ...gated.step, operations: ['DELETE'] }])
    const { body } = await http.post(URL, job('a'))
    const deleting = http.delete(`${URL}/a`)
    await gated.entered(1)
    expect(await http.patch(`${URL}/a`, { spec: { quick: true } })).toMatchObject({ status: 200 })
    gated.letGo()
    await gated.entered(2)
    expect(api.get(JOBS, at('a'))).toBeDefined()
    gated.letGo()
    expect(await deleting).toMatchObject({ status: 200, body: { details: { uid: body.metadata.uid } } })
    expect(api.get(JOBS, at('a'))).toBeUndefined()
  })

  it('that waits, with a precondition on a revision that is gone then, is a conflict', async () => {
    const gated = gate('admit', () => true)
    const { http, api } = await start([{ ...gated.step, operations: ['DELETE'] }])
    const { body } = await http.post(URL, job('a'))
    const { resourceVersion } = body.metadata
    const deleting = http.delete(`${URL}/a`, { preconditions: { resourceVersion } })
    await gated.entered(1)
    await http.patch(`${URL}/a`, { spec: { quick: true } })
    gated.letGo()
    expect(await deleting).toMatchObject({ status: 409 })
    expect(api.get(JOBS, at('a'))).toBeDefined()
  })

  it('and only such a step hears of one, with its end', async () => {
    const heard: unknown[] = []
    const { http } = await start([
      { name: 'others', at: 'admit', run: ({ operation }) => void heard.push(operation) },
      { name: 'no', at: 'admit', operations: ['UPDATE'], run: ({ operation }) => void heard.push(operation) },
      {
        name: 'audit',
        at: 'audit',
        operations: ['DELETE'],
        run: ({ request: { name } }, failure) => heard.push(['audit', name, (failure as Error)?.message]),
      },
    ])
    await http.post(URL, job('a'))
    await http.delete(`${URL}/a`)
    await http.delete(`${URL}/a`)
    expect(heard).toEqual(['CREATE', ['audit', 'a', undefined], ['audit', 'a', 'jobs.ex.io "a" not found']])
  })
})
