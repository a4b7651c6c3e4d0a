// doctor on a real server: what it finds, what --fix does, and its exit codes.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { handledDefinition, type TestCommand, testCommand } from '../colony.fixture.ts'

let command: TestCommand
beforeAll(async () => {
  command = await testCommand()
})
afterAll(() => command[Symbol.asyncDispose]())

test('a healthy server is all OK, and exits with 0', async () => {
  const { code, out, error } = await command.homeostat('doctor')
  expect(error, 'no warning of a deprecated kind').toBe('')
  expect(out.split('\n').filter((line) => line !== '' && !line.startsWith('[OK] '))).toEqual([])
  expect(out).toContain('[OK] server: ready')
  expect(out).toMatch(/\[OK\] the server's authority: its certificate ends in \d+ days/)
  expect(code).toBe(0)
})

test('a handler without executor is an error; a lost executor is removed by --fix', async () => {
  const handler = { executorType: 'lamp', functionName: 'reconcile_lamp' }
  await command.withInput(handledDefinition('Lamp', 'sick.io', handler), 'apply', '-f', '-')
  const lamp = { apiVersion: 'sick.io/v1', kind: 'Lamp', metadata: { name: 'desk', namespace: 'default' }, spec: {} }
  await command.withInput(lamp, 'apply', '-f', '-')
  const executors = command.client.resource('colonies.io/v1', 'Executor')
  const name = { name: 'old', namespace: 'default' }
  await executors.create({ metadata: name, spec: { type: 'other' } } as never)
  await executors.status.patch(name, { status: { phase: 'Lost' } })
  const found = await command.homeostat('doctor')
  expect(found.code).toBe(2)
  expect(found.out).toContain('[ERROR] Lamp: no executor of the type lamp is online, and 1 resource waits')
  expect(found.out).toContain(
    '[WARN] executor default/old (other) is lost; start it again, or delete it (--fix does it)',
  )
  expect(found.out).toContain('nobody offers the function reconcile_lamp for the type lamp in default')
  const fixed = await command.homeostat('doctor', '--fix')
  expect(fixed.out).toContain('[FIXED] executor default/old was lost and is deleted')
  await expect(executors.get(name)).rejects.toMatchObject({ code: 404 })
  expect((await command.homeostat('doctor')).out).not.toContain('default/old')
})
