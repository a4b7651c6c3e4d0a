// history, diff, rollback and undelete on a real server.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { handledDefinition, type TestCommand, testCommand } from '../colony.fixture.ts'

let command: TestCommand
beforeAll(async () => {
  command = await testCommand()
  await command.withInput(handledDefinition('Lamp', 'past.io'), 'apply', '-f', '-')
})
afterAll(() => command[Symbol.asyncDispose]())

const lamp = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'past.io/v1',
  kind: 'Lamp',
  metadata: { name, namespace: 'default', ...metadata },
  spec,
})
const lamps = () => command.client.resource('past.io/v1', 'Lamp')
const events = async (name: string) => {
  const { items } = await command.client.resource('events.k8s.io/v1', 'Event').list({ namespace: 'default' })
  return items.flatMap((event) => {
    const { regarding, reason } = event as { regarding?: { name?: string }; reason?: string }
    return regarding?.name === name && ['RolledBack', 'Undeleted'].includes(reason ?? '') ? [reason] : []
  })
}

test('generations are listed, shown, compared and rolled back to', async () => {
  for (const size of [1, 2, 3]) await command.withInput(lamp('desk', { size }), 'apply', '-f', '-')
  const listed = await command.homeostat('history', 'lamp', 'desk')
  expect(listed.out).toMatch(
    /^GENERATION +CHANGE +BY +MANAGER +AGE +TIME\n1 +created +system:admin +homeostat .*\n2 .*\n3 +updated, current/,
  )
  expect((await command.homeostat('history', 'lamp/desk', '--generation', '2')).out).toContain('size: 2')
  const diff = await command.homeostat('diff', 'lamp', 'desk', '--from', '1', '--to', '2')
  expect(diff).toMatchObject({ code: 1, error: '' })
  expect(diff.out).toMatch(/^-.*size: 1\n\+.*size: 2$/m)
  expect(diff.out).not.toContain('resourceVersion')
  expect((await command.homeostat('diff', 'lamp', 'desk', '--from', '3')).code).toBe(0)
  expect(await command.homeostat('rollback', 'lamp', 'desk', '--to', '1')).toEqual({
    code: 0,
    error: '',
    out: 'lamp.past.io/desk rolled back to 1, now generation 4\n',
  })
  expect(await lamps().get({ name: 'desk', namespace: 'default' })).toMatchObject({ spec: { size: 1 } })
  expect((await command.homeostat('history', 'lamp', 'desk')).out).toContain('homeostat-rollback')
  expect(await events('desk')).toEqual(['RolledBack'])
  expect((await command.homeostat('rollback', 'lamp', 'desk', '--to', '4')).out).toBe(
    'lamp.past.io/desk is as in generation 4 already\n',
  )
  expect(await command.homeostat('rollback', 'lamp', 'desk', '--to', '9')).toMatchObject({
    code: 1,
    error: 'error: desk has no generation 9 in its history; kept are 1, 2, 3, 4\n',
  })
})

test('of kinds without generations the data and the marks of people are rolled back', async () => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', namespace: 'default' }, data: { a: '1' } }
  await command.withInput(map, 'apply', '-f', '-')
  await command.withInput(
    { ...map, metadata: { ...map.metadata, labels: { x: 'y' } }, data: { a: '2' } },
    'apply',
    '-f',
    '-',
  )
  const first = /^(\d+) +created/m.exec((await command.homeostat('history', 'cm', 'm')).out)?.[1] ?? ''
  expect((await command.homeostat('rollback', 'cm', 'm', '--to', first)).code).toBe(0)
  const { data, metadata } = (await command.client
    .resource('v1', 'ConfigMap')
    .get({ name: 'm', namespace: 'default' })) as typeof map
  expect(data).toEqual({ a: '1' })
  expect(metadata).not.toHaveProperty('labels')
})

test('a deleted object is made again without what held it', async () => {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'u-1' }]
  await command.withInput(
    lamp('hall', { size: 7 }, { labels: { a: 'b' }, finalizers: ['past.io/hold'] }),
    'apply',
    '-f',
    '-',
  )
  const before = await lamps().get({ name: 'hall', namespace: 'default' })
  expect(await command.homeostat('undelete', 'lamp', 'hall')).toMatchObject({
    code: 1,
    error: 'error: Lamp hall is there; only a deleted object can be undeleted\n',
  })
  await lamps().delete({ name: 'hall', namespace: 'default' })
  await lamps().patch({ name: 'hall', namespace: 'default' }, { metadata: { finalizers: null, ownerReferences } })
  expect(await command.homeostat('undelete', 'lamp', 'hall')).toMatchObject({
    code: 0,
    out: 'lamp.past.io/hall undeleted\n',
  })
  const after = await lamps().get({ name: 'hall', namespace: 'default' })
  expect(after).toMatchObject({ spec: { size: 7 }, metadata: { labels: { a: 'b' }, generation: 1 } })
  expect(after.metadata.uid).not.toBe(before.metadata.uid)
  expect(after.metadata).not.toHaveProperty('deletionTimestamp')
  expect(after.metadata).not.toHaveProperty('ownerReferences')
  expect(JSON.stringify(after.metadata)).not.toContain('past.io/hold')
  expect(await events('hall')).toEqual(['Undeleted'])
})
