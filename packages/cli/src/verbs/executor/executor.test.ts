import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { isAlive } from '@homeostat/runtimes/testing/os-process'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ownCommand } from '../../own-command.ts'
import { runOn } from '../../terminal.fixture.ts'
import { type TestCommand, testCommand } from '../colony.fixture.ts'

let command: TestCommand
beforeAll(async () => {
  command = await testCommand()
})
afterAll(() => command[Symbol.asyncDispose]())

/** An executor until it is told to end. */
async function started(colony: string, ...argv: string[]) {
  const ending = Promise.withResolvers<string>()
  const terminal = command.terminal({ ending: () => ending.promise })
  const running = runOn(terminal, ['executor', 'run', '-n', colony, ...argv])
  const end = () => {
    ending.resolve('SIGTERM')
    return running
  }
  onTestFinished(async () => void (await end()))
  await Promise.race([terminal.until(/is online/), running])
  return { terminal, end }
}

function submit(colony: string, func: string, ...argv: string[]) {
  return command.homeostat('process', 'submit', func, '--type', 'cli', '-n', colony, '--wait', ...argv)
}

test('an executor says that it is online, runs its functions, and is gone when it has ended', async () => {
  const { terminal, end } = await started('run', '--type', 'cli', '--name', 'one', '--location', 'here')
  expect(terminal.shown).toEqual({ out: 'executor one of type cli is online in run: echo, sleep\n', error: '' })
  expect(JSON.parse((await submit('run', 'echo', '--arg', '1', '--arg', 'a')).out)).toEqual([1, 'a'])
  expect(JSON.parse((await submit('run', 'echo', '--kwarg', 'a=1')).out)).toEqual({ a: 1 })
  expect(JSON.parse((await submit('run', 'sleep', '--arg', '0.01')).out)).toEqual({ slept: 0.01 })
  const list = await command.homeostat('executor', 'list', '-n', 'run')
  expect(list.out).toMatch(/^NAME +TYPE +LOCATION +PHASE +LAST-SEEN +RUNNING\none +cli +here +Online +\ds +0\n$/)
  expect((await command.homeostat('executor', 'list', '-A', '-o', 'wide')).out).toMatch(
    /run +one +cli +here +Online +\ds +0 +\d+s +echo,sleep/,
  )
  expect((await command.homeostat('executor', 'list', '-n', 'run', '-o', 'name')).out).toBe(
    'executor.colonies.io/one\n',
  )
  expect(await end()).toMatchObject({ code: 0, error: '' })
  expect((await command.homeostat('executor', 'list', '-n', 'run')).error).toBe(
    'there are no executors in the namespace run; `homeostat executor run --type TYPE` is one\n',
  )
})

test('its end waits for what runs', async () => {
  const file = join(temporaryFolder(), 'functions.mjs')
  const source = `
    let open
    const opened = new Promise((resolve) => { open = resolve })
    export default { block: async ({ log }) => { log('begun'); await opened; return 'done' }, open: () => open() }`
  writeFileSync(file, source)
  const { terminal, end } = await started('drain', '--type', 'cli', '--module', file, '--concurrency', '2')
  expect(terminal.shown.out).toMatch(/: echo, sleep, block, open\n$/)
  const blocked = submit('drain', 'block', '--name', 'blocked')
  const logs = command.terminal()
  const untilThere = async (): Promise<void> => {
    const { code } = await runOn(logs, ['process', 'logs', '-f', 'blocked', '-n', 'drain'])
    if (code !== 0) return untilThere()
  }
  const following = untilThere()
  await logs.until(/begun/)
  expect((await command.homeostat('executor', 'list', '-n', 'drain')).out).toMatch(/ Online +\ds +1\n$/)
  const ended = end()
  await terminal.until(/ends when the 1 it runs have ended/)
  const { default: functions } = (await import(file)) as { default: { open(): void } }
  functions.open()
  expect(await blocked).toMatchObject({ code: 0, out: 'done\n' })
  expect((await ended).code).toBe(0)
  await following
})

test('programs are run only by those that may', async () => {
  await started('commands', '--type', 'cli')
  const refused = await submit('commands', 'execute', '--arg', 'true', '--max-wait', '1')
  expect(refused.code).toBe(4)
})

test('a program gets its arguments without a shell, and the variables; its lines are the log', async () => {
  await started('commands2', '--type', 'cli', '--allow-commands', '--name', 'runner')
  const script = 'console.log(process.argv[1]); console.error(process.env.GREETING); console.log("end")'
  const args = ['node', '-e', script, '$HOME; ls'].flatMap((arg) => [`--arg=${JSON.stringify(arg)}`])
  const shown = await submit('commands2', 'execute', ...args, '--env', 'GREETING=hello', '--name', 'p')
  expect(JSON.parse(shown.out)).toEqual({ exitCode: 0, stdout: '$HOME; ls\nend\n' })
  const { out } = await command.homeostat('process', 'logs', 'p', '-n', 'commands2')
  expect(out.split('\n').sort()).toEqual(['', '$HOME; ls', 'end', 'hello'])
})

