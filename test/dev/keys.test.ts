// The keys of `homeostat dev`, on a pseudo-terminal.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@homeostat/base/testing/eventually'
import { isAlive } from '@homeostat/runtimes/testing/os-process'
import { expect, it } from 'vitest'
import { need } from '../tools.ts'
import { makeProject, note, startDev } from './dev-process.ts'

const { path: terminal, missing } = need('script')

it.skipIf(missing)('a applies, r restarts, h helps, q quits and leaves nothing', async () => {
  const dev = startDev(makeProject(), { terminal })
  await dev.says(/press h for the keys/)
  const first = Number((await dev.says(/pid (\d+)/))[1])
  await dev.says(/ready in/)
  dev.press('a')
  await dev.says(/the examples were applied {2}Note default\/first created/)
  await dev.says(/Note default\/first\n[\s\S]*ready/)
  dev.press('r')
  const second = Number((await dev.says(/the operator restarts[\s\S]*pid (\d+)/))[1])
  await dev.says(/ready in/)
  expect(isAlive(first)).toBe(false)
  dev.press('h')
  await dev.says(/press a to apply the examples/)
  dev.press('q')
  expect(await dev.ended).toBe(0)
  await eventually(() => !isAlive(second))
})

it.skipIf(missing)('a breaking change is asked about: no keeps the definition, yes changes it', async () => {
  const folder = makeProject()
  const dev = startDev(folder, { terminal })
  await dev.says(/ready in/)
  writeFileSync(join(folder, 'src/note.ts'), note('text: z.number()'))
  await dev.says(/Change it anyway\? y\/N/)
  dev.press('n')
  await dev.says(/ no\n[\d:]+ {2}the definition stays as it is[\s\S]*press r/)
  dev.press('r')
  await dev.says(/Change it anyway\? y\/N/)
  dev.press('y')
  await dev.says(/ yes\n[\s\S]*the definition notes\.ex\.io was updated[\s\S]*ready in/)
  // Ctrl-C is a key while keys are read.
  dev.press('\u0003')
  expect(await dev.ended).toBe(0)
})

it.skipIf(missing)('a save withdraws the question', async () => {
  const folder = makeProject()
  const dev = startDev(folder, { terminal })
  await dev.says(/ready in/)
  writeFileSync(join(folder, 'src/note.ts'), note('text: z.number()'))
  await dev.says(/Change it anyway\? y\/N/)
  writeFileSync(join(folder, 'src/note.ts'), note())
  await dev.says(/ready in/)
  dev.press('y')
  dev.press('q')
  expect(await dev.ended).toBe(0)
  expect(dev.shown()).not.toMatch(/was updated/)
})
