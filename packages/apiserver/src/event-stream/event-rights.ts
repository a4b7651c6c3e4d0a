// Which changes the user of /watch or /events may see: those of objects that they may watch or list. Asked for every
// change, so that a right that ends is without effect at once; the stream itself ends at the next check of open requests.

import type { Authorizer, ResourceAttributes } from '../authz/authorize.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { ADMINISTRATOR } from '../identity/user.ts'
import type { StreamEvent } from './event-filter.ts'

type Answer<T> = T | Promise<T>

export class EventRights {
  readonly #exchange: Exchange
  readonly #authorizer: Authorizer
  readonly #verb: 'watch' | 'list'
  /** The rights by which something was shown; as many as kinds and namespaces, or as names that rules list. */
  readonly #used = new Map<string, ResourceAttributes>()

  constructor(exchange: Exchange, authorizer: Authorizer, verb: 'watch' | 'list') {
    this.#exchange = exchange
    this.#authorizer = authorizer
    this.#verb = verb
  }

  /** A promise only if the authorizer answers with one. */
  permitted(events: readonly StreamEvent[]): Answer<readonly StreamEvent[]> {
    if (this.#exchange.user === ADMINISTRATOR || events.length === 0) return events
    const answers = events.map((event) => this.#mayShow(event))
    const chosen = (all: readonly boolean[]) => events.filter((_, at) => all[at])
    return answers.some((answer) => answer instanceof Promise)
      ? Promise.all(answers).then(chosen)
      : chosen(answers as boolean[])
  }

  /** Whether every right by which something was shown is still there. */
  async hold(): Promise<boolean> {
    for (const attributes of this.#used.values()) if (!(await this.#ask(attributes))) return false
    return true
  }

  #mayShow({ resource: { group, resource }, change }: StreamEvent): Answer<boolean> {
    const place = (change.object ?? change.previous)?.name ?? ''
    const slash = place.indexOf('/')
    const namespace = slash < 0 ? '' : place.slice(0, slash)
    const all = { verb: this.#verb, group, resource, subresource: '', namespace, name: '' }
    const kind = `${group}/${resource}/${namespace}`
    return first(this.#remembered(kind, all), () =>
      // A rule with names shows these objects alone, as it does for a watch that selects one.
      this.#remembered(`${kind}/${place}`, { ...all, name: place.slice(slash + 1) }),
    )
  }

  #remembered(key: string, attributes: ResourceAttributes): Answer<boolean> {
    const keep = (allowed: boolean) => {
      if (allowed && !this.#used.has(key)) this.#used.set(key, attributes)
      return allowed
    }
    const answer = this.#ask(attributes)
    return answer instanceof Promise ? answer.then(keep) : keep(answer)
  }

  #ask(attributes: ResourceAttributes): Answer<boolean> {
    // The user of a long request is renewed when it is authenticated again.
    const decision = this.#authorizer.authorize(this.#exchange.user, attributes)
    return decision instanceof Promise ? decision.then(({ allowed }) => allowed) : decision.allowed
  }
}

function first(answer: Answer<boolean>, otherwise: () => Answer<boolean>): Answer<boolean> {
  if (answer instanceof Promise) return answer.then((allowed) => allowed || otherwise())
  return answer || otherwise()
}
