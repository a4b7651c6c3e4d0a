import { expect, test } from 'vitest'
import { readLabels } from './read-labels.ts'

test.each([
  ['team=vision  old-', { team: 'vision', old: null }],
  ['example.com/a=', { 'example.com/a': '' }],
])('%s is %j', (text, labels) => expect(readLabels(text)).toEqual({ labels, problem: undefined }))

test.each([
  ['', 'Which labels?'],
  ['team', 'team is neither NAME=VALUE nor NAME-.'],
  ['-=x', '- is not the name of a label.'],
  ['a=b/c', 'b/c is not the value of a label.'],
])('%s is refused', (text, problem) => expect(readLabels(text).problem).toBe(problem))
