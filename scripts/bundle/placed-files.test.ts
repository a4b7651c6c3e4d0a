import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, onTestFinished, test } from 'vitest'
import { placedFiles } from './placed-files.ts'

async function bundle(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-placed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const input = { main: join(folder, 'a/src/main.ts') }
  const build = await rolldown({ input, plugins: [placedFiles(folder, input)] })
  const { output } = await build.generate({ entryFileNames: '[name].js' })
  return Object.fromEntries(output.map((one) => [one.fileName, one.type === 'chunk' ? one.code : String(one.source)]))
}

test('a source that is found by its place becomes an entry, another file a copy, and the program itself stays itself', async () => {
  const files = await bundle({
    'a/src/main.ts': `import { table } from '../../b/src/deep/table.ts'
      console.log(table, new URL('./main.ts', import.meta.url), new URL('./thread.ts', import.meta.url))`,
    'a/src/thread.ts': 'console.log("thread" as string)',
    'b/src/deep/table.ts': `export const table = new URL('../../facts/table.json', import.meta.url)`,
    'b/facts/table.json': '{}',
  })
  expect(Object.keys(files).sort()).toEqual(['a-thread.js', 'b-table.json', 'main.js'])
  for (const name of Object.keys(files)) expect(files['main.js']).toMatch(new RegExp(`new URL\\(['"]\\./${name}['"]`))
  expect(files['a-thread.js']).toContain('console.log("thread")')
  expect(files['b-table.json']).toBe('{}')
})

test('a folder is copied with all that is in it, sources among it', async () => {
  const files = await bundle({
    'a/src/main.ts': `console.log(new URL('../templates', import.meta.url))`,
    'a/templates/one/main.ts': 'export const one: number = 1',
    'a/templates/two/_gitignore': 'node_modules',
  })
  expect(Object.keys(files).sort()).toEqual(['a-templates/one/main.ts', 'a-templates/two/_gitignore', 'main.js'])
  expect(files['a-templates/one/main.ts']).toBe('export const one: number = 1')
  expect(files['main.js']).toMatch(/new URL\(['"]\.\/a-templates['"]/)
})

test.each(['import.meta.dirname', 'new URL(`./thread.$' + '{extension}`, import.meta.url)'])(
  '%s cannot be followed and is refused',
  async (expression) => {
    await expect(bundle({ 'a/src/main.ts': `console.log(${expression})` })).rejects.toThrow(
      /import\.meta is for new URL\('\.\/file', import\.meta\.url\) alone.*main\.ts/,
    )
  },
)
