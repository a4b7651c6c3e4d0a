// What the documents say about the command line is what the command line says about itself.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { spawnHomeostat } from '../server-process.ts'

const root = join(import.meta.dirname, '../..')

test('docs/operating.md shows the help of `homeostat up` word for word', async () => {
  const { stdout } = spawnHomeostat(['up', '--help'])
  if (stdout === null) throw new Error('the command has no output')
  expect(readFileSync(join(root, 'docs/operating.md'), 'utf8')).toContain(await text(stdout))
})
