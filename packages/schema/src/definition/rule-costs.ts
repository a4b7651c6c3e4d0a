// Adds up what the rules of a schema may cost at worst. A rule, and all rules together, may cost no more than Kubernetes
// allows.

import { definitionCostEstimateLimit, ruleCostEstimateLimit } from '@homeostat/cel/without-compiler'
import { type Cause, forbiddenField } from '@homeostat/meta/server'

/** Rules that take less than this share of the total are not named when it is too much. */
const WORTH_NAMING = definitionCostEstimateLimit / 100
const NAMED = 4
/** What Kubernetes counts no further than. */
const MOST = 2 ** 64

export class RuleCosts {
  #total = 0
  #expensive: { readonly path: string; readonly cost: number }[] = []

  /** The causes of one expression. `what` says which one it is in messages. */
  judge(path: string, what: string, cost: number): Cause[] {
    this.#total = Math.min(MOST, this.#total + cost)
    if (cost >= WORTH_NAMING) {
      this.#expensive.push({ path, cost })
      this.#expensive = this.#expensive.sort((a, b) => b.cost - a.cost).slice(0, NAMED)
    }
    if (cost <= ruleCostEstimateLimit) return []
    return [forbiddenField(path, tooExpensive(`estimated ${what} cost`, cost, ruleCostEstimateLimit))]
  }

  /** The causes of all of them together. */
  judgeAll(path: string): Cause[] {
    if (this.#total <= definitionCostEstimateLimit) return []
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema'
    return [
      ...this.#expensive.map((one) =>
        forbiddenField(
          one.path,
          'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
        ),
      ),
      forbiddenField(path, tooExpensive(what, this.#total, definitionCostEstimateLimit)),
    ]
  }
}

export function timesCardinality(cost: number, cardinality: number): number {
  return Math.min(MOST, cost * cardinality)
}

function tooExpensive(what: string, cost: number, limit: number): string {
  const excess = cost / limit
  const factor = excess > 100 ? 'more than 100x' : `${excess.toFixed(excess < 1.5 ? 6 : 1)}x`
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared'
  return `${what} exceeds budget by factor of ${factor} (${advice})`
}
