// The command as a program, on a server with a colony inside the test.

import { type ExecFileException, execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testColony } from '@homeostat/testing/colony'

const main = join(import.meta.dirname, '../src/main.ts')
const flags = ['--conditions=homeostat-source', '--disable-warning=ExperimentalWarning']

export interface Ran {
  readonly code: number
  readonly out: string
  readonly error: string
}

export interface CommandTest extends AsyncDisposable {
  readonly folder: string
  readonly client: Awaited<ReturnType<typeof testColony>>['client']
  /** Any program; `homeostat` is on its PATH. */
  run(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>
  homeostat(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>
}

export async function commandTest(): Promise<CommandTest> {
  const colony = await testColony({ listen: true })
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-command-'))
  const program = join(folder, 'homeostat')
  writeFileSync(program, `#!/bin/sh\nexec ${[process.execPath, ...flags, main].map(quoted).join(' ')} "$@"\n`)
  chmodSync(program, 0o755)
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    HOME: folder,
    HOMEOSTAT_SERVER: colony.url ?? '',
    HOMEOSTAT_COMPLETION_TIMEOUT: '10s',
    NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../.homeostat/compile-cache'),
  }
  const run: CommandTest['run'] = (file, args, more = {}) =>
    new Promise((resolve) => {
      const options = { cwd: folder, env: { ...env, ...more }, timeout: 240_000 }
      execFile(file, args, options, (error: ExecFileException | null, out, said) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, error: said }),
      )
    })
  return {
    folder,
    client: colony.client,
    run,
    homeostat: (args, more) => run(program, args, more),
    async [Symbol.asyncDispose]() {
      await colony.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
