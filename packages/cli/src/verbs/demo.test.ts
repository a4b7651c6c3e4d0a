import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { ownCommand } from '../own-command.ts'

// What it shows to its end is tested with the example that tells the same story.

async function interruptedDemo(after: string): Promise<{ code: number; text: string; left: string[]; pids: number[] }> {
  const root = temporaryFolder()
  mkdirSync(join(root, 'tmp'))
  const [node = '', ...args] = ownCommand
  const env = { ...process.env, TMPDIR: join(root, 'tmp') }
  const child = spawn(node, [...args, 'demo'], { env, cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk
      if (text.includes(after)) child.kill('SIGINT')
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

describe('homeostat demo', () => {
  it('leaves nothing behind when it is interrupted', async () => {
    const { code, text, left, pids } = await interruptedDemo('Reconciliation complete: 3 replicas running')
    expect(text).toContain('interrupted')
    expect(code).toBe(130)
    expect(pids.length).toBeGreaterThanOrEqual(3)
    expect(pids.filter((pid) => commandOf(pid).includes('executor run'))).toEqual([])
    expect(left).toEqual([])
  })
})
