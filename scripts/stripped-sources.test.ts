import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { StrippedSources } from './stripped-sources.ts'

const ONE = 'export const one: number = 1 // größer\n'

test('a text is kept for the next start, until its source changes', () => {
  const folder = temporaryFolder({ 'one.ts': ONE, 'two.ts': 'type Two = 2\n' })
  const [file, one, two] = [join(folder, 'kept'), join(folder, 'one.ts'), join(folder, 'two.ts')]
  const first = new StrippedSources(file)
  expect(first.textOf(one)).toBe('export const one         = 1 // größer\n')
  first.save()
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const second = new StrippedSources(file)
  expect(second.textOf(one)).toBe(first.textOf(one))
  expect(second.textOf(two).trim()).toBe('')
  second.save()

  writeFileSync(one, 'export const one: string = "one"\n')
  const third = new StrippedSources(file)
  expect(third.textOf(one)).toBe('export const one         = "one"\n')
  expect(third.textOf(two).trim()).toBe('')
})

test('a start that finds everything writes nothing, and a file that is not whole is not used', () => {
  const folder = temporaryFolder({ 'one.ts': ONE })
  const [file, one] = [join(folder, 'kept'), join(folder, 'one.ts')]
  new StrippedSources(file).save()
  expect(existsSync(file)).toBe(false)
  writeFileSync(file, 'broken')
  const again = new StrippedSources(file)
  expect(again.textOf(one)).toContain('export const one')
  again.save()
  const { mtimeMs, ino } = statSync(file)
  const last = new StrippedSources(file)
  last.textOf(one)
  last.save()
  expect(statSync(file)).toMatchObject({ mtimeMs, ino })
})

test('a text that was let go is read again, also when another start has replaced the file', () => {
  const folder = temporaryFolder({ 'one.ts': ONE, 'two.ts': "import { join } from 'node:path'\n" })
  const [file, one, two] = [join(folder, 'kept'), join(folder, 'one.ts'), join(folder, 'two.ts')]
  const first = new StrippedSources(file)
  const texts = [first.textOf(one), first.textOf(two)]
  expect(texts[1]).toBe('const { join } = process.getBuiltinModule("node:path");\n')
  first.save()

  const second = new StrippedSources(file)
  second.forget()
  writeFileSync(`${file}.other`, 'of another start')
  renameSync(`${file}.other`, file)
  expect([second.textOf(one), second.textOf(two)]).toEqual(texts)
  writeFileSync(one, 'export const one = 1\n')
  second.textOf(one)
  second.save()
  expect(new StrippedSources(file).textOf(two)).toBe(texts[1])
})
