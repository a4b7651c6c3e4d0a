import { expect, test } from 'vitest'
import { tellWhatHappened } from './what-happened.ts'

/** What follows a line that was typed. */
function answers(shown: string): Map<string, string[]> {
  const typed = shown.split(/^\$ homeostat /m).slice(1)
  const all = new Map<string, string[]>()
  for (const text of typed) {
    const [line = ''] = text.split('\n', 1)
    all.set(line, [...(all.get(line) ?? []), text.slice(line.length + 1)])
  }
  return all
}

test('the example tells who dimmed the lamp, puts it right, and finds the executor that died', async () => {
  let shown = ''
  await tellWhatHappened((text) => {
    shown += text
  })
  const of = answers(shown)
  expect(of.get('why configmap lit-desk')?.[0]).toMatch(
    /reconciled Lamp default\/desk\n +since Lamp default\/desk changed: updated to generation 2 by bob \(homeostat\)/,
  )
  expect(of.get('diff lamp desk --from 1 --to 2')?.[0]).toContain('-  brightness: 80\n+  brightness: 8\n')
  expect(of.get('rollback lamp desk --to 1')).toEqual([
    expect.stringContaining('lamp.office.example.org/desk rolled back to 1, now generation 3\n'),
  ])
  const [before, after] = of.get('history lamp desk') ?? []
  expect(before).toMatch(/\n1 +created +ada .*\n2 +updated, current +bob /)
  expect(after).toMatch(
    /\n3 +updated +ada +homeostat-rollback .*\n3 +deleted +bob .*\nuid .*\n1 +created, current +ada +homeostat-undelete /,
  )
  expect(of.get('doctor')?.[0]).toContain('[WARN] executor default/bench-1 (bench) is lost')
  expect(of.get('doctor --fix')?.[0]).toContain('[FIXED] executor default/bench-1 was lost and is deleted')
  expect(of.get('doctor')?.[1]).not.toContain('[WARN]')
})
