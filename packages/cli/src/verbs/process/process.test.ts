import type { Process } from '@homeostat/executor/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOn } from '../../terminal.fixture.ts'
import { type TestCommand, testCommand } from '../colony.fixture.ts'

let command: TestCommand
beforeAll(async () => {
  command = await testCommand()
  await command.executor('work', 'worker', {
    echo: ({ args, kwargs, env }) => ({ args, kwargs, env }),
    say: ({ args, log }) => {
      for (const arg of args) log(String(arg))
      return args.join(' ')
    },
    fail: () => {
      throw new Error('out of order')
    },
    hang: ({ signal, log }) => {
      log('hanging')
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    },
  })
})
afterAll(() => command[Symbol.asyncDispose]())

const work = (...argv: string[]) => command.homeostat('process', ...argv, '-n', 'work')
const toWorker = ['--type', 'worker']

async function processOf(name: string): Promise<Process> {
  return command.client.resourceOf<Process>('colonies.io/v1', 'Process').get({ name, namespace: 'work' })
}

test('a process is submitted from flags, prints its name, and gives its output to whoever waits', async () => {
  const argv = ['--arg', '1', '--arg', 'text', '--arg', '{"a":[2]}', '--kwarg', 'k=true', '--env', 'A=1=2']
  const submitted = await work('submit', 'echo', ...toWorker, ...argv)
  expect(submitted).toMatchObject({ code: 0, error: '' })
  const name = submitted.out.trimEnd()
  expect(name).toMatch(/^echo-\w+$/)
  const { code, out } = await work('wait', name)
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual({ args: [1, 'text', { a: [2] }], kwargs: { k: true }, env: { A: '1=2' } })
})

test('a function that nobody has is submitted, and it is said that nobody has it', async () => {
  const nobody = await work('submit', 'dance', ...toWorker)
  expect(nobody.error).toMatch(
    /^Warning: dance-\w+ waits: no executor of type worker that is online has the function dance; they have echo, fail, hang, say\n$/,
  )
  expect(nobody).toMatchObject({ code: 0, out: expect.stringMatching(/^dance-\w+\n$/) })
  const waited = await work('submit', 'dance', ...toWorker, '--wait', '--timeout', '200ms')
  expect(waited.error).toMatch(/is Waiting, no executor of type worker that is online has the function dance/)
  const none = await work('submit', 'dance', '--type', 'dancer')
  expect(none.error).toMatch(/^Warning: dance-\w+ waits: no executor of type dancer is online\n$/)
})

test('submitting can wait, and an output that is a text is printed as it is', async () => {
  expect(await work('submit', 'say', ...toWorker, '--arg', 'hello', '--arg', 'world', '--wait')).toEqual({
    code: 0,
    out: 'hello world\n',
    error: '',
  })
})

test('everything that a process can be given is in its spec', async () => {
  const flags = [
    ...['--name', 'told', '--label', 'for people', '--priority', '-7', '--max-wait', '1h', '--max-exec', '90'],
    ...['--max-retries', '-1', '--location', 'here', '--executor', 'a,b', '--executor', 'c'],
    ...['--concurrency-key', 'key', '--ttl', '10m'],
  ]
  expect((await work('submit', 'some_Function', '--type', 'nobody', ...flags)).out).toBe('told\n')
  expect((await processOf('told')).spec).toEqual({
    funcName: 'some_Function',
    label: 'for people',
    priority: -7,
    maxWaitSeconds: 3600,
    maxExecSeconds: 90,
    maxRetries: -1,
    concurrencyKey: 'key',
    ttlSecondsAfterFinished: 600,
    conditions: { executorType: 'nobody', location: 'here', executorNames: ['a', 'b', 'c'] },
  })
  expect(await work('submit', 'some_Function', '--type', 'nobody', '--name', 'told')).toMatchObject({
    code: 1,
    error: expect.stringContaining('a process told exists already in work, and a name is submitted once'),
  })
})

test('a file may have the whole process or its spec alone, and flags count more', async () => {
  const spec = { funcName: 'echo', args: [1], kwargs: { a: 1 }, conditions: { executorType: 'worker' } }
  const whole = { apiVersion: 'colonies.io/v1', kind: 'Process', metadata: { namespace: 'work' }, spec }
  const submit = ['process', 'submit', '-f', '-', '--wait']
  const first = await command.withInput(whole, ...submit)
  expect(JSON.parse(first.out)).toMatchObject({ args: [1], kwargs: { a: 1 } })
  const second = await command.withInput(spec, ...submit, '-n', 'work', '--arg', '2', '--kwarg', 'b=x')
  expect(JSON.parse(second.out)).toMatchObject({ args: [2], kwargs: { a: 1, b: 'x' } })
  const other = await command.withInput({ ...whole, kind: 'Pod' }, ...submit)
  expect(other.error).toMatch(/the file has a Pod in it, no Process/)
  const two = await command.withInput('{"funcName":"a"}\n---\n{"funcName":"b"}\n', ...submit)
  expect(two.error).toMatch(/has several objects in it; `kubectl create -f -` submits them all/)
})