test('a program that fails, or is not there, fails its process', async () => {
  await started('commands3', '--type', 'cli', '--allow-commands')
  const failed = await submit('commands3', 'execute', '--arg', 'false', '--max-retries', '0')
  expect(failed.error).toMatch(/failed in attempt 1: false ended with exit code 1\n$/)
  // Trying again would not help.
  const missing = await submit('commands3', 'execute', '--arg', 'no-such-program')
  expect(missing.error).toMatch(/failed in attempt 1: no-such-program cannot be run: .*ENOENT\n$/)
  const nothing = await submit('commands3', 'execute')
  expect(nothing.error).toMatch(/failed in attempt 1: execute takes a program/)
  expect([failed.code, missing.code, nothing.code]).toEqual([4, 4, 4])
})

test('a program that is cancelled ends with all that it started', async () => {
  await started('commands4', '--type', 'cli', '--allow-commands', '--concurrency', '2')
  // It has not ended before the pipe is closed that the second one holds as well.
  const script = 'sleep 1000 & echo begun; wait'
  const args = ['sh', '-c', script].flatMap((arg) => [`--arg=${JSON.stringify(arg)}`])
  const running = submit('commands4', 'execute', ...args, '--name', 'long')
  const logs = command.terminal()
  const follow = async (): Promise<void> => {
    const { code } = await runOn(logs, ['process', 'logs', '-f', 'long', '-n', 'commands4'])
    if (code !== 0) return follow()
  }
  const following = follow()
  await logs.until(/begun/)
  await command.homeostat('process', 'cancel', 'long', '-n', 'commands4', '--wait')
  expect((await running).code).toBe(5)
  await following
})

test.runIf(process.platform === 'linux')(
  'one that is killed leaves nothing running, also in other sessions',
  async () => {
    const [program = '', ...argv] = ownCommand
    const args = [
      ...argv,
      'executor',
      'run',
      '--type',
      'cli',
      '--allow-commands',
      '-n',
      'killed',
      '--server',
      command.url,
    ]
    const killed = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void killed.kill('SIGKILL'))
    await new Promise<void>((resolve) => {
      killed.stdout.on('data', (chunk) => /is online/.test(String(chunk)) && resolve())
    })
    const script = 'setsid sleep 1000 & s=$!; sleep 1000 & echo pids $$ $s $!; wait'
    const words = ['sh', '-c', script].flatMap((arg) => [`--arg=${JSON.stringify(arg)}`])
    await command.homeostat('process', 'submit', 'execute', '--type', 'cli', '-n', 'killed', '--name', 'p', ...words)
    const pids = await expect
      .poll(async () => (await command.homeostat('process', 'logs', 'p', '-n', 'killed')).out)
      .toMatch(/^pids/)
      .then(async () =>
        (await command.homeostat('process', 'logs', 'p', '-n', 'killed')).out.match(/\d+/g)?.map(Number),
      )
    expect(pids?.map(isAlive)).toEqual([true, true, true])
    killed.kill('SIGKILL')
    await expect.poll(() => pids?.map(isAlive)).toEqual([false, false, false])
  },
)

test('one that finds no server says so and goes on trying, and can be ended', async () => {
  const ending = Promise.withResolvers<string>()
  const terminal = command.terminal({ ending: () => ending.promise })
  const running = runOn(terminal, ['executor', 'run', '--type', 't', '--server', 'http://127.0.0.1:1'])
  await terminal.until(/the server was not reached/)
  ending.resolve('SIGTERM')
  expect(await running).toMatchObject({ code: 0, out: '' })
})

test.each([
  [['run'], 2, /name the type of the executor: homeostat executor run --type TYPE/],
  [['run', '--type', 't', '--name', 'NO'], 2, /"NO" cannot be the name of an executor/],
  [['run', '--type', 't', '--module', '/no/such.ts'], 1, /--module \/no\/such\.ts: it cannot be loaded/],
  [['run', '--type', 't', '--module', import.meta.filename], 1, /its default export must be|cannot be loaded/],
  [['run', '--type', 't', '--concurrency', '0'], 2, /--concurrency 0: must be a whole number from 1 to 1000/],
])('%j says in one line what is wrong', async (argv, code, message) => {
  const shown = await command.homeostat('executor', ...argv)
  expect(shown.error).toMatch(message)
  expect(shown.error.trimEnd()).not.toContain('\n')
  expect(shown.code).toBe(code)
})
