// The network of a run: a link for each pair of programs that talk. Servers reach members by doors of their own. Members reach each
// other by one door in front of each; who connects says its id in the first request, since etcd tells all others one address.

import { Doorway, Link } from './link.ts'

/** One direction between two programs, by their names: `s1` is a server, `m1` a member. */
export interface Way {
  readonly from: string
  readonly to: string
}

/** Of etcd's first request on each connection between members. */
const FROM = /\r\nX-Server-From: ([0-9a-f]+)\r\n/i

export class Network {
  readonly #doors: Doorway[] = []
  readonly #links = new Map<string, Link>()
  #namesById: ReadonlyMap<string, string> = new Map()

  /** In front of a member, for the other members. Resolves to the port that they are told. */
  inFrontOf(member: string, port: number): Promise<number> {
    return this.#door((socket) => {
      socket.once('data', (first) => {
        socket.pause()
        const id = FROM.exec(first.toString('latin1'))?.[1] ?? ''
        this.#link(this.#namesById.get(id) ?? id, member).join(socket, port, first)
      })
      socket.on('error', () => {})
    })
  }

  /** From a server to a member. Resolves to the port that the server is told. */
  between(server: string, member: string, port: number): Promise<number> {
    return this.#door((socket) => this.#link(server, member).join(socket, port))
  }

  /** Which member has which id; links of connections that came before go on under their id. */
  learn(namesById: ReadonlyMap<string, string>): void {
    this.#namesById = namesById
  }

  cut(ways: readonly Way[]): void {
    for (const { from, to } of ways) {
      for (const link of this.#linksOf(from, to)) link.hold('there')
      for (const link of this.#linksOf(to, from)) link.hold('back')
    }
  }

  heal(): void {
    for (const link of this.#links.values()) link.release()
  }

  close(): void {
    for (const door of this.#doors) door.close()
  }

  /** Under the name, and under the ids that have it. */
  #linksOf(from: string, to: string): Link[] {
    const ids = [...this.#namesById].filter(([, name]) => name === from).map(([id]) => id)
    return [from, ...ids].map((name) => this.#link(name, to))
  }

  #link(from: string, to: string): Link {
    const name = `${from} ${to}`
    const link = this.#links.get(name) ?? new Link()
    this.#links.set(name, link)
    return link
  }

  #door(take: ConstructorParameters<typeof Doorway>[0]): Promise<number> {
    const door = new Doorway(take)
    this.#doors.push(door)
    return door.listen()
  }
}
