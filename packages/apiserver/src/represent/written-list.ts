// Writes lists as text: YAML, and JSON with and without indentation. Object by object, so that a long list can yield to
// other requests.

import { writeJson } from '@homeostat/meta'
import { indent, JSON_TYPE } from './object-response.ts'
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

/** `key` is the name of the last field, which holds the items. */
export const prettyWriter = (key: string): ListWriter => ({
  contentType: JSON_TYPE,
  head: (list) => `${JSON.stringify(list, null, 2).slice(0, -'\n}'.length)},\n  "${key}": [`,
  // Strings escape line breaks, so every line break in the text is between tokens.
  item: (object, first) => `${first ? '' : ','}\n    ${indent(writeJson(object)).replaceAll('\n', '\n    ')}`,
  tail: (empty) => (empty ? ']\n}\n' : '\n  ]\n}\n'),
})

export const plainWriter = (key: string): ListWriter => ({
  contentType: JSON_TYPE,
  head: (list) => `${JSON.stringify(list).slice(0, -'}'.length)},"${key}":[`,
  item: (object, first) => `${first ? '' : ','}${writeJson(object)}`,
  tail: () => ']}',
})
