import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { typeLines } from './facts-files.ts'

type Texts = Record<string, Record<string, string>>

const texts = JSON.parse(readFileSync(join(import.meta.dirname, '../../../facts/texts.json'), 'utf8')) as Texts

it('are about types and fields that there are', () => {
  const strays = Object.entries(texts).flatMap(([type, fields]) => {
    const known = new Set(['', ...(typeLines(type) ?? []).map((line) => line.split(' ')[0])])
    return Object.keys(fields).filter((field) => typeLines(type) === undefined || !known.has(field))
  })
  expect(strays).toEqual([])
})
