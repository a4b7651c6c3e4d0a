// The function behind transformMap and transformMapEntry, which only their macros can name.

import { define, global, type Library } from '../functions/declaration.ts'
import { mapOf, typeParameter } from '../types/cel-type.ts'

const k = typeParameter('K')
const v = typeParameter('V')
const map = mapOf(k, v)

export const comprehensionLibrary: Library = {
  functions: [
    define(
      'cel.@mapInsert',
      global('@mapInsert_map_key_value', [map, k, v], map),
      global('@mapInsert_map_map', [map, map], map),
    ),
  ],
}
