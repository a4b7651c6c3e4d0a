import { describe, expect, it } from 'vitest'
import { Listeners } from './listeners.ts'

function unexpected(error: unknown): void {
  throw error
}

describe('Listeners', () => {
  it('calls each listener of an event, although one of them throws', () => {
    const listeners = new Listeners<'changed' | 'deleted', number>()
    const heard: string[] = []
    const errors: unknown[] = []
    listeners.add('changed', () => {
      throw new Error('first')
    })
    listeners.add('changed', (value) => heard.push(`changed ${value}`))
    listeners.add('deleted', () => heard.push('deleted'))
    listeners.emit('changed', 7, (error) => errors.push(error))
    expect(heard).toEqual(['changed 7'])
    expect(errors).toEqual([new Error('first')])
  })

  it('reports a rejected promise instead of leaving it to the process', async () => {
    const listeners = new Listeners<'changed', undefined>()
    listeners.add('changed', () => Promise.reject(new Error('later')))
    const reported = new Promise((resolve) => listeners.emit('changed', undefined, resolve))
    expect(await reported).toEqual(new Error('later'))
  })

  it('has a listener once, and forgets it', () => {
    const listeners = new Listeners<'changed', undefined>()
    const heard: string[] = []
    const listener = () => heard.push('heard')
    listeners.add('changed', listener)
    listeners.add('changed', listener)
    expect(listeners.size).toBe(1)
    listeners.emit('changed', undefined, unexpected)
    listeners.remove('changed', listener)
    listeners.emit('changed', undefined, unexpected)
    expect(heard).toEqual(['heard'])
    expect(listeners.size).toBe(0)
  })
})
