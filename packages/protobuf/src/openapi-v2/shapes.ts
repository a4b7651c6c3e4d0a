// The messages of an OpenAPI v2 document: field names, numbers and types, as gnostic's readers expect them.

import {
  any,
  choice,
  double,
  type FieldType,
  flag,
  integer,
  isExtension,
  many,
  message,
  named,
  one,
  type Shape,
  text,
  texts,
  together,
} from './shape.ts'

const externalDocs = message({ description: [1, text], url: [2, text] }, 3)

const schema: Shape = message(
  {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, any],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, flag],
    minimum: [9, double],
    exclusiveMinimum: [10, flag],
    maxLength: [11, integer],
    minLength: [12, integer],
    pattern: [13, text],
    maxItems: [14, integer],
    minItems: [15, integer],
    uniqueItems: [16, flag],
    maxProperties: [17, integer],
    minProperties: [18, integer],
    required: [19, texts],
    enum: [20, many(any)],
    additionalProperties: [21, one(() => schemaOrBool)],
    type: [22, one(() => typeNames)],
    items: [23, one(() => schemas)],
    allOf: [24, many(one(() => schema))],
    properties: [
      25,
      one(() =>
        named(
          1,
          one(() => schema),
        ),
      ),
    ],
    discriminator: [26, text],
    readOnly: [27, flag],
    xml: [28, one(() => xml)],
    externalDocs: [29, one(() => externalDocs)],
    example: [30, any],
  },
  31,
)

const xml = message(
  { name: [1, text], namespace: [2, text], prefix: [3, text], attribute: [4, flag], wrapped: [5, flag] },
  6,
)

const schemaOrBool: Shape = (writer, value) => {
  if (typeof value === 'boolean') writer.bool(2, value)
  else one(() => schema)(writer, 1, value)
}

const typeNames: Shape = (writer, value) => texts(writer, 1, typeof value === 'string' ? [value] : value)

const schemas: Shape = (writer, value) => many(one(() => schema))(writer, 1, Array.isArray(value) ? value : [value])

/** What a value that is no schema can be limited to: the same fields in the same order in four messages. */
function primitive(from: number): Record<string, readonly [number, FieldType]> {
  const fields: [string, FieldType][] = [
    ['type', text],
    ['format', text],
    ['items', one(() => primitiveItems)],
    ['collectionFormat', text],
    ['default', any],
    ['maximum', double],
    ['exclusiveMaximum', flag],
    ['minimum', double],
    ['exclusiveMinimum', flag],
    ['maxLength', integer],
    ['minLength', integer],
    ['pattern', text],
    ['maxItems', integer],
    ['minItems', integer],
    ['uniqueItems', flag],
    ['enum', many(any)],
    ['multipleOf', double],
  ]
  return Object.fromEntries(fields.map(([name, type], index) => [name, [from + index, type]]))
}

const primitiveItems: Shape = message(primitive(1), 18)

const header = message({ ...primitive(1), description: [18, text] }, 19)

const ALL_PARAMETERS = {
  required: [1, flag],
  in: [2, text],
  description: [3, text],
  name: [4, text],
} as const satisfies Record<string, readonly [number, FieldType]>

const plainParameter = message({ ...ALL_PARAMETERS, ...primitive(5) }, 22)
/** One that may be given without a value: in a query or a form. */
const emptyParameter = message({ ...ALL_PARAMETERS, allowEmptyValue: [5, flag], ...primitive(6) }, 23)

const bodyParameter = message(
  { description: [1, text], name: [2, text], in: [3, text], required: [4, flag], schema: [5, one(() => schema)] },
  6,
)

const PLACES: Readonly<Record<string, number>> = { header: 1, formData: 2, query: 3, path: 4 }

const otherParameter = choice((value) => PLACES[String(value.in)] ?? 0, {
  1: () => plainParameter,
  2: () => emptyParameter,
  3: () => emptyParameter,
  4: () => plainParameter,
})

const parameter = choice((value) => (value.in === 'body' ? 1 : 2), { 1: () => bodyParameter, 2: () => otherParameter })

