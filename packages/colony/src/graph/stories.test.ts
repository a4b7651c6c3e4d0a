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

it('a story that comes out otherwise fails', () => {
  expect(() => readStories('== T\ngraph a; b after a -> b').forEach(runStory)).toThrow('comes out as "a"')
  expect(() => readStories('== T\ngraph a -> a\na Won').forEach(runStory)).toThrow('no sentence')
})
