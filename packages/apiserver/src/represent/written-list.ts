// How a list is written as text: YAML, and JSON with and without indentation. Object by object, so that a long list can
// give way to other requests in between.

import { writeJson } from '@homeostat/meta'
import { indent, JSON_TYPE } from './object-answer.ts'
import { yamlWriter } from './yaml.ts'

export interface ListWriter {
  readonly contentType: string
  /** Everything before the first item. */
  head(list: object, empty: boolean): string
  item(object: object, first: boolean): string
  tail(empty: boolean): string
}

export async function yamlWriterFor(key: string): Promise<ListWriter> {
  const write = await yamlWriter()
  return {
    contentType: 'application/yaml',
    head: (list, empty) => `${write(list)}${key}:${empty ? ' []' : ''}\n`,
    item: (object) => write([object]),
    tail: () => '',
  }
}

/** `key` is the field of the items, which is the last one. */
export const prettyWriter = (key: string): ListWriter => ({
  contentType: JSON_TYPE,
  head: (list) => `${JSON.stringify(list, null, 2).slice(0, -'\n}'.length)},\n  "${key}": [`,
  // A line break inside a string is written as an escape: every real one is between tokens.
  item: (object, first) => `${first ? '' : ','}\n    ${indent(writeJson(object)).replaceAll('\n', '\n    ')}`,
  tail: (empty) => (empty ? ']\n}\n' : '\n  ]\n}\n'),
})

export const plainWriter = (key: string): ListWriter => ({
  contentType: JSON_TYPE,
  head: (list) => `${JSON.stringify(list).slice(0, -'}'.length)},"${key}":[`,
  item: (object, first) => `${first ? '' : ','}${writeJson(object)}`,
  tail: () => ']}',
})
