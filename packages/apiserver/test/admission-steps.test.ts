// Steps that an extension adds to the write pipeline: what they see and may change, and that a step which waits blocks no
// other write.

import { forbidden } from '@homeostat/meta'
import { MemoryStore } from '@homeostat/store'
import { describe, expect, it } from 'vitest'
import type { AdmissionStep } from '../src/index.ts'
import { at, gate, slow, specOf, start, URL } from './admission.ts'
import { JOBS, job } from './jobs.ts'

describe('a mutating step', () => {
  const label: AdmissionStep = {
    name: 'label',
    at: 'mutate',
    run: (write) => {
      if (write.request.subresource === undefined)
        write.object = { ...write.object, spec: { ...specOf(write.object), added: true }, unknown: 1 }
      else write.object = { ...write.object, status: {} }
    },
  }

  it('changes what is stored, which is pruned, completed, and owned by the writer', async () => {
    const { http, api } = await start([label])
    const made = await http.post(`${URL}?fieldManager=me`, job('a', { work: 1 }))
    expect(made.body.spec).toEqual({ work: 1, added: true })
    expect(made.body.unknown).toBeUndefined()
    expect(made.body.metadata.managedFields).toMatchObject([
      { manager: 'me', fieldsV1: { 'f:spec': { 'f:added': {}, 'f:work': {} } } },
    ])
    const patched = await http.patch(`${URL}/a`, { spec: { added: null } })
    expect(patched.body.spec).toEqual({ work: 1, added: true })
    expect((await api.writeStatus(JOBS, at('a'), () => ({ kind: 'other' })))?.bytes.toString()).toContain('"plain"')
  })
})

describe('an admitting step', () => {
  it('sees the complete object and the stored one, and refuses writes from everywhere', async () => {
    const seen: unknown[] = []
    const { http, api } = await start([
      {
        name: 'policy',
        at: 'admit',
        run: ({ object, old, request: { type, name, user } }) => {
          seen.push([user.username, object.metadata.uid !== undefined, specOf(old)?.work])
          if (specOf(object).work === 'no') throw forbidden({ ...type, name: name ?? '' }, 'not that')
        },
      },
    ])
    expect(await http.post(URL, job('a', { work: 'no' }))).toMatchObject({ status: 403 })
    await api.create(JOBS, job('a', { work: 'yes' }))
    await expect(
      api.change(JOBS, at('a'), (object) => Object.assign(object, { spec: { work: 'no' } })),
    ).rejects.toThrow('not that')
    expect(await http.patch(`${URL}/a`, { spec: { work: 'no' } })).toMatchObject({ status: 403 })
    expect(await http.put(`${URL}/a`, { ...api.get(JOBS, at('a')), spec: { work: 'no' } })).toMatchObject({
      status: 403,
    })
    expect(seen).toEqual([
      ['system:admin', true, undefined],
      ['user', true, undefined],
      ['user', true, 'yes'],
      ['system:admin', true, 'yes'],
      ['system:admin', true, 'yes'],
    ])
  })
})

describe('a reserving step', () => {
  it('is notified of what was stored, and gives back what it took when nothing was', async () => {
    let taken = 0
    const ends: unknown[] = []
    const { http } = await start([
      {
        name: 'quota',
        at: 'reserve',
        run: (write) => {
          if (taken === 1) throw forbidden({ ...write.request.type, name: '' }, 'exceeded quota')
          taken++
          write.onEnd((stored) => {
            ends.push(stored?.name)
            if (stored === undefined) taken--
          })
        },
      },
    ])
    const large = { text: 'x'.repeat(2 << 20) }
    expect(await http.post(URL, job('a', large))).toMatchObject({ status: 413 })
    expect(await http.post(`${URL}?dryRun=All`, job('a'))).toMatchObject({ status: 201 })
    expect(await http.post(URL, job('a'))).toMatchObject({ status: 201 })
    expect(await http.post(URL, job('b'))).toMatchObject({ status: 403 })
    expect(ends).toEqual([undefined, 'default/a'])
  })
})

describe('an audit', () => {
  it('is notified of every outcome', async () => {
    const told: unknown[] = []
    const { http, api } = await start([
      {
        name: 'audit',
        at: 'audit',
        run: ({ request: { name, user } }, failure) => told.push([user.username, name, (failure as Error)?.message]),
      },
    ])
    await http.post(URL, job('a'))
    await http.put(`${URL}/a`, { ...job('a'), metadata: { name: 'b' } })
    await api.writeStatus(JOBS, at('a'), () => ({}))
    expect(told).toEqual([
      ['system:admin', undefined, undefined],
      ['system:admin', 'a', 'the name of the object (b) does not match the name on the URL (a)'],
      ['user', 'a', undefined],
    ])
  })
})

