import { expect, it } from 'vitest'
import * as causes from './field-causes.ts'

it.each([
  [causes.required('a', ''), 'FieldValueRequired', 'Required value'],
  [causes.required('a', 'say which'), 'FieldValueRequired', 'Required value: say which'],
  [causes.invalidValue('a', 'x"y', 'bad'), 'FieldValueInvalid', 'Invalid value: "x\\"y": bad'],
  [causes.invalidValue('a', 5, 'bad'), 'FieldValueInvalid', 'Invalid value: 5: bad'],
  [causes.invalidValue('a', 5n, 'bad'), 'FieldValueInvalid', 'Invalid value: 5: bad'],
  [causes.invalidValue('a', { b: [1] }, 'bad'), 'FieldValueInvalid', 'Invalid value: {"b":[1]}: bad'],
  [causes.invalidValue('a', undefined, 'bad'), 'FieldValueInvalid', 'Invalid value: null: bad'],
  [
    causes.notSupported('a', 'x', ['y', 'z']),
    'FieldValueNotSupported',
    'Unsupported value: "x": supported values: "y", "z"',
  ],
  [causes.notSupported('a', 'x', []), 'FieldValueNotSupported', 'Unsupported value: "x"'],
  [causes.typeInvalid('a', true, 'must be text'), 'FieldValueTypeInvalid', 'Invalid value: true: must be text'],
  [causes.tooLong('a', 1), 'FieldValueTooLong', 'Too long: may not be more than 1 byte'],
  [causes.tooLong('a', 50), 'FieldValueTooLong', 'Too long: may not be more than 50 bytes'],
  [causes.tooMany('a', 6, 5), 'FieldValueTooMany', 'Too many: 6: must have at most 5 items'],
  [causes.forbiddenField('a', 'no'), 'FieldValueForbidden', 'Forbidden: no'],
  [causes.duplicate('a', 'x'), 'FieldValueDuplicate', 'Duplicate value: "x"'],
  [causes.notFoundValue('a', 'x'), 'FieldValueNotFound', 'Not found: "x"'],
])('words %o', (cause, reason, message) => {
  expect(cause).toEqual({ field: 'a', reason, message })
})
