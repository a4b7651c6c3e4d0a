// What a production operator carries: no server, few megabytes, and little time to import.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PackedProject, packedProject } from './packed-project.ts'

let project: PackedProject
beforeAll(async () => {
  project = await packedProject({
    dependencies: ['@homeostat/operator', 'zod@4.1'],
    devDependencies: ['homeostat', '@homeostat/testing'],
  })
  await project.run('npm', ['ci', '--omit=dev'])
})
afterAll(() => project[Symbol.dispose]())

test('the production install of an operator has no server in it', () => {
  const installed = readdirSync(join(project.folder, 'node_modules/@homeostat')).sort()
  expect(installed).toEqual(['base', 'client', 'executor', 'meta', 'operator', 'schema'])
  expect(
    readdirSync(join(project.folder, 'node_modules'))
      .filter((name) => !name.startsWith('.'))
      .sort(),
  ).toEqual(['@homeostat', 're2js', 'yaml', 'zod'])
})

test('it is under 8 MB with Zod, and most of that is Zod', () => {
  const bytes = sizeOf(join(project.folder, 'node_modules'))
  expect(bytes).toBeLessThan(8e6)
  // Zod itself grew from 3.9 MB (4.1) to 6.3 MB (4.6).
  expect(bytes - sizeOf(join(project.folder, 'node_modules/zod'))).toBeLessThan(3.8e6)
})

// Machines of one kind differ by half, and Zod on the same one tells which it is: it is a part of the import. Measured: 2.3 to
// 2.45 times; the wanted 120 ms of CPU hold where Zod alone takes less than 50.
test('importing @homeostat/operator costs at most 3 times what importing Zod costs', async () => {
  project.write({
    'import.js': `import '@homeostat/operator'\n${SHOW_CPU}`,
    'zod.js': `import 'zod'\n${SHOW_CPU}`,
    'nothing.js': SHOW_CPU,
  })
  const rounds: number[] = []
  // In turns, since the machine is busy with other things at times; the first pair fills the disk's cache.
  for (let round = 0; round <= ROUNDS; round++) {
    const nothing = await cpuMs('nothing.js')
    const times = ((await cpuMs('import.js')) - nothing) / ((await cpuMs('zod.js')) - nothing)
    if (round > 0) rounds.push(times)
  }
  expect(rounds.sort((a, b) => a - b)[ROUNDS >> 1]).toBeLessThan(3)
})

const ROUNDS = 9
const SHOW_CPU = 'const { user, system } = process.cpuUsage()\nconsole.log((user + system) / 1000)\n'

async function cpuMs(file: string): Promise<number> {
  return Number((await project.run('node', [file])).stdout)
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