describe.each(['mutate', 'admit'] as const)('while a step waits for somebody else (%s)', (place) => {
  it('others write the object, and a patch is then decided on what they wrote', async () => {
    const { step, entered, letGo } = gate(place)
    const { http, api } = await start([step])
    await http.post(URL, job('a', { first: 0 }))
    const patching = http.patch(`${URL}/a?${slow}`, { spec: { slow: true } })
    await entered(1)
    expect(await http.patch(`${URL}/a`, { spec: { quick: true } })).toMatchObject({ status: 200 })
    letGo()
    await entered(2)
    letGo()
    expect((await patching).body.spec).toEqual({ first: 0, quick: true, slow: true })
    expect(specOf(api.get(JOBS, at('a')))).toEqual({ first: 0, quick: true, slow: true })
  })

  it('a patch that never gets through gives up after five times', async () => {
    const { step, entered, letGo } = gate(place)
    const { http } = await start([step])
    await http.post(URL, job('a'))
    const patching = http.patch(`${URL}/a?${slow}`, { spec: { slow: true } })
    for (let times = 1; times <= 5; times++) {
      await entered(times)
      await http.patch(`${URL}/a`, { spec: { quick: times } })
      letGo()
    }
    expect(await patching).toMatchObject({ status: 409, body: { reason: 'Conflict' } })
    expect((await http.get(`${URL}/a`)).body.spec).toEqual({ quick: 5 })
  })

  it('a PUT of a version that others replaced is a conflict, after one try', async () => {
    const gated = gate(place)
    const { http } = await start([gated.step])
    const { body } = await http.post(URL, job('a'))
    const putting = http.put(`${URL}/a?${slow}`, { ...body, spec: { slow: true } })
    await gated.entered(1)
    await http.patch(`${URL}/a`, { spec: { quick: true } })
    gated.letGo()
    expect(await putting).toMatchObject({ status: 409 })
    expect(gated.count).toBe(1)
  })

  it('a name may be taken, and an apply then changes what has it', async () => {
    const { step, entered, letGo } = gate(place)
    const { http, api } = await start([step])
    const creating = http.post(`${URL}?${slow}`, job('a'))
    await entered(1)
    await http.post(URL, job('a', { quick: true }))
    letGo()
    expect(await creating).toMatchObject({ status: 409, body: { reason: 'AlreadyExists' } })
    const applying = http.patch(`${URL}/b?${slow}`, job('b', { slow: true }), { type: 'application/apply-patch+yaml' })
    await entered(2)
    await http.post(URL, job('b', { quick: true }))
    letGo()
    await entered(3)
    letGo()
    expect(await applying).toMatchObject({ status: 200 })
    expect(specOf(api.get(JOBS, at('b')))).toEqual({ quick: true, slow: true })
  })

  it('an object may go, and nothing is written to it', async () => {
    const { step, entered, letGo } = gate(place)
    const { http, api } = await start([step])
    await http.post(URL, job('a'))
    const patching = http.patch(`${URL}/a?${slow}`, { spec: { slow: true } })
    await entered(1)
    await http.delete(`${URL}/a`)
    letGo()
    expect(await patching).toMatchObject({ status: 404 })
    expect(api.get(JOBS, at('a'))).toBeUndefined()
  })

  it('a dry run waits, too, and stores nothing', async () => {
    const { step, entered, letGo } = gate(place)
    const { http } = await start([step])
    const creating = http.post(`${URL}?${slow}&dryRun=All`, job('a'))
    await entered(1)
    letGo()
    expect(await creating).toMatchObject({ status: 201 })
    expect(await http.get(`${URL}/a`)).toMatchObject({ status: 404 })
  })
})

describe('a generated name that is taken', () => {
  /** Fails the first put as if another server had taken the name. */
  class TakenOnce extends MemoryStore {
    taken = ''

    override put(...args: Parameters<MemoryStore['put']>): ReturnType<MemoryStore['put']> {
      const [key] = args
      if (!key.startsWith('ex.io/jobs/') || this.taken !== '') return super.put(...args)
      this.taken = key
      return Promise.resolve({ type: 'conflict', current: undefined })
    }
  }

  it('is generated again, without validating or mutating again', async () => {
    const store = new TakenOnce()
    const calls = { validate: 0, mutate: 0 }
    const names: unknown[] = []
    const { http } = await start(
      [
        { name: 'count', at: 'mutate', run: () => void calls.mutate++ },
        { name: 'names', at: 'admit', run: ({ object }) => void names.push(object.metadata.name) },
      ],
      { store, validate: () => calls.validate++ },
    )
    const { status, body } = await http.post(URL, { ...job(''), metadata: { generateName: 'some-' } })
    expect(status).toBe(201)
    expect(names).toEqual([store.taken.slice('ex.io/jobs/default/'.length), body.metadata.name])
    expect(names[0]).not.toBe(names[1])
    expect(calls).toEqual({ validate: 1, mutate: 1 })
  })
})
