import { expect, it } from 'vitest'
import type { ApiObject } from '../api/kinds.ts'
import { Announcer } from './announcer.ts'
import type { InformerEvent } from './informer.ts'

function change(name: string): InformerEvent<ApiObject> {
  return { type: 'added', object: object(name), previous: undefined, initial: false }
}

function object(name: string): ApiObject {
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name } }
}

function listener(): { heard: (string | undefined)[]; onChange: (change: InformerEvent<ApiObject>) => void } {
  const heard: (string | undefined)[] = []
  return { heard, onChange: ({ object: { metadata } }) => heard.push(metadata.name) }
}

it('tells the others when one throws, and says so', () => {
  const errors: Error[] = []
  const announcer = new Announcer((error) => errors.push(error))
  announcer.subscribe(() => {
    throw new Error('oh')
  }, [])
  const { heard, onChange } = listener()
  announcer.subscribe(onChange, [])
  announcer.add(change('a'))
  announcer.flush()
  expect(heard).toEqual(['a'])
  expect(errors.map(({ cause }) => (cause as Error).message)).toEqual(['oh'])
})

it('tells all of a change before the change that it caused', () => {
  const announcer = new Announcer(() => {})
  announcer.subscribe(({ object: { metadata } }) => {
    if (metadata.name !== 'a') return
    announcer.add(change('b'))
    announcer.flush()
  }, [])
  const { heard, onChange } = listener()
  announcer.subscribe(onChange, [])
  announcer.add(change('a'))
  announcer.flush()
  expect(heard).toEqual(['a', 'b'])
})

it('shows the whole state to a subscriber before what that causes', () => {
  const announcer = new Announcer(() => {})
  const heard: string[] = []
  announcer.subscribe(
    ({ object: { metadata } }) => {
      heard.push(`${metadata.name}`)
      if (metadata.name !== 'a') return
      announcer.add(change('caused'))
      announcer.flush()
    },
    [object('a'), object('b')],
  )
  expect(heard).toEqual(['a', 'b', 'caused'])
})

it('does not tell a subscriber of a change that was in its first state', () => {
  const announcer = new Announcer(() => {})
  const late = listener()
  announcer.subscribe(({ object: { metadata } }) => {
    if (metadata.name === 'a') announcer.subscribe(late.onChange, [object('a'), object('b')])
  }, [])
  announcer.add(change('a'))
  announcer.add(change('b'))
  announcer.flush()
  announcer.add(change('c'))
  announcer.flush()
  expect(late.heard).toEqual(['a', 'b', 'c'])
})

it('tells nothing to one that unsubscribed, not even what waits', () => {
  const announcer = new Announcer(() => {})
  const { heard, onChange } = listener()
  let unsubscribe = () => {}
  announcer.subscribe(() => unsubscribe(), [])
  unsubscribe = announcer.subscribe(onChange, [])
  announcer.add(change('a'))
  announcer.flush()
  expect(heard).toEqual([])
  expect(announcer.size).toBe(1)
})
