// A few messages for the tests: every shape and option a field can have.

import { MessageTables } from './message-tables.ts'

export const tables = new MessageTables({
  packages: { v1: 'core.v1', 'apiextensions.k8s.io/v1': 'apiextensions.v1' },
  messages: {
    'core.v1.Thing': [
      '1 metadata meta.v1.ObjectMeta',
      '2 text string',
      '3 maybe string pointer',
      '4 must string always',
      '5 numbers []int32',
      '6 big []int64',
      '7 parts []core.v1.Part',
      '8 byName map:core.v1.Part',
      '9 part core.v1.Part pointer',
      '10 common core.v1.Common inline',
      '11 raw json',
      '12 at time',
      '13 port int-or-string',
      '14 bytes bytes',
      '15 flag bool',
      '16 ratio double pointer',
      '17 verbs strings',
      '18 size quantity',
      '19 exact micro-time pointer',
      '20 data map:bytes',
    ],
    'core.v1.ThingList': ['1 metadata meta.v1.ListMeta', '2 items []core.v1.Thing'],
    'core.v1.Part': ['1 name string', '2 parts []core.v1.Part', '3 must bool always'],
    'core.v1.Common': ['1 shared string', '2 needed int32 always'],
    'meta.v1.ObjectMeta': ['1 name string', '8 creationTimestamp time omitzero', '11 labels map:string'],
    'meta.v1.ListMeta': ['2 resourceVersion string'],
    'meta.v1.Status': ['1 metadata meta.v1.ListMeta', '6 code int32'],
    'meta.v1.WatchEvent': ['1 type string always', '2 object json always'],
    'apiextensions.v1.Definition': [
      '1 extra schema-or-bool pointer',
      '2 items schema-or-array pointer',
      '3 needs map:schema-or-strings',
    ],
    'apiextensions.v1.JSONSchemaProps': ['5 type string', '24 items schema-or-array pointer'],
  },
})
