import { expect, test } from 'vitest'
import { runPipeline } from './pipeline.ts'

test('the example counts words with a graph, then with a schedule', async () => {
  const lines: string[] = []
  await runPipeline((line) => lines.push(line))
  const graph = ['4 + 2 = 6 words', 'Succeeded: 4 of 5 nodes succeeded, 1 skipped']
  expect(lines).toEqual([...graph, 'the schedule runs it now', ...graph])
})
