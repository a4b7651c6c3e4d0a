import { expect, test } from 'vitest'
import { RecentFrames } from './recent-frames.ts'

const frame = (time: string, text: string) => Buffer.from(`2026-11-16T05:43:${time}Z ${text}`)

test('reading goes on from the earliest entry that is remembered, and repeats none', () => {
  const recent = new RecentFrames(0)
  const read = [frame('14.000000002', 'b\n'), frame('14.000000001', 'a\n'), frame('14.000000002', 'b\n')]
  for (const one of read) recent.add(one)
  expect(recent.since).toBe(`${Date.parse('2026-11-16T05:43:14Z') / 1000}.000000001`)
  const late = [frame('14.000000002', 'b\n'), frame('14.000000003', 'c')]
  expect(recent.unseen([...read, ...late])).toEqual(late)
})

test('where nothing was read it goes on from the beginning of reading', () => {
  const recent = new RecentFrames(1500)
  expect(recent.since).toBe('1.500')
  recent.add(Buffer.from('no time\n'))
  expect(recent.since).toBe('1.500')
})

test('so many are remembered and no more', () => {
  const recent = new RecentFrames(0)
  for (let second = 0; second < 60; second++) {
    for (const part of ['1', '2']) recent.add(frame(`${String(second).padStart(2, '0')}.${part}`, 'x'))
  }
  expect(recent.since).toBe(`${Date.parse('2026-11-16T05:43:28Z') / 1000}.1`)
})
