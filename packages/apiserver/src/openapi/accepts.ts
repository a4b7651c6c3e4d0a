// Chooses the form of an OpenAPI document from the Accept header.

import { parseAccept } from '../represent/accept.ts'
import type { SwaggerForm } from './swagger-part.ts'

/** The protobuf type that kubectl up to 1.28 asks for, and its current spelling. */
const SWAGGER_PROTOBUF = [
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
]
const ANY_JSON = ['application/json', 'application/*', '*/*']

export const SWAGGER_TYPES: Readonly<Record<SwaggerForm, string>> = {
  json: 'application/json',
  protobuf: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
}

/** Undefined when the client accepts none of the forms. */
export function swaggerForm(accept: string | undefined): SwaggerForm | undefined {
  if (accept === undefined || accept === '') return 'json'
  for (const { type } of parseAccept(accept)) {
    if (ANY_JSON.includes(type)) return 'json'
    if (SWAGGER_PROTOBUF.includes(type)) return 'protobuf'
  }
  return undefined
}

export function takesJson(accept: string | undefined): boolean {
  return accept === undefined || accept === '' || parseAccept(accept).some(({ type }) => ANY_JSON.includes(type))
}
