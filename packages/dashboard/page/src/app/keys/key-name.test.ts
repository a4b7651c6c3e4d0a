import { expect, test } from 'vitest'
import { isWriting, keyName } from './key-name.ts'

const press = (key: string, held: object = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...held })

test.each([
  [press('j'), 'j'],
  [press('?'), '?'],
  [press('K', { metaKey: true }), 'Control+k'],
  [press('d', { ctrlKey: true }), 'Control+d'],
  [press('Control', { ctrlKey: true }), undefined],
  [press('é', { altKey: true }), undefined],
])('%j is %s', (event, name) => expect(keyName(event)).toBe(name))

test.each([
  [{ tagName: 'INPUT', type: 'search' }, true],
  [{ tagName: 'INPUT', type: 'checkbox' }, false],
  [{ tagName: 'DIV', isContentEditable: true }, true],
  [{ tagName: 'TABLE' }, false],
  [null, false],
])('in %j letters are text: %s', (place, writing) => expect(isWriting(place)).toBe(writing))