const reference = message({ $ref: [1, text], description: [2, text] })

const parameterOrReference = choice(isReference, { 1: () => parameter, 2: () => reference })

const fileSchema = message(
  {
    format: [1, text],
    title: [2, text],
    description: [3, text],
    default: [4, any],
    required: [5, texts],
    type: [6, text],
    readOnly: [7, flag],
    externalDocs: [8, one(() => externalDocs)],
    example: [9, any],
  },
  10,
)

const response = message(
  {
    description: [1, text],
    schema: [2, one(() => choice(({ type }) => (type === 'file' ? 2 : 1), { 1: () => schema, 2: () => fileSchema }))],
    headers: [
      3,
      one(() =>
        named(
          1,
          one(() => header),
        ),
      ),
    ],
    examples: [4, one(() => named(1, any))],
  },
  5,
)

const responses = together(
  named(2, any, isExtension),
  named(
    1,
    one(() => choice(isReference, { 1: () => response, 2: () => reference })),
    (name) => !isExtension(name),
  ),
)

const security = named(
  1,
  one(() => (writer, scopes) => texts(writer, 1, scopes)),
)

const operation = message(
  {
    tags: [1, texts],
    summary: [2, text],
    description: [3, text],
    externalDocs: [4, one(() => externalDocs)],
    operationId: [5, text],
    produces: [6, texts],
    consumes: [7, texts],
    parameters: [8, many(one(() => parameterOrReference))],
    responses: [9, one(() => responses)],
    schemes: [10, texts],
    deprecated: [11, flag],
    security: [12, many(one(() => security))],
  },
  13,
)

const pathItem = message(
  {
    $ref: [1, text],
    get: [2, one(() => operation)],
    put: [3, one(() => operation)],
    post: [4, one(() => operation)],
    delete: [5, one(() => operation)],
    options: [6, one(() => operation)],
    head: [7, one(() => operation)],
    patch: [8, one(() => operation)],
    parameters: [9, many(one(() => parameterOrReference))],
  },
  10,
)

const paths = together(
  named(
    2,
    one(() => pathItem),
    (name) => name.startsWith('/'),
  ),
  named(1, any, isExtension),
)

/** Kubernetes has keys alone: a token in a header. The other five kinds of credentials are left out. */
const securityDefinition = choice(({ type }) => (type === 'basic' ? 1 : type === 'apiKey' ? 2 : 0), {
  1: () => message({ type: [1, text], description: [2, text] }, 3),
  2: () => message({ type: [1, text], name: [2, text], in: [3, text], description: [4, text] }, 5),
})

const info = message(
  {
    title: [1, text],
    version: [2, text],
    description: [3, text],
    termsOfService: [4, text],
    contact: [5, one(() => message({ name: [1, text], url: [2, text], email: [3, text] }, 4))],
    license: [6, one(() => message({ name: [1, text], url: [2, text] }, 3))],
  },
  7,
)

const tag = message({ name: [1, text], description: [2, text], externalDocs: [3, one(() => externalDocs)] }, 4)

export const document = message(
  {
    swagger: [1, text],
    info: [2, one(() => info)],
    host: [3, text],
    basePath: [4, text],
    schemes: [5, texts],
    consumes: [6, texts],
    produces: [7, texts],
    paths: [8, one(() => paths)],
    definitions: [
      9,
      one(() =>
        named(
          1,
          one(() => schema),
        ),
      ),
    ],
    parameters: [
      10,
      one(() =>
        named(
          1,
          one(() => parameter),
        ),
      ),
    ],
    responses: [
      11,
      one(() =>
        named(
          1,
          one(() => response),
        ),
      ),
    ],
    security: [12, many(one(() => security))],
    securityDefinitions: [
      13,
      one(() =>
        named(
          1,
          one(() => securityDefinition),
        ),
      ),
    ],
    tags: [14, many(one(() => tag))],
    externalDocs: [15, one(() => externalDocs)],
  },
  16,
)

function isReference(value: Readonly<Record<string, unknown>>): number {
  return typeof value.$ref === 'string' ? 2 : 1
}
