// JSON, YAML and protobuf that take longest to read.

import {
  BLOBS,
  blobText,
  CONFIG_MAPS,
  creates,
  fill,
  fresh,
  items,
  MAX_BODY,
  overfill,
  PROTOBUF,
  type WorstCase,
  YAML,
} from './worst-case.ts'

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`

const yaml = (name: string, body: (name: string) => string): WorstCase => ({
  name,
  act: ({ send }) => send('POST', BLOBS, body(fresh()), YAML),
})

const yamlHead = (name: string) => `apiVersion: fuzz.example.com/v1\nkind: Blob\nmetadata: {name: ${name}}\nspec:\n`

/** Field `number` of a message, of these bytes. */
function field(number: number, bytes: Buffer): Buffer {
  const sizes: number[] = []
  for (let size = bytes.length; ; size >>>= 7) {
    sizes.push(size > 127 ? (size & 0x7f) | 0x80 : size)
    if (size <= 127) break
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...sizes]), bytes])
}

const protobuf = (name: string, raw: () => Buffer, maxSteps?: number): WorstCase => ({
  name: `protobuf ${name}`,
  ...(maxSteps !== undefined && { maxSteps }),
  act: ({ send }) => {
    const type = Buffer.concat([field(1, Buffer.from('v1')), field(2, Buffer.from('ConfigMap'))])
    const unknown = Buffer.concat([field(1, type), field(2, raw())])
    return send('POST', CONFIG_MAPS, Buffer.concat([Buffer.from('k8s\0'), unknown]), PROTOBUF)
  },
})

const repeated = (piece: Buffer, size = MAX_BODY - 1000) =>
  Buffer.concat(items(Math.floor(size / piece.length), () => piece))
const named = () => field(1, field(1, Buffer.from(fresh('p'))))

export const textCases: readonly WorstCase[] = [
  creates('too many keys', `{"free":{${overfill((i) => `"key-${i}":"v${i}"`)}}}`),
  creates('too many empty objects', `{"anything":[${overfill(() => '{}')}]}`),
  creates('too many numbers', `{"anything":[${overfill(() => '1')}]}`),
  creates('many keys', `{"free":{${fill((i) => `"key-${i}":"v${i}"`)}}}`),
  creates('as many short keys as fit', `{"free":{${fill((i) => `"${i.toString(36)}":1`)}}}`),
  creates('as many keys as fit into 1 MiB', `{"free":{${fill((i) => `"k${i.toString(36)}":1`, 1 << 20)}}}`),
  creates('keys that are numbers', `{"free":{${fill((i) => `"${i * 7919}":1`)}}}`),
  creates('one key again and again', `{"free":{${fill(() => '"a":1')}}}`),
  creates('two keys in turn, doubled', `{"free":{${fill((i) => `"key-${i >> 1}":{"a":1,"a":2}`)}}}`),
  creates('integers of 64 bits', `{"anything":[${fill((i) => String(9223372036854775807n - BigInt(i)))}]}`),
  creates('integers beyond 64 bits', `{"anything":[${fill(() => '92233720368547758079')}]}`),
  creates('one integer of a million digits', `{"anything":${'9'.repeat(1_000_000)}}`),
  creates('one fraction of a million digits', `{"anything":0.${'9'.repeat(1_000_000)}}`),
  creates('a million numbers', `{"anything":[${fill(() => '1')}]}`),
  creates('half a million fractions', `{"anything":[${fill(() => '0.1e1')}]}`),
  creates('a million empty lists', `{"anything":[${fill(() => '[]')}]}`),
  creates('a million empty objects', `{"anything":[${fill(() => '{}')}]}`),
  creates('lists as deep as allowed, many times', `{"anything":[${fill(() => nested('[', ']', 900))}]}`),
  creates('objects as deep as allowed, many times', `{"anything":[${fill(() => nested('{"a":', '}', 400))}]}`),
  creates('lists too deep', `{"anything":${nested('[', ']', 1_400_000)}}`),
  creates('objects too deep', `{"anything":${nested('{"a":', '}', 400_000)}}`),
  creates('a string of escapes', `{"anything":"${'\\u0001'.repeat(250_000)}"}`),
  creates('a string of half surrogates', `{"anything":"${'\\ud800'.repeat(250_000)}"}`),
  creates('a string of backslashes', `{"anything":"${'\\\\'.repeat(700_000)}"}`),
  creates('many strings with escapes', `{"anything":[${fill(() => '"\\n\\u00e9"')}]}`),
  creates('a key of escapes', `{"free":{"${'\\u0001'.repeat(200_000)}":1}}`),
  creates('space between everything', `{"anything":[${fill(() => ' \n 1 \t ')}]}`),
  creates('nothing but space', ' '.repeat(MAX_BODY - 200)),
  creates('a text that ends early', `{"anything":[${fill(() => '{"a":"b"}')}`),
  creates('unknown fields', `{${fill((i) => `"unknown-${i}":1`)}}`),
  creates('unknown fields of items', `{"map":[${fill((i) => `{"name":"${i}","x":1}`)}]}`),
  yaml('YAML list of a million', (name) => `${yamlHead(name)}  anything: [${fill(() => '1')}]`),
  yaml(
    'YAML block of many keys',
    (name) => `${yamlHead(name)}  free:\n${items(60_000, (i) => `    k${i}: v${i}`).join('\n')}`,
  ),
  yaml('YAML keys, all the same', (name) => `${yamlHead(name)}  free:\n${items(60_000, () => '    k: v').join('\n')}`),
  yaml(
    'YAML aliases',
    (name) => `${yamlHead(name)}  a: &a [${fill(() => '1', 20_000)}]\n  anything: [${fill(() => '*a', 290)}]`,
  ),
  yaml(
    'YAML aliases of aliases',
    (name) =>
      `${yamlHead(name)}  a: &a [x,x,x,x,x,x,x,x,x]\n${items(9, (i) => `  a${i}: &a${i} [${fill(() => (i ? `*a${i - 1}` : '*a'), 40)}]\n`).join('')}  anything: *a8`,
  ),
  yaml('YAML nested deep', (name) => `${yamlHead(name)}  anything: ${'['.repeat(50_000)}${']'.repeat(50_000)}`),
  yaml('YAML small and nested deep', (name) => `${yamlHead(name)}  anything: ${'['.repeat(3_900)}${']'.repeat(3_900)}`),
  yaml(
    'YAML small block, nested',
    (name) => `${yamlHead(name)}  anything:\n${items(110, (i) => `${' '.repeat(4 + i)}-`).join('\n')}`,
  ),
  yaml('YAML small flow', (name) => `${yamlHead(name)}  anything: {${fill((i) => `${i}: ? a`, 7_900)}}`),
  yaml('YAML small with quotes', (name) => `${yamlHead(name)}  anything: "${'\\x41'.repeat(1900)}"`),
  yaml('JSON that breaks at its end, as YAML', (name) => `${blobText(name, `{"anything":[${fill(() => '1')}]}`)}}`),
  protobuf('data of many keys', () =>
    Buffer.concat([
      named(),
      ...items(90_000, (i) => field(2, Buffer.concat([field(1, Buffer.from(`key-${i}`)), field(2, Buffer.from('v'))]))),
    ]),
  ),
  protobuf('data of empty entries', () => Buffer.concat([named(), repeated(field(2, Buffer.alloc(0)))])),
  protobuf('unknown fields', () => Buffer.concat([named(), repeated(Buffer.from([0xf8, 0x07, 1]))]), 40_000_000),
  protobuf('nested groups', () => Buffer.concat([named(), repeated(Buffer.from([0x7b]))]), 80_000_000),
  protobuf('empty owners', () =>
    field(1, Buffer.concat([field(1, Buffer.from(fresh('p'))), repeated(field(13, Buffer.alloc(0)))])),
  ),
  protobuf('empty finalizers', () =>
    field(1, Buffer.concat([field(1, Buffer.from(fresh('p'))), repeated(field(14, Buffer.alloc(0)))])),
  ),
  protobuf('one name again and again', () => field(1, repeated(field(1, Buffer.from('a'))))),
]
