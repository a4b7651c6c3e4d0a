// What a process started ends with it, however it ends.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { identityOf } from '../src/process/process-identity.ts'
import { endOrphans, startReaper } from '../src/reaper.ts'

const PARENT = new URL('./reaper-parent.fixture.ts', import.meta.url).pathname
/** One in a session of its own, one that does not listen, and their parent. */
const FAMILY = 'setsid sleep 1000 & s=$!; sh -c \'trap "" TERM; while :; do sleep 0.05; done\' & echo $$ $s $!; wait'

const runs = (pid: number) => identityOf(pid) !== undefined

/** A process that has started a family. */
async function parent(): Promise<{ child: ChildProcess; reaper: number; family: number[] }> {
  const child = spawn(process.execPath, ['--conditions=homeostat-source', PARENT, FAMILY], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  for await (const chunk of child.stdout) {
    text += String(chunk)
    if (text.split('\n').length > 2) break
  }
  const [reaper = 0, ...family] = text.trim().split(/\s+/).map(Number)
  for (const pid of [reaper, ...family]) onTestFinished(() => void (runs(pid) && process.kill(pid, 'SIGKILL')))
  expect(family.map(runs)).toEqual([true, true, true])
  return { child, reaper, family }
}

describe.runIf(process.platform === 'linux')('what a process started', () => {
  it('ends when it is killed, and so does the reaper', async () => {
    const { child, reaper, family } = await parent()
    child.kill('SIGKILL')
    await expect.poll(() => [reaper, ...family].map(runs)).toEqual([false, false, false, false])
  })

  it('is found again by the next one when the reaper was killed too; what belongs to the living stays', async () => {
    const [dead, living] = [await parent(), await parent()]
    process.kill(dead.reaper, 'SIGKILL')
    dead.child.kill('SIGKILL')
    await once(dead.child, 'exit')
    await endOrphans(0)
    expect(dead.family.map(runs)).toEqual([false, false, false])
    expect(living.family.map(runs)).toEqual([true, true, true])
  })

  it('ends when the reaper is closed', async () => {
    const reaper = startReaper(0)
    const child = spawn('sleep', ['1000'], { env: { ...process.env, ...reaper.env }, detached: true, stdio: 'ignore' })
    await once(child, 'spawn')
    const ended = once(child, 'exit')
    await reaper.close()
    expect((await ended)[1]).toBe('SIGKILL')
    await reaper.close()
  })
})
