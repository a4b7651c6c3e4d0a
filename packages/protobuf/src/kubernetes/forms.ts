// Messages that are no objects in JSON: times, quantities, numbers that may be texts, JSON itself, lists of strings.
// Each form reads the body of such a message, writes it, and says what it is when nothing was sent.

import { type JsonValue, writeJson } from '@homeostat/meta'
import { JsonError, JsonWeightError, readSentJson } from '@homeostat/meta/server'
import { ProtobufError } from '../wire/protobuf-error.ts'
import type { WireReader } from '../wire/wire-reader.ts'
import type { WireWriter } from '../wire/wire-writer.ts'
import { instantOf, microTimeText, timeText } from './timestamp.ts'

export interface Form {
  /** The message has been entered; reads up to its end. Undefined when what was sent stands for nothing. */
  read(reader: WireReader): JsonValue | undefined
  write(writer: WireWriter, value: JsonValue): void
  /** In JSON, when it was not sent at all; undefined when it is left out. */
  readonly zero: JsonValue | undefined
}

export const FORMS: Readonly<Record<string, Form>> = {
  time: timestamp(timeText, 1_000_000),
  'micro-time': timestamp(microTimeText, 1),
  quantity: {
    read: (reader) => {
      let text = ''
      for (let field = reader.field(); field !== 0; field = reader.field()) {
        if (field === 1) text = reader.string()
        else reader.skip()
      }
      return text === '' ? '0' : text
    },
    // A quantity may be written as a number in JSON.
    write: (writer, value) => writer.string(1, typeof value === 'string' ? value : writeJson(value)),
    zero: '0',
  },
  'int-or-string': {
    read: (reader) => {
      let type: number | bigint = 0
      let number = 0
      let text = ''
      for (let field = reader.field(); field !== 0; field = reader.field()) {
        if (field === 1) type = reader.integer()
        else if (field === 2) number = reader.int32()
        else if (field === 3) text = reader.string()
        else reader.skip()
      }
      return type === 1 ? text : number
    },
    write: (writer, value) => {
      const isText = typeof value === 'string'
      writer.string(3, isText ? value : '')
      writer.integer(2, typeof value === 'number' ? value : 0)
      writer.integer(1, isText ? 1 : 0)
    },
    zero: 0,
  },
  strings: {
    read: (reader) => {
      const list: string[] = []
      for (let field = reader.field(); field !== 0; field = reader.field()) {
        if (field === 1) list.push(reader.string())
        else reader.skip()
      }
      return list
    },
    write: (writer, value) => {
      if (Array.isArray(value))
        for (const item of value.toReversed()) writer.string(1, typeof item === 'string' ? item : '')
    },
    zero: undefined,
  },
}

export function formOf(type: string): Form {
  const form = FORMS[type]
  if (!form) throw new ProtobufError(`there is no type ${type}`)
  return form
}

/** JSON inside protobuf. */
export function parseRaw(raw: Buffer, offset: number): JsonValue {
  try {
    return readSentJson(raw.toString()).value
  } catch (error) {
    if (error instanceof JsonError || error instanceof JsonWeightError)
      throw new ProtobufError(`bytes that should be JSON are not: ${error.message}`, offset)
    throw error
  }
}

function timestamp(textOf: (seconds: number, nanos: number) => string | null | undefined, unit: number): Form {
  return {
    read: (reader) => {
      const start = reader.offset
      let seconds: number | bigint | undefined
      let nanos = 0
      for (let field = reader.field(); field !== 0; field = reader.field()) {
        if (field === 1) seconds = reader.integer()
        else if (field === 2) nanos = reader.int32()
        else reader.skip()
      }
      if (reader.offset === start) return null
      const text = typeof seconds === 'bigint' ? undefined : textOf(seconds ?? 0, nanos)
      if (text === undefined) throw new ProtobufError('a time is out of range', start)
      return text
    },
    write: (writer, value) => {
      const instant = typeof value === 'string' ? instantOf(value) : undefined
      if (!instant) return
      writer.integer(2, (instant.micros - (instant.micros % unit)) * 1000)
      writer.integer(1, instant.seconds)
    },
    zero: null,
  }
}
