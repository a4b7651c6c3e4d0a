// Many Processes in one request, and what an executor gives back.

import { submitter } from '@homeostat/executor'
import { isStatusError } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { names, startColony } from './colony-calls.ts'

const item = (name: string, spec: object = {}) => ({
  apiVersion: 'colonies.io/v1',
  kind: 'Process',
  metadata: { name },
  spec: { funcName: 'f', conditions: { executorType: 'ml' }, ...spec },
})
const list = (items: unknown) => ({ apiVersion: 'colonies.io/v1', kind: 'ProcessList', items })

interface Created {
  readonly items: readonly { readonly kind: string; readonly code?: number; readonly metadata: { name?: string } }[]
  readonly message: string
}

describe('a POST of a list of Processes', () => {
  it('creates each by itself, in order, and says of each what became of it', async () => {
    const { send, register, assign } = await startColony()
    const items = [item('a'), item('b', { priority: 1e9 }), item('a'), item('c'), null, { ...item('d'), kind: 'Pod' }]
    const { status, body } = await send<Created>('POST', '/processes', list(items))
    expect(status).toBe(201)
    expect(body.items.map(({ kind, code, metadata }) => code ?? `${kind} ${metadata.name}`)).toEqual([
      'Process a',
      422,
      409,
      'Process c',
      400,
      422,
    ])
    await register('e1')
    expect(names(await assign('e1', { max: 5 }))).toEqual(['a', 'c'])
  })

  it.each([
    ['more than 100 items', list(Array.from({ length: 101 }, (_, index) => item(`p${index}`))), 'at most 100 items'],
    ['items that are no list', list({}), 'items must be a list'],
    ['no items', list(undefined), 'items must be a list'],
    [
      'a field twice',
      JSON.stringify(list([item('a')])).replace('"funcName":"f"', '"funcName":"f","funcName":"g"'),
      'there twice',
    ],
  ])('with %s is refused as a whole', async (_, body, message) => {
    const { send, process } = await startColony()
    const refused = await send<Created>('POST', '/processes', body)
    expect(refused.status).toBe(400)
    expect(refused.body.message).toContain(message)
    expect(process('a')).toBeUndefined()
  })

  it('creates nothing in a dry run, and is refused for kinds that do not say otherwise', async () => {
    const { send, process } = await startColony()
    expect((await send<Created>('POST', '/processes?dryRun=All', list([item('a')]))).body.items[0]?.kind).toBe(
      'Process',
    )
    expect(process('a')).toBeUndefined()
    const executors = { apiVersion: 'colonies.io/v1', kind: 'ExecutorList', items: [] }
    expect((await send('POST', '/executors', executors)).status).toBe(422)
  })

  it('counts against the limit of waiting Processes', async () => {
    const { send, submit, colony } = await startColony()
    await submit('first')
    await colony.api.change({ group: '', resource: 'namespaces' }, { name: 'dev' }, ({ metadata }) => {
      metadata.annotations = { 'colonies.io/max-waiting': '3' }
    })
    const { body } = await send<Created>('POST', '/processes', list(['a', 'b', 'c'].map((name) => item(name))))
    expect(body.items.map(({ code }) => code ?? 201)).toEqual([201, 201, 429])
  })
})

describe('the submitter', () => {
  it('joins what is submitted in one turn, keeps the order, and tells each caller of its own', async () => {
    const { colony, register, assign } = await startColony()
    const { submit } = submitter({ client: colony.client, colony: 'dev' })
    const spec = { funcName: 'f', conditions: { executorType: 'ml' } }
    const all = Array.from({ length: 150 }, (_, index) =>
      submit({ name: `p${index}`, spec, labels: { n: `${index}` } }),
    )
    const twice = submit({ name: 'p0', spec })
    await expect(twice).rejects.toSatisfy((error) => isStatusError(error, 'AlreadyExists'))
    const stored = await Promise.all(all)
    expect(stored[149]?.metadata).toMatchObject({ name: 'p149', labels: { n: '149' } })
    expect((await submit({ spec })).metadata.name).toMatch(/^process-/)
    await register('e1')
    const first = names(await assign('e1', { max: 100 }))
    expect(first).toEqual(Array.from({ length: 100 }, (_, index) => `p${index}`))
  })
})

describe('an attempt that an executor gives back', () => {
  it('waits again at its old place, and did not fail', async () => {
    const { register, assign, submit, process, close } = await startColony()
    await register('e1')
    for (const name of ['a', 'b']) await submit(name)
    await assign('e1', { max: 1 })
    const returned = [{ process: 'a', attempt: 1 }]
    expect((await assign('e1', { max: 0, returned })).status).toBe(200)
    expect(process('a')?.status).toMatchObject({ phase: 'Waiting', attempt: 1 })
    expect(process('a')?.status.retries ?? 0).toBe(0)
    expect((await close('a', { executor: 'e1', attempt: 1, result: 'Succeeded' })).status).toBe(409)
    expect(names(await assign('e1', { max: 2 }))).toEqual(['a', 'b'])
    expect(process('a')?.status.attempt).toBe(2)
  })

  it('stays with whom it belongs to when it is another', async () => {
    const { register, assign, submit, process } = await startColony()
    for (const name of ['e1', 'e2']) await register(name)
    await submit('a')
    await assign('e1')
    await assign('e2', { max: 0, returned: [{ process: 'a', attempt: 1 }] })
    await assign('e1', {
      max: 0,
      returned: [
        { process: 'a', attempt: 7 },
        { process: 'nobody', attempt: 1 },
      ],
    })
    expect(process('a')?.status).toMatchObject({ phase: 'Running', executor: 'e1', attempt: 1 })
  })

  it.each([
    [{ returned: [{ process: 'a' }] }, 'returned[0].attempt'],
    [{ returned: 'a' }, 'returned'],
    [{ prefetch: 2, max: 1 }, 'prefetch'],
    [{ prefetch: -1 }, 'prefetch'],
    [{ prefetch: 0.5 }, 'prefetch'],
  ])('%j is refused', async (body, message) => {
    const { register, assign } = await startColony()
    await register('e1')
    const refused = await assign('e1', body as object)
    expect(refused.status).toBe(400)
    expect(refused.body.message).toContain(message)
  })
})

describe('an executor that fetches ahead', () => {
  it('gets a Process only when nobody would begin it at once', async () => {
    const { colony, register, assign, submit } = await startColony()
    for (const name of ['busy', 'idle']) await register(name)
    const busy = assign('busy', { max: 2, prefetch: 2 }, 300)
    await expect.poll(() => colony.colony.waiting).toBe(1)
    const idle = assign('idle', {}, 300)
    await expect.poll(() => colony.colony.waiting).toBe(2)
    await submit('a')
    expect(names(await idle)).toEqual(['a'])
    await submit('b')
    expect(names(await busy)).toEqual(['b'])
  })
})
