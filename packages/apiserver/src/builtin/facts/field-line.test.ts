import { describe, expect, it } from 'vitest'
import { parseFieldLine } from './field-line.ts'

describe('a line of a type', () => {
  it('names a field and its type', () => {
    expect(parseFieldLine('nodeName string')).toEqual({
      name: 'nodeName',
      type: { is: 'scalar', name: 'string' },
      pointer: false,
      absent: 'nothing',
      required: false,
    })
  })

  it('says what is written without a value, and whether zero is a value', () => {
    expect(parseFieldLine('replicas *int32')).toMatchObject({ pointer: true, absent: 'nothing' })
    expect(parseFieldLine('ready bool! required')).toMatchObject({ absent: 'zero', required: true })
    expect(parseFieldLine('apiGroup *string~')).toMatchObject({ pointer: true, absent: 'null' })
  })

  it('has lists, maps and structs', () => {
    expect(parseFieldLine('a []core.v1.Container').type).toEqual({
      is: 'list',
      of: { is: 'struct', name: 'core.v1.Container' },
    })
    expect(parseFieldLine('a {}[]string').type).toEqual({
      is: 'map',
      of: { is: 'list', of: { is: 'scalar', name: 'string' } },
    })
  })

  it('carries how it merges, its default and its values', () => {
    const line =
      'ports []core.v1.ContainerPort list=map:containerPort,protocol patch=merge,retainKeys key=containerPort'
    expect(parseFieldLine(line)).toMatchObject({
      list: 'map',
      keys: ['containerPort', 'protocol'],
      patch: 'merge,retainKeys',
      mergeKey: 'containerPort',
    })
    expect(parseFieldLine('protocol string default="TCP" enum=SCTP|TCP')).toMatchObject({
      default: 'TCP',
      enum: ['SCTP', 'TCP'],
    })
    expect(parseFieldLine('name string published=""')).toMatchObject({ published: '' })
    expect(parseFieldLine('selector {}string atomic').map).toBe('atomic')
    expect(parseFieldLine('usages []string enum=any|cert%20sign').enum).toEqual(['any', 'cert sign'])
  })
})
