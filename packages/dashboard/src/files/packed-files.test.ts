import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { packFiles, plainBody, unpackFiles } from './packed-files.ts'

it('what was packed is unpacked, compressed where that helps, with a type', () => {
  const files = new Map([
    ['index.html', Buffer.from('<!doctype html>'.repeat(100))],
    ['assets/a.js', Buffer.from('export const a = "ä\\n"\n'.repeat(50))],
    ['assets/noise.woff2', randomBytes(500)],
    ['assets/empty.css', Buffer.alloc(0)],
  ])
  const unpacked = unpackFiles(packFiles(files))
  expect([...unpacked.keys()]).toEqual([...files.keys()].sort())
  for (const [name, body] of files) expect(plainBody(unpacked.get(name) as never)).toEqual(body)
  expect(unpacked.get('assets/a.js')).toMatchObject({ type: 'text/javascript; charset=utf-8', compressed: true })
  expect(unpacked.get('assets/noise.woff2')).toMatchObject({ type: 'font/woff2', compressed: false })
})

it('a file that was cut is refused', () => {
  const pack = packFiles(new Map([['a.js', Buffer.from('a'.repeat(100))]]))
  expect(() => unpackFiles(pack.subarray(0, -1))).toThrow('bytes instead of')
})
