// What a server has of the dashboard while nobody looks: nothing, so that it neither starts later nor is larger for it.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { ready, spawnScript, upArgs } from '../server-process.ts'

const MAIN = join(import.meta.dirname, '../../packages/cli/src/main.ts')

/** Notes the URL of every module that is loaded. */
const NOTE = (file: string) => `
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    appendFileSync(${JSON.stringify(file)}, found.url + '\\n')
    return found
  },
})
`

test('a server loads nothing of the dashboard before the first request for it', async () => {
  const folder = temporaryFolder()
  const [note, loaded] = [join(folder, 'note.mjs'), join(folder, 'loaded')]
  writeFileSync(note, NOTE(loaded))
  const data = join(folder, 'data')
  // A flag of Node where the script stands: hooks that come last are asked first.
  const child = spawnScript(`--import=${pathToFileURL(note)}`, [MAIN, ...upArgs(data, ['--runtime', 'none'])])
  const { url } = await ready(child, data)
  const modules = () => readFileSync(loaded, 'utf8').split('\n')
  const ofDashboard = () => modules().filter((one) => /packages\/dashboard\/|overview\/overview\.ts/.test(one))
  expect((await fetch(`${url}/api/v1/namespaces`)).status).toBe(200)
  expect(modules().length).toBeGreaterThan(100)
  expect(ofDashboard()).toEqual([])
  expect((await fetch(`${url}/ui/session`)).status).toBe(200)
  expect(ofDashboard().length).toBeGreaterThan(0)
})
