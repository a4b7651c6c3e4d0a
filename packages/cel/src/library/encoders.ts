// CEL's extension for base64, which Kubernetes does not have.

import { define, global, type Library } from '../functions/declaration.ts'
import { bytesType, stringType } from '../types/cel-type.ts'
import { base64Of, bytesFromBase64 } from '../values/base64.ts'
import { Failure, type Value } from '../values/value.ts'

const decode = (text: string): Value => bytesFromBase64(text) ?? new Failure('illegal base64 data')

export const encoderLibrary: Library = {
  functions: [
    define('base64.decode', global('base64_decode_string', [stringType], bytesType, decode)),
    define('base64.encode', global('base64_encode_bytes', [bytesType], stringType, base64Of)),
  ],
}
