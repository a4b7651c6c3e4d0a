// The lists there are: of values, of JSON that is converted item by item, and two joined. Joining copies nothing, as its cost says.

import { CelList, type Value } from './value.ts'

export class ValueList extends CelList {
  readonly items: readonly Value[]

  constructor(items: readonly Value[]) {
    super()
    this.items = items
  }

  get size(): number {
    return this.items.length
  }

  get(index: number): Value {
    return this.items[index] as Value
  }
}

/** The list that a comprehension makes: only its own steps can see it before it is done, so that it may grow in place. */
export class GrowingList extends ValueList {
  readonly #items: Value[]

  constructor() {
    const items: Value[] = []
    super(items)
    this.#items = items
  }

  push(item: Value): void {
    this.#items.push(item)
  }
}

export class JoinedList extends CelList {
  readonly size: number
  readonly #first: CelList
  readonly #second: CelList

  constructor(first: CelList, second: CelList) {
    super()
    this.#first = first
    this.#second = second
    this.size = first.size + second.size
  }

  get(index: number): Value {
    const first = this.#first.size
    return index < first ? this.#first.get(index) : this.#second.get(index - first)
  }
}

export function itemsOf(list: CelList): readonly Value[] {
  if (list instanceof ValueList) return list.items
  const items: Value[] = []
  for (let index = 0; index < list.size; index++) items.push(list.get(index))
  return items
}
