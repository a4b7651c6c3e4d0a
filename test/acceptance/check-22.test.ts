// Check 22: run-demo runs the whole story without any server or network and exits 0.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

test('check 22', async () => {
  const script = join(import.meta.dirname, '../../examples/executor-deployment/run-demo.sh')
  const child = spawn(script, { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  expect({ code, errors: code === 0 ? '' : errors }).toEqual({ code: 0, errors: '' })
  expect(out).toContain('ExecutorDeployment')
})
