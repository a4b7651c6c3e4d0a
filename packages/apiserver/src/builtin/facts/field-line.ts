// Parses the lines in which facts/schemas.json describes fields: `name type option...`.
//
// A type is a scalar (string, bool, int32, int64, double, bytes, time, micro-time, quantity, int-or-string, any), the
// name of a struct (it has dots), `[]T` or `{}T` for a list or a map of T. A `*` before it keeps a zero value that was
// sent. A `!` after it writes the zero value when there is none; a `~` writes null then. Options: required, atomic,
// granular, default=JSON, published=JSON (a default that is never written), list=TYPE:KEYS, patch=STRATEGIES,
// key=FIELD, enum=A|B.

export interface FieldLine {
  readonly name: string
  readonly type: FieldType
  /** Whether a zero value differs from an absent one. */
  readonly pointer: boolean
  /** What is written when the field is absent. */
  readonly absent: 'nothing' | 'zero' | 'null'
  readonly required: boolean
  /** Whether the value is owned as a whole or field by field, if that differs from its type's. */
  readonly map?: 'atomic' | 'granular'
  readonly default?: unknown
  readonly published?: unknown
  readonly list?: string
  readonly keys?: readonly string[]
  readonly patch?: string
  readonly mergeKey?: string
  /** The allowed values; of a list or a map, those of its elements. */
  readonly enum?: readonly string[]
}

export type FieldType =
  | { readonly is: 'scalar'; readonly name: ScalarName }
  | { readonly is: 'struct'; readonly name: string }
  | { readonly is: 'list' | 'map'; readonly of: FieldType }

export type ScalarName =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'time'
  | 'micro-time'
  | 'quantity'
  | 'int-or-string'
  | 'any'

/** A line without a field: a struct whose values are owned and replaced as a whole. */
export const ATOMIC_STRUCT = '@atomic'

export function parseFieldLine(line: string): FieldLine {
  const [name = '', type = '', ...words] = line.split(' ')
  const last = type.at(-1)
  const absent = last === '!' ? 'zero' : last === '~' ? 'null' : 'nothing'
  const pointer = type.startsWith('*')
  const bare = type.slice(pointer ? 1 : 0, absent === 'nothing' ? undefined : -1)
  const options = new Map(words.map(cut))
  const [list, keys] = (options.get('list') ?? '').split(':')
  return {
    name,
    type: parseType(bare),
    pointer,
    absent,
    required: options.has('required'),
    ...json('default', options),
    ...json('published', options),
    ...(options.has('atomic') && { map: 'atomic' }),
    ...(options.has('granular') && { map: 'granular' }),
    ...(list && { list }),
    ...(keys && { keys: keys.split(',') }),
    ...text('patch', 'patch', options),
    ...text('mergeKey', 'key', options),
    ...(options.has('enum') && { enum: options.get('enum')?.replaceAll('%20', ' ').split('|') }),
  } as FieldLine
}

function parseType(text: string): FieldType {
  if (text.startsWith('[]')) return { is: 'list', of: parseType(text.slice(2)) }
  if (text.startsWith('{}')) return { is: 'map', of: parseType(text.slice(2)) }
  return text.includes('.') ? { is: 'struct', name: text } : { is: 'scalar', name: text as ScalarName }
}

function cut(word: string): [string, string] {
  const equals = word.indexOf('=')
  return equals < 0 ? [word, ''] : [word.slice(0, equals), word.slice(equals + 1)]
}

function json(name: string, options: ReadonlyMap<string, string>): object {
  const value = options.get(name)
  return value === undefined ? {} : { [name]: JSON.parse(value) as unknown }
}

function text(name: string, word: string, options: ReadonlyMap<string, string>): object {
  const value = options.get(word)
  return value === undefined ? {} : { [name]: value }
}
