import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ownCommand } from '../own-command.ts'

/** Runs it until its end, or until a line after which it is interrupted. */
async function runDemo(
  interruptAfter?: string,
): Promise<{ code: number; text: string; left: string[]; pids: number[] }> {
  const root = mkdtempSync(join(tmpdir(), 'homeostat-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'tmp'))
  const [node = '', ...args] = ownCommand
  const env = { ...process.env, TMPDIR: join(root, 'tmp') }
  const child = spawn(node, [...args, 'demo'], { env, cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk
      if (interruptAfter !== undefined && text.includes(interruptAfter)) child.kill('SIGINT')
    })
  }
  const [code] = (await once(child, 'close')) as [number]
  const pids = [...text.matchAll(/Started process: \S+ \(ID: (\d+)\)/g)].map((match) => Number(match[1]))
  return { code, text, left: readdirSync(join(root, 'tmp')), pids }
}

const commandOf = (pid: number) => {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

describe('homeostat demo', { timeout: 60_000 }, () => {
  it('shows the whole life of a resource, ends with 0 and leaves nothing behind', async () => {
    const { code, text, left, pids } = await runDemo()
    expect(text).toMatch(/Done in \d+\.\d s/)
    expect(code).toBe(0)
    const headings = text.split('\n').filter((line) => /^\d+\. /.test(line))
    expect(headings).toEqual([
      '1. Register the definition',
      '2. Create a resource that asks for 3 executors of type ml-executor',
      '3. The server puts a process into the queue',
      '4. Start the controller: it takes the process and reconciles',
      '5. Look at the status',
      '6. Give them work',
      '7. replicas: 5',
      '8. replicas: 1',
      '9. Kill the last one by hand',
      '10. Delete the resource',
    ])
    expect(text.match(/✓/g)?.length).toBeGreaterThan(headings.length)
    // Three, two more, and the one that heals.
    expect(pids).toHaveLength(6)
    expect(pids.filter((pid) => commandOf(pid).includes('executor run'))).toEqual([])
    expect(left).toEqual([])
  })

  it('leaves nothing behind when it is interrupted', async () => {
    const { code, text, left, pids } = await runDemo('Reconciliation complete: 3 replicas running')
    expect(text).toContain('interrupted')
    expect(code).toBe(130)
    expect(pids.length).toBeGreaterThanOrEqual(3)
    expect(pids.filter((pid) => commandOf(pid).includes('executor run'))).toEqual([])
    expect(left).toEqual([])
  })
})
