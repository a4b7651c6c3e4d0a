import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, it } from 'vitest'
import { readProject } from './read-project.ts'
import { startEntry } from './start-entry.ts'

it('runs the host before the entry, in the folder of the project, and warns of nothing', async () => {
  const folder = temporaryFolder({
    'package.json': '{"type": "module"}',
    'host.ts': 'Object.assign(globalThis, { first: "host" as string })',
    'main.ts': 'console.log(globalThis["first"] as string, process.cwd())',
  })
  const host = pathToFileURL(join(folder, 'host.ts'))
  const child = startEntry(readProject(folder), { host, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, error] = ['', '']
  child.stdout?.on('data', (chunk) => {
    out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    error += chunk
  })
  const [code] = await once(child, 'close')
  expect({ code, out, error }).toEqual({ code: 0, out: `host ${folder}\n`, error: '' })
})
