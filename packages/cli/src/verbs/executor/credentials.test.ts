import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { readCredential } from '@homeostat/executor/credential'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runOn } from '../../terminal.fixture.ts'
import { type TestCommand, testCommand } from '../colony.fixture.ts'

let command: TestCommand
beforeAll(async () => {
  command = await testCommand()
})
afterAll(() => command[Symbol.asyncDispose]())

/** An executor until the end of the test, without any address but that of its credential. */
function started(...argv: string[]) {
  const ending = Promise.withResolvers<string>()
  const terminal = command.terminal({ ending: () => ending.promise, env: { HOMEOSTAT_SERVER: undefined } })
  const running = runOn(terminal, ['executor', 'run', ...argv])
  const end = () => {
    ending.resolve('SIGTERM')
    return running
  }
  onTestFinished(async () => void (await end()))
  return { terminal, end, online: () => Promise.race([terminal.until(/is online/), running]) }
}

function echoed(colony: string, type: string) {
  return command.homeostat('process', 'submit', 'echo', '--type', type, '-n', colony, '--arg', '1', '--wait')
}

test('a credential is a file for its owner alone; it works until it is revoked', async () => {
  const file = join(temporaryFolder(), 'ada.kubeconfig')
  const create = () => command.homeostat('executor', 'create', 'ada', '--type', 'own', '-n', 'one', '-o', file)
  expect(await create()).toMatchObject({ code: 0, error: '' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readCredential(file)).toMatchObject({ server: command.url, colony: 'one', executor: 'ada', type: 'own' })
  expect(await create()).toMatchObject({ code: 1, error: expect.stringContaining('exists already') })
  const { terminal, online, end } = started('--kubeconfig', file)
  await online()
  expect(terminal.shown).toMatchObject({ out: 'executor ada of type own is online in one: echo, sleep\n', error: '' })
  expect(await echoed('one', 'own')).toMatchObject({ code: 0, out: '[\n  1\n]\n' })
  await end()
  const read = await runOn(command.terminal(), ['get', 'processes', '-n', 'one', '--kubeconfig', file])
  expect(read).toMatchObject({ code: 1, error: expect.stringContaining('cannot list resource "processes"') })
  expect((await command.homeostat('executor', 'revoke', 'ada', '-n', 'one')).out).toContain('has ended')
  const refused = await runOn(command.terminal(), ['get', 'executors', '-n', 'one', '--kubeconfig', file])
  expect(refused).toMatchObject({ code: 1, error: expect.stringContaining('You must be logged in') })
  expect(await command.homeostat('executor', 'revoke', 'ada', '-n', 'one')).toMatchObject({ code: 1 })
})

test('a type is needed, and a second credential for a name is refused', async () => {
  expect(await command.homeostat('executor', 'create', 'x', '-n', 'two')).toMatchObject({ code: 2 })
  const printed = await command.homeostat('executor', 'create', 'x', '--type', 't', '-n', 'two', '-o', '-')
  expect(JSON.parse(printed.out)).toMatchObject({ kind: 'Config', 'current-context': 'x' })
  const again = await command.homeostat('executor', 'create', 'x', '--type', 't', '-n', 'two', '-o', '-')
  expect(again).toMatchObject({
    code: 1,
    out: '',
    error: expect.stringContaining('homeostat executor revoke x -n two'),
  })
})

test('a fleet joins with a code: one command here, one there', async () => {
  const folder = temporaryFolder()
  const made = await command.homeostat('executor', 'bootstrap-token', '--type', 'fleet', '--uses', '2', '-n', 'three')
  expect(made.error).toMatch(/^lets 2 executors of the type fleet join three until /)
  const [, code = ''] = /^homeostat executor run --join (\S+)\n$/.exec(made.out) ?? []
  const file = join(folder, 'one')
  const { online, end } = started('--join', code, '-o', file)
  await online()
  expect(await echoed('three', 'fleet')).toMatchObject({ code: 0, out: '[\n  1\n]\n' })
  await end()
  const first = readFileSync(file, 'utf8')
  const again = started('--join', code, '-o', file)
  await again.online()
  expect(readFileSync(file, 'utf8'), 'it joins once').toBe(first)
  const join2 = await command.homeostat('executor', 'join', code, '--name', 'second', '-o', join(folder, 'two'))
  expect(join2).toMatchObject({ code: 0, error: 'joined three as second\n' })
  const join3 = await command.homeostat('executor', 'join', code, '-o', join(folder, 'three'))
  expect(join3).toMatchObject({ code: 1, error: expect.stringContaining('all of its 2 uses are taken') })
  expect(await command.homeostat('executor', 'join', 'abc')).toMatchObject({ code: 2 })
})

test('with approval, executors wait until they are approved or rejected', async () => {
  const folder = temporaryFolder()
  const args = ['--type', 'wary', '--uses', '2', '--approval', '-n', 'four']
  const { out } = await command.homeostat('executor', 'bootstrap-token', ...args)
  const [, code = ''] = / --join (\S+)\n$/.exec(out) ?? []
  const { terminal, online } = started('--join', code, '--name', 'good', '-o', join(folder, 'good'))
  await terminal.until(/homeostat executor approve good -n four/)
  expect((await command.homeostat('executor', 'list', '-n', 'four')).out).toMatch(/good +wary +- +Pending/)
  expect((await command.homeostat('executor', 'approve', 'good', '-n', 'four')).out).toContain('good may work in four')
  await online()
  expect(await echoed('four', 'wary')).toMatchObject({ code: 0 })
  const bad = join(folder, 'bad')
  await command.homeostat('executor', 'join', code, '--name', 'bad', '-o', bad)
  expect((await command.homeostat('executor', 'reject', 'bad', '-n', 'four')).out).toContain('bad was rejected')
  const refused = await runOn(command.terminal(), ['get', 'executors', '-n', 'four', '--kubeconfig', bad])
  expect(refused).toMatchObject({ code: 1, error: expect.stringContaining('You must be logged in') })
  expect(await command.homeostat('executor', 'reject', 'good', '-n', 'four')).toMatchObject({
    code: 1,
    error: expect.stringContaining('homeostat executor revoke good'),
  })
})
