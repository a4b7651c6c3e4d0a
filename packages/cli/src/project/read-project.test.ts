import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readProject } from './read-project.ts'

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'homeostat-project-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

it('reads the name, the version and the folders, from any folder inside the project', () => {
  const folder = folderOf({
    'package.json': '{"name": "@shop/Shop_Operator", "version": "1.2.3"}',
    'src/main.ts': '',
    'main.js': '',
  })
  const project = readProject(join(folder, 'src'))
  expect(project).toEqual({
    folder,
    name: 'shop-operator',
    version: '1.2.3',
    entry: join(folder, 'src/main.ts'),
    examples: join(folder, 'examples'),
    deploy: join(folder, 'deploy'),
    state: join(folder, '.homeostat'),
  })
  expect(readProject(folder)).toEqual(project)
})

it('takes the entry of the command line, then of package.json, then the usual ones', () => {
  const named = '{"name": "a", "homeostat": {"entry": "lib/go.ts"}}'
  const folder = folderOf({ 'package.json': named, 'lib/go.ts': '', 'main.js': '', 'other.ts': '' })
  expect(readProject(folder, 'other.ts').entry).toBe(join(folder, 'other.ts'))
  expect(readProject(join(folder, 'lib'), '../other.ts').entry).toBe(join(folder, 'other.ts'))
  expect(readProject(folder).entry).toBe(join(folder, 'lib/go.ts'))
  expect(readProject(folderOf({ 'package.json': '{}', 'main.js': '' })).entry).toMatch(/main\.js$/)
})

it('says what is missing', () => {
  const empty = folderOf({ 'package.json': '{}' })
  expect(() => readProject(empty)).toThrow(
    /neither src\/main\.ts, main\.ts, src\/main\.js, main\.js, nor a "homeostat": \{"entry"/,
  )
  expect(() => readProject(empty, 'x.ts')).toThrow(/^x\.ts does not exist/)
  expect(() => readProject(folderOf({ 'package.json': '{"homeostat": {"entry": "gone.ts"}}' }))).toThrow(
    /gone\.ts, which package\.json names, does not exist/,
  )
  expect(() => readProject(folderOf({ 'package.json': '{' }))).toThrow(/package\.json cannot be read/)
})