test('each way to end has its exit code', async () => {
  const failed = await work('submit', 'fail', ...toWorker, '--max-retries', '0', '--name', 'failing', '--wait')
  expect(failed).toEqual({
    code: 4,
    out: '',
    error: 'homeostat: the process failing failed in attempt 1: out of order\n',
  })
  const submit = ['process', 'submit', 'echo', '--type', 'nobody', '--name', 'late', '-n', 'work']
  const late = await command.timedOut(/no executor of type/, ...submit, '--wait', '--timeout', '1s')
  expect(late).toEqual({
    code: 6,
    out: '',
    error: 'homeostat: the time of 1s is up: late is Waiting, no executor of type nobody is online\n',
  })
  expect(await work('cancel', 'late')).toMatchObject({ code: 0, out: expect.stringMatching(/^late .*cancelled\n$/) })
  expect(await work('wait', 'late')).toMatchObject({
    code: 5,
    error: expect.stringMatching(/^homeostat: the process late was cancelled/),
  })
  expect(await work('cancel', 'late')).toMatchObject({ code: 0, out: 'late was cancelled\n' })
  expect(await work('wait', 'nobody')).toMatchObject({
    code: 3,
    error:
      "homeostat: there is no process 'nobody' in the namespace work; `homeostat get processes -n work` shows those there are\n",
  })
})

test('on a terminal a wait shows what it waits for, and takes it away', async () => {
  const terminal = command.terminal({ errorColumns: 200 })
  const waiting = runOn(terminal, ['process', 'submit', 'late', '--type', 'absent', '-n', 'shown', '--wait'])
  await terminal.until(/waiting: late-\w+ is Waiting, no executor of type absent is online \(0s\)/)
  await command.executor('shown', 'absent', { late: () => 'at last' })
  const { code, out, error } = await waiting
  expect({ code, out }).toEqual({ code: 0, out: 'at last\n' })
  expect(error.endsWith('\r\x1b[K')).toBe(true)
})

test('one that runs is asked to end, and its log can be followed until it has', async () => {
  await work('submit', 'hang', ...toWorker, '--name', 'hanging')
  const terminal = command.terminal()
  const following = runOn(terminal, ['process', 'logs', '-f', 'hanging', '-n', 'work'])
  await terminal.until(/hanging\n/)
  expect(await work('retry', 'hanging')).toMatchObject({
    code: 1,
    error: 'homeostat: hanging is still Running; `homeostat process cancel hanging --wait` ends it\n',
  })
  expect(await work('cancel', 'hanging', '--wait')).toEqual({ code: 0, out: 'hanging was cancelled\n', error: '' })
  expect((await following).code).toBe(0)
})

test('logs can be cut and have times', async () => {
  const lines = ['one', 'two', 'three'].flatMap((line) => ['--arg', line])
  await work('submit', 'say', ...toWorker, ...lines, '--name', 'logged', '--wait')
  expect((await work('logs', 'logged')).out).toBe('one\ntwo\nthree\n')
  expect((await work('logs', 'logged', '--tail', '2', '--since', '1h')).out).toBe('two\nthree\n')
  expect((await work('logs', 'logged', '--tail', '1', '--timestamps')).out).toMatch(/^\d{4}-\S+Z three\n$/)
  expect(await work('logs', 'nobody')).toMatchObject({ code: 3 })
})

test('what has ended is not cancelled, but can be submitted again under another name', async () => {
  await work('submit', 'say', ...toWorker, '--arg', 'again', '--name', 'done', '--label', 'mine', '--wait')
  expect(await work('cancel', 'done')).toMatchObject({
    code: 1,
    error: 'homeostat: done was not cancelled: it has ended as Succeeded\n',
  })
  const retried = await work('retry', 'done')
  const name = retried.out.trimEnd()
  expect(name).toMatch(/^done-\w+$/)
  expect((await work('wait', name)).out).toBe('again\n')
  expect((await processOf(name)).spec).toEqual((await processOf('done')).spec)
  expect((await work('retry', name, '--wait')).out).toBe('again\n')
  // Cancelled ones too, without the wish to end.
  await work('submit', 'say', '--type', 'nobody', '--name', 'given-up')
  await work('cancel', 'given-up', '--wait')
  const again = (await work('retry', 'given-up')).out.trimEnd()
  expect((await processOf(again)).status.phase).toBe('Waiting')
})

test.each([
  [['submit'], 2, /name the function: homeostat process submit FUNCTION --type TYPE/],
  [['submit', 'f'], 2, /name the type of the executor that shall run it: --type TYPE/],
  [['submit', 'f', 'x', '--type', 't'], 2, /unexpected argument 'x'; arguments of the function are --arg 'x'/],
  [['submit', 'f', '--type', 't', '--kwarg', 'x'], 2, /--kwarg x: must be NAME=VALUE/],
  [['submit', 'f', '--type', 't', '--priority', '60000'], 2, /--priority 60000: must be a whole number from -50000/],
  [['submit', 'f', '--type', 't', '-f', '/no/file'], 1, /\/no\/file could not be read/],
  [['submit', 'f', '--type', 't', '--name', 'NO'], 1, /NO/],
  [['wait', ''], 2, /name the one/],
  [['wait', '..'], 2, /'\.\.' is not a name/],
])('%j says in one line what is wrong', async (argv, code, message) => {
  const shown = await work(...argv)
  expect(shown.error).toMatch(message)
  expect(shown.error.trimEnd()).not.toContain('\n')
  expect(shown.code).toBe(code)
})
