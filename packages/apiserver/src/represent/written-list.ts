// How a list is written as text: YAML, and JSON with indentation. Object by object, so that a long list can give way
// to other requests in between.

import { writeJson } from '@homeostat/meta'
import { indent } from './object-answer.ts'
import { yamlWriter } from './yaml.ts'

export interface ListWriter {
  readonly contentType: string
  /** Everything before the first item. */
  head(list: object, empty: boolean): string
  item(object: object, first: boolean): string
  tail(empty: boolean): string
}

export async function yamlListWriter(): Promise<ListWriter> {
  const write = await yamlWriter()
  return {
    contentType: 'application/yaml',
    head: (list, empty) => `${write(list)}items:${empty ? ' []' : ''}\n`,
    item: (object) => write([object]),
    tail: () => '',
  }
}

export const prettyListWriter: ListWriter = {
  contentType: 'application/json',
  head: (list) => `${JSON.stringify(list, null, 2).slice(0, -'\n}'.length)},\n  "items": [`,
  // A line break inside a string is written as an escape: every real one is between tokens.
  item: (object, first) => `${first ? '' : ','}\n    ${indent(writeJson(object)).replaceAll('\n', '\n    ')}`,
  tail: (empty) => (empty ? ']\n}\n' : '\n  ]\n}\n'),
}
