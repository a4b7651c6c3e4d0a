// The messages of Kubernetes, as a table of lines that is read message by message when first needed. A line is
// `number name type option...`:
//   type      a scalar, a form (see forms.ts) or a message; `[]type` repeated, `map:type` a map with string keys
//   pointer   a zero value that is sent means something; absent is absent
//   always    in JSON even when zero
//   inline    its fields stand beside the others in JSON
//   omitzero  left out of JSON when zero, although it is a struct

import { ProtobufError } from '../wire/protobuf-error.ts'
import { FORMS } from './forms.ts'

export interface MessageTable {
  /** By apiVersion, where the messages of its kinds are. */
  readonly packages: Readonly<Record<string, string>>
  readonly messages: Readonly<Record<string, readonly string[]>>
}

export interface Message {
  readonly name: string
  /** In ascending order of their numbers. */
  readonly fields: readonly Field[]
  readonly byNumber: ReadonlyMap<number, Field>
  /** Those that JSON has also when nothing was sent. */
  readonly filled: readonly Field[]
}

export interface Field {
  readonly number: number
  /** In JSON. */
  readonly name: string
  readonly shape: 'one' | 'many' | 'map'
  readonly type: string
  /** What the type is when it is neither a scalar nor a form. Read when asked for: messages contain each other. */
  readonly message: Message | undefined
  readonly pointer: boolean
  readonly always: boolean
  readonly inline: boolean
  readonly omitZero: boolean
}

export class MessageTables {
  readonly #table: MessageTable
  readonly #read = new Map<string, Message>()

  constructor(table: MessageTable) {
    this.#table = table
  }

  /** The message of a kind; undefined when the kind is unknown, as all custom ones are. */
  find(apiVersion: string, kind: string): Message | undefined {
    const home = packageOf(this.#table, apiVersion)
    if (home !== undefined && this.#has(`${home}.${kind}`)) return this.message(`${home}.${kind}`)
    // Options and answers belong to every group; their clients send them with the group of the resource.
    return EVERYWHERE.has(kind) ? this.message(`meta.v1.${kind}`) : undefined
  }

  /** By the name it has in the table. */
  message(name: string): Message {
    const known = this.#read.get(name)
    if (known) return known
    const lines = this.#has(name) ? this.#table.messages[name] : undefined
    if (!lines) throw new ProtobufError(`there is no message ${name}`)
    const fields = lines.map((line) => this.#field(line))
    const message = {
      name,
      fields,
      byNumber: new Map(fields.map((field) => [field.number, field])),
      filled: fields.filter(isFilled),
    }
    this.#read.set(name, message)
    return message
  }

  #has(name: string): boolean {
    return Object.hasOwn(this.#table.messages, name)
  }

  #field(line: string): Field {
    const [number, name = '', written = '', ...options] = line.split(' ')
    const type = written.replace(/^\[\]|^map:/, '')
    const isMessage = type.includes('.')
    const find = () => this.message(type)
    let found: Message | undefined
    return {
      number: Number(number),
      name,
      shape: written.startsWith('[]') ? 'many' : written.startsWith('map:') ? 'map' : 'one',
      type,
      get message() {
        if (isMessage) found ??= find()
        return found
      },
      pointer: options.includes('pointer'),
      always: options.includes('always'),
      inline: options.includes('inline'),
      omitZero: options.includes('omitzero'),
    }
  }
}

/** Go writes structs that are no pointers whatever is in them. Lists and maps that are missing are better left out. */
function isFilled({ shape, pointer, omitZero, type, always }: Field): boolean {
  if (shape !== 'one' || pointer || omitZero) return false
  if (type.includes('.') || FORMS[type]?.zero !== undefined) return true
  return always && Object.hasOwn(ZEROS, type)
}

/** What scalars are when nothing was sent. Missing bytes are like a missing list. */
export const ZEROS: Readonly<Record<string, string | number | boolean>> = {
  string: '',
  int32: 0,
  int64: 0,
  double: 0,
  bool: false,
}

const EVERYWHERE: ReadonlySet<string> = new Set([
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PartialObjectMetadata',
  'PartialObjectMetadataList',
  'PatchOptions',
  'Status',
  'UpdateOptions',
  'WatchEvent',
])

function packageOf({ packages }: MessageTable, apiVersion: string): string | undefined {
  return Object.hasOwn(packages, apiVersion) ? packages[apiVersion] : undefined
}
