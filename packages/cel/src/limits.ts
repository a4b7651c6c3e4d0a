// The limits of Kubernetes on the cost of expressions. A unit of cost is meant to take at most 50 ns here.

/** Of one evaluation. */
export const perCallCostLimit = 1_000_000

/** Of all rules of one object together, and of one binding of a policy. */
export const perObjectCostBudget = 10_000_000

/** Of the matchConditions of one webhook or policy for one object. */
export const matchConditionsCostBudget = 2_500_000

/** Of the estimated worst case of one rule of a definition, times how often it runs. */
export const ruleCostEstimateLimit = 10_000_000

/** Of the estimates of all rules of one schema together. */
export const definitionCostEstimateLimit = 100_000_000

/** The longest text that a messageExpression may make, in bytes. */
export const maxMessageBytes = 5 * 1024

/** The request that sizes without a declared bound must fit into, in bytes. */
export const maxRequestBytes = 3 * 1024 * 1024
