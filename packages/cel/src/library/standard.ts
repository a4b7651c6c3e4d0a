// Operators, sizes, conversions between types, and what CEL itself knows of strings. Operators have no call: the evaluator knows them.

import { define, type FunctionDeclaration, global, type Library, member } from '../functions/declaration.ts'
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  stringType,
  timestampType,
  typeOfType,
  typeParameter,
  uintType,
} from '../types/cel-type.ts'
import { chargedSize } from '../values/size-of.ts'
import type { Value } from '../values/value.ts'
import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toUint } from './conversions.ts'

const a = typeParameter('A')
const b = typeParameter('B')
const listOfA = listOf(a)
const mapOfAB = mapOf(a, b)

const numbers: readonly (readonly [string, CelType])[] = [
  ['int64', intType],
  ['uint64', uintType],
  ['double', doubleType],
]

function comparison(name: string, id: string): FunctionDeclaration {
  const same: readonly (readonly [string, CelType])[] = [
    ['bool', boolType],
    ...numbers,
    ['string', stringType],
    ['bytes', bytesType],
    ['timestamp', timestampType],
    ['duration', durationType],
  ]
  const mixed = numbers.flatMap(([left, leftType]) =>
    numbers
      .filter(([right]) => right !== left)
      .map(([right, rightType]) => global(`${id}_${left}_${right}`, [leftType, rightType], boolType)),
  )
  return define(name, ...same.map(([type, of]) => global(`${id}_${type}`, [of, of], boolType)), ...mixed)
}

function arithmetic(name: string, id: string, types: readonly (readonly [string, CelType])[]): FunctionDeclaration {
  return define(name, ...types.map(([type, of]) => global(`${id}_${type}`, [of, of], of)))
}

const operators: readonly FunctionDeclaration[] = [
  define('_?_:_', global('conditional', [boolType, a, a], a)),
  define('_&&_', global('logical_and', [boolType, boolType], boolType)),
  define('_||_', global('logical_or', [boolType, boolType], boolType)),
  define('!_', global('logical_not', [boolType], boolType)),
  define('@not_strictly_false', global('not_strictly_false', [boolType], boolType)),
  define('_==_', global('equals', [a, a], boolType)),
  define('_!=_', global('not_equals', [a, a], boolType)),
  arithmetic('_+_', 'add', [['bytes', bytesType], ['list', listOfA], ['string', stringType], ...numbers]),
  define(
    '_+_',
    global('add_duration_duration', [durationType, durationType], durationType),
    global('add_duration_timestamp', [durationType, timestampType], timestampType),
    global('add_timestamp_duration', [timestampType, durationType], timestampType),
  ),
  arithmetic('_-_', 'subtract', numbers),
  define(
    '_-_',
    global('subtract_duration_duration', [durationType, durationType], durationType),
    global('subtract_timestamp_duration', [timestampType, durationType], timestampType),
    global('subtract_timestamp_timestamp', [timestampType, timestampType], durationType),
  ),
  arithmetic('_*_', 'multiply', numbers),
  arithmetic('_/_', 'divide', numbers),
  arithmetic('_%_', 'modulo', numbers.slice(0, 2)),
  define('-_', global('negate_int64', [intType], intType), global('negate_double', [doubleType], doubleType)),
  comparison('_<_', 'less'),
  comparison('_<=_', 'less_equals'),
  comparison('_>_', 'greater'),
  comparison('_>=_', 'greater_equals'),
  define('_[_]', global('index_list', [listOfA, intType], a), global('index_map', [mapOfAB, a], b)),
  define('@in', global('in_list', [a, listOfA], boolType), global('in_map', [a, mapOfAB], boolType)),
  define('type', global('type', [a], typeOfType(a))),
  define('dyn', global('to_dyn', [a], dynType)),
]

const size = (value: Value): Value => chargedSize(value)

const sizes = define(
  'size',
  ...(
    [
      ['bytes', bytesType],
      ['list', listOfA],
      ['map', mapOfAB],
      ['string', stringType],
    ] as const
  ).flatMap(([name, type]) => [
    global(`size_${name}`, [type], intType, size),
    member(`${name}_size`, [type], intType, size),
  ]),
)

function conversion(
  name: string,
  result: CelType,
  convert: (value: never) => Value,
  from: Readonly<Record<string, CelType>>,
) {
  return define(name, ...Object.entries(from).map(([id, type]) => global(`${id}_to_${name}`, [type], result, convert)))
}

const conversions: readonly FunctionDeclaration[] = [
  conversion('bool', boolType, toBool, { bool: boolType, string: stringType }),
  conversion('bytes', bytesType, toBytes, { bytes: bytesType, string: stringType }),
  conversion('double', doubleType, toDouble, {
    double: doubleType,
    int64: intType,
    string: stringType,
    uint64: uintType,
  }),
  conversion('duration', durationType, toDuration, { duration: durationType, int64: intType, string: stringType }),
  conversion('int', intType, toInt, {
    int64: intType,
    double: doubleType,
    duration: durationType,
    string: stringType,
    timestamp: timestampType,
    uint64: uintType,
  }),
  conversion('string', stringType, toText, {
    string: stringType,
    bool: boolType,
    bytes: bytesType,
    double: doubleType,
    duration: durationType,
    int64: intType,
    timestamp: timestampType,
    uint64: uintType,
  }),
  conversion('timestamp', timestampType, toTimestamp, { timestamp: timestampType, int64: intType, string: stringType }),
  conversion('uint', uintType, toUint, { uint64: uintType, double: doubleType, int64: intType, string: stringType }),
]

const two: readonly CelType[] = [stringType, stringType]

const texts: readonly FunctionDeclaration[] = [
  define(
    'contains',
    member('contains_string', two, boolType, (text: string, part: string) => text.includes(part)),
  ),
  define(
    'startsWith',
    member('starts_with_string', two, boolType, (text: string, part: string) => text.startsWith(part)),
  ),
  define(
    'endsWith',
    member('ends_with_string', two, boolType, (text: string, part: string) => text.endsWith(part)),
  ),
]

export const standardLibrary: Library = {
  functions: [...operators, sizes, ...conversions, ...texts],
  types: [
    boolType,
    bytesType,
    doubleType,
    durationType,
    intType,
    nullType,
    stringType,
    timestampType,
    uintType,
    listOf(dynType),
    mapOf(dynType, dynType),
    optionalOf(dynType),
    { ...typeOfType(dynType), parameters: [] },
  ],
}
