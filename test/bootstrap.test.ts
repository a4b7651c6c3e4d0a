// The bootstrap, as npm calls it, where everything is installed already.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const bootstrap = join(root, 'bootstrap.mjs')
const execute = promisify(execFile)

/** Runs to the end and tells how it went, also when it failed. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const outcome = await execute(process.execPath, args, { env }).catch((failure) => failure)
  return { code: outcome.code ?? 0, stdout: String(outcome.stdout), stderr: String(outcome.stderr) }
}

/** A clone that was never installed, with this folder alone on its PATH. */
function freshClone(): { script: string; programs: string; env: NodeJS.ProcessEnv } {
  const clone = temporaryFolder()
  const programs = join(clone, 'bin')
  mkdirSync(programs)
  cpSync(bootstrap, join(clone, 'bootstrap.mjs'))
  const lock = { packages: { '': {}, 'node_modules/a': { version: '1.0.0' } } }
  writeFileSync(join(clone, 'package-lock.json'), JSON.stringify(lock))
  return { script: join(clone, 'bootstrap.mjs'), programs, env: { PATH: programs } }
}

test('a command runs on the pinned Node and its exit code is passed on', async () => {
  const version = await run([bootstrap, 'homeostat', 'version'])
  expect(version).toMatchObject({ code: 0, stdout: expect.stringContaining(`(node ${process.versions.node},`) })
  expect(await run([bootstrap, 'homeostat', 'fly'])).toMatchObject({ code: 2 })
})

test('HOMEOSTAT_NODE chooses another Node', async () => {
  const other = await run([bootstrap, 'homeostat', 'version'], { ...process.env, HOMEOSTAT_NODE: process.execPath })
  expect(other).toMatchObject({ code: 0, stdout: expect.stringContaining(`(node ${process.versions.node},`) })
  const absent = await run([bootstrap, 'homeostat', 'version'], { ...process.env, HOMEOSTAT_NODE: '/nowhere/node' })
  const message = 'homeostat: HOMEOSTAT_NODE names /nowhere/node, which is not there.\n'
  expect(absent).toEqual({ code: 1, stdout: '', stderr: message })
})

test('a signal reaches the server, and a killed bootstrap takes the server along', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const child = spawn(process.execPath, [
      bootstrap,
      'homeostat',
      'up',
      '--port',
      '0',
      '--data-dir',
      temporaryFolder(),
    ])
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    let log = ''
    child.stderr.on('data', (chunk) => {
      log += chunk
    })
    child.kill(signal)
    await once(child.stderr, 'end')
    expect(log).toContain('"msg":"ended"')
  }
})

test('an unknown command is refused with the known ones', async () => {
  const { code, stderr } = await run([bootstrap, 'dance'])
  expect(code).toBe(1)
  expect(stderr).toContain('start|homeostat|test')
})

test('without npm it says so', async () => {
  const { script, env } = freshClone()
  const { code, stderr } = await run([script, 'start'], env)
  expect(code).toBe(1)
  expect(stderr).toContain('npm was not found on the PATH')
})

test('a registry that cannot be reached is said in words, below what npm said', async () => {
  const { script, programs, env } = freshClone()
  writeFileSync(join(programs, 'npm'), '#!/bin/sh\necho "npm error code ENOTFOUND" >&2\nexit 7\n', { mode: 0o755 })
  const { code, stderr } = await run([script, 'start'], env)
  expect(code).toBe(7)
  expect(stderr).toMatch(/ENOTFOUND\nhomeostat: the npm registry could not be reached/)
})

test('a record of packages whose folders are missing does not count', async () => {
  const { script, env } = freshClone()
  const clone = join(script, '..')
  mkdirSync(join(clone, 'node_modules'))
  const record = { packages: { 'node_modules/a': { version: '1.0.0' } } }
  writeFileSync(join(clone, 'node_modules/.package-lock.json'), JSON.stringify(record))
  const { stderr } = await run([script, 'start'], env)
  expect(stderr).toContain('npm was not found on the PATH')
})
