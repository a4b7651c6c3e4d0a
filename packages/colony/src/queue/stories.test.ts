// Runs the stories in stories/. Their language is described there.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readStories, runStory } from './story.fixture.ts'

const folder = join(import.meta.dirname, 'stories')

for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt'))) {
  describe(file, () => {
    for (const story of readStories(readFileSync(join(folder, file), 'utf8'))) {
      it(story.title, () => runStory(story))
    }
  })
}

describe('a story that is wrong', () => {
  it.each([
    ['== T\n12:00:00 submit a\ne1 (ml) takes 1 -> b', 'line 3: e1 (ml) takes 1 -> b\ncomes out as "a", not "b"'],
    ['== T\n12:00:00 submit a\ne1 (ml) takes 1', 'comes out as "a", not "done"'],
    ['== T\n12:00:00 sumbit a', 'is no sentence of a story'],
    ['== T\n12:00:00 submit a colour=red', 'a Process has no colour'],
    ['== T\n12:00:00 submit a\ne1 takes 1 -> a', 'say what executor e1 is'],
    ['== T\n12:00:00 show a -> gone\n11:59:59 show a -> gone', 'time does not go back'],
    ['12:00:00 submit a', 'a story begins with its title'],
  ])('fails: %j', (text, message) => {
    expect(() => readStories(text).forEach(runStory)).toThrow(message)
  })
})
