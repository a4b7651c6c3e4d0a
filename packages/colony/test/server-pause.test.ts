// A server that does not run for a while heard nobody meanwhile: it takes no executor for lost because of that.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pass } from 'node:timers/promises'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { names, startColony } from './colony-calls.ts'

describe('a server that was stopped', () => {
  it.each(['stopFor', 'sleepFor'] as const)('leaves an executor what it held (%s)', async (how) => {
    const { submit, register, assign, heartbeat, close, process, clock } = await startColony()
    await register('e1')
    await register('e2')
    await submit('a')
    await assign('e1')
    const other = assign('e2', {}, 300)
    await expect.poll(() => clock.timers).toBeGreaterThanOrEqual(2)
    clock[how](60_000)
    clock.advance(1000)
    expect((await heartbeat('e1', [{ process: 'a', attempt: 1 }])).body).toEqual({ cancelled: [], lost: [] })
    expect(process('a')?.status).toMatchObject({ phase: 'Running', executor: 'e1', attempt: 1 })
    expect((await close('a', { executor: 'e1', attempt: 1, result: 'Succeeded' })).status).toBe(200)
    await submit('b')
    expect(names(await other)).toEqual(['b'])
  })

  it('ends what ran out meanwhile, within a second', async () => {
    const { submit, register, assign, process, clock } = await startColony()
    await register('e1')
    await submit('a', { maxExecSeconds: 30, maxRetries: 0 })
    await assign('e1')
    clock.sleepFor(60_000)
    clock.advance(1000)
    await expect.poll(() => process('a')?.status.phase).toBe('Failed')
    expect(process('a')?.status.errors).toEqual(['Maximum execution time limit exceeded'])
  })

  it('takes one that stays silent for lost a whole term later', async () => {
    const { submit, register, assign, process, clock } = await startColony()
    await register('e1')
    await submit('a')
    await assign('e1')
    clock.stopFor(60_000)
    clock.advance(29_000)
    expect(process('a')?.status.phase).toBe('Running')
    clock.advance(1000)
    await expect.poll(() => process('a')?.status.errors).toEqual(['Executor e1 was lost'])
  })
})

describe('a real server, stopped by SIGSTOP for longer than executors may be silent', () => {
  it('gives nothing out twice', async () => {
    const { url, child } = await serverProcess()
    const base = `${url}/apis/colonies.io/v1/namespaces/dev`
    const post = async (path: string, body: object) => {
      const answer = await fetch(`${base}${path}`, { method: 'POST', body: JSON.stringify(body), headers: JSON_BODY })
      return (await answer.json()) as Record<string, unknown>
    }
    const object = (kind: string, name: string, spec: object) => ({
      apiVersion: 'colonies.io/v1',
      kind,
      metadata: { name },
      spec,
    })
    await post('/executors', object('Executor', 'e1', { type: 'ml' }))
    await post('/processes', object('Process', 'a', { funcName: 'f', conditions: { executorType: 'ml' } }))
    // An assign is a sign of life; the stop follows at once.
    expect(await post('/executors/e1/assign?timeoutSeconds=0', {})).toMatchObject({ processes: [{}] })
    child.kill('SIGSTOP')
    await pass(LOST_MS * 1.5)
    child.kill('SIGCONT')
    // By the answer the timers that came due meanwhile have been called.
    await fetch(`${url}/readyz`)
    const heard = await post('/executors/e1/heartbeat', { holding: [{ process: 'a', attempt: 1 }] })
    expect(heard).toEqual({ cancelled: [], lost: [] })
    const process = (await (await fetch(`${base}/processes/a`)).json()) as { status: object }
    expect(process.status).toMatchObject({ phase: 'Running', executor: 'e1', attempt: 1 })
  })
})

const LOST_MS = 4000
const JSON_BODY = { 'content-type': 'application/json' }

async function serverProcess(): Promise<{ url: string; child: ChildProcess }> {
  const file = new URL('./server-process.fixture.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--conditions=homeostat-source', file, String(LOST_MS)], {
    // Killed, it cannot remove its own folder.
    env: { ...process.env, TMPDIR: temporaryFolder() },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk
      if (text.endsWith('\n')) resolve(text.trim())
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  return { url, child }
}
