// The webhooks of one kind of configuration, as they are stored now, in the order of the configurations' names.

import type { Log } from '@homeostat/base'
import type { WriteRequest } from '../../registry/write-request.ts'
import type { CachedObjects } from '../cached-objects.ts'
import { MatchIndex } from '../matching/match-index.ts'
import type { ServedVersions } from '../matching/served-versions.ts'
import { type Hook, hooksOf } from './hook.ts'

export class Configurations {
  readonly #storage: string
  readonly #cached: CachedObjects
  readonly #versions: ServedVersions
  readonly #log: Log
  readonly #index: MatchIndex<Hook>
  #hooks: readonly Hook[] = []
  #isStale = true

  constructor(resource: string, cached: CachedObjects, versions: ServedVersions, log: Log) {
    this.#storage = `admissionregistration.k8s.io/${resource}`
    this.#cached = cached
    this.#versions = versions
    this.#log = log
    this.#index = new MatchIndex(versions)
    cached.resource(this.#storage).subscribe(() => {
      this.#isStale = true
    })
  }

  get hooks(): readonly Hook[] {
    this.#refresh()
    return this.#hooks
  }

  /** Whether any webhook may be asked about such a write. */
  concerns(request: WriteRequest): boolean {
    this.#refresh()
    return this.#hooks.length > 0 && this.#index.concerns(request)
  }

  #refresh(): void {
    if (!this.#isStale) return
    this.#isStale = false
    this.#hooks = [...this.#cached.resource(this.#storage).tree.objects()].flatMap((cached) => {
      const configuration = this.#cached.parse(cached)
      if (configuration === undefined)
        this.#log.error(
          { configuration: cached.name },
          'a webhook configuration cannot be read; its webhooks are not called',
        )
      return configuration === undefined ? [] : hooksOf(configuration, this.#versions)
    })
    this.#index.replace(this.#hooks)
  }
}
