import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Heap, type Order } from './heap.ts'

interface Item {
  value: number
  place: number
}

const BY_VALUE: Order<Item> = {
  before: (a, b) => a.value < b.value,
  place: (item) => item.place,
  setPlace: (item, place) => {
    item.place = place
  },
}

describe('Heap', () => {
  it('has the first of whatever was added, moved and removed at its head', () => {
    const step = fc.record({
      what: fc.constantFrom('add', 'add', 'remove', 'move'),
      which: fc.nat(),
      value: fc.integer({ min: 0, max: 20 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150, size: 'max' }), (steps) => {
        const heap = new Heap(BY_VALUE)
        const items: Item[] = []
        for (const { what, which, value } of steps) {
          const item = items[which % items.length]
          if (what === 'add' || !item) {
            const added = { value, place: -1 }
            items.push(added)
            heap.add(added)
          } else if (what === 'remove') {
            items.splice(items.indexOf(item), 1)
            heap.remove(item)
            expect(item.place).toBe(-1)
          } else {
            item.value = value
            heap.moved(item)
          }
          expect(heap.peek()?.value).toBe(items.map((one) => one.value).sort((a, b) => a - b)[0])
          expect(heap.items.map((one) => one.place)).toEqual(heap.items.map((_, index) => index))
          const above = (index: number) => heap.items[(index - 1) >> 1]?.value ?? -1
          expect(heap.items.every(({ value }, index) => index === 0 || above(index) <= value)).toBe(true)
          expect(new Set(heap.items)).toEqual(new Set(items))
        }
      }),
    )
  })

  it('does nothing with what is not in it', () => {
    const heap = new Heap(BY_VALUE)
    const inside = { value: 1, place: -1 }
    const outside = { value: 0, place: -1 }
    heap.add(inside)
    heap.moved(outside)
    heap.remove(outside)
    expect(heap.items).toEqual([inside])
  })
})
