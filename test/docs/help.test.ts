// What the documents say about the command line is what the command line says about itself.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { homeostat } from '../command-line.ts'
import { spawnHomeostat } from '../server-process.ts'

const root = join(import.meta.dirname, '../..')
const operating = readFileSync(join(root, 'docs/operating.md'), 'utf8')

test('the configuration file of docs/operating.md is one, and means what it says', async () => {
  const [, example = ''] = /```yaml\n(# homeostat\.yaml\n[^`]+)```/.exec(operating) ?? []
  const folder = temporaryFolder({ 'homeostat.yaml': example, 'add-ons/sites/index.ts': '' })
  const config = join(folder, 'homeostat.yaml')
  const { stdout, stderr } = await homeostat('up', '--config', config, '--print-config')
  expect(stderr).toBe('')
  const read = stdout.split('\n').filter((line) => line.includes(config))
  expect(read.map((line) => line.replace(/ +# .*/, ''))).toEqual([
    'port: 8080',
    'data-dir: /var/lib/homeostat',
    `with: [${folder}/add-ons/sites]`,
    'local-users: [ada, "@staff"]',
    'history-age: 168h',
  ])
})

test('docs/operating.md shows the help of `homeostat up` word for word', async () => {
  const { stdout } = spawnHomeostat(['up', '--help'])
  if (stdout === null) throw new Error('the command has no output')
  expect(operating).toContain(await text(stdout))
})
