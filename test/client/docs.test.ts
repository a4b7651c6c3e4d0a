// The programs of docs/client.md run as they are printed.

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedClient, servedClient } from './served-client.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/client.md'), 'utf8')
const programs = [...page.matchAll(/^## ([^\n]*)$|^```ts\n(.*?)^```$/gms)]
  .map(([, heading, code], at, all) => ({
    title: heading ?? all.slice(0, at).findLast(([, before]) => before !== undefined)?.[1] ?? '',
    code,
  }))
  .filter((part): part is { title: string; code: string } => part.code !== undefined)

let served: ServedClient
let folder = ''

beforeAll(async () => {
  served = await servedClient()
  folder = mkdtempSync(join(tmpdir(), 'homeostat-docs-'))
  const config = {
    'current-context': 'c',
    clusters: [{ name: 'c', cluster: { server: served.url } }],
    contexts: [{ name: 'c', context: { cluster: 'c' } }],
  }
  writeFileSync(join(folder, 'config'), JSON.stringify(config))
})
afterAll(async () => {
  await served.close()
  rmSync(folder, { recursive: true })
})

async function runProgram(code: string): Promise<string> {
  const args = ['--conditions=homeostat-source', '--input-type=module-typescript', '-e', code]
  const env = { ...process.env, KUBECONFIG: join(folder, 'config') }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname, env })
  expect(stderr.replace(/^.*ExperimentalWarning.*\n.*--trace-warnings.*\n/m, '')).toBe('')
  return stdout
}

const shown: Record<string, RegExp> = {
  Connect: /gitVersion/,
  Read: /^-----BEGIN CERTIFICATE-----\nundefined\n0 \d+\n\d+\n$/,
  Write: /^$/,
  Watch: /^ADDED \S+ \d+\n$/,
  Informers: /added default\n(.*\n)*\d+ [0-9a-f-]{36}\n$/,
  Errors: /^secrets "no-such-secret" not found 404 /,
}

test('the page has the programs that are run here', () => {
  expect(programs.map(({ title }) => title)).toEqual(Object.keys(shown))
})

test.each(programs)('the program under $title does what the page says', async ({ title, code }) => {
  expect(await runProgram(code)).toMatch(shown[title] ?? /nothing/)
})
