// Decides whether a resource is this controller's: each controller has a place, and what runs at another place can neither be
// seen nor stopped from here. Pure.

import type { DeployedTo } from './deployment-status.ts'
import { RUNTIMES, type RuntimeName } from './spec/deployment-spec.ts'

export interface ControllerPlace {
  /** Undefined where there is only one place. */
  readonly location: string | undefined
  /** What it can start executors with. */
  readonly runtimes: readonly RuntimeName[]
}

export const ONLY_PLACE: ControllerPlace = { location: undefined, runtimes: RUNTIMES }

export type Duty =
  | { readonly do: 'deploy' }
  /** The executors are here and are wanted elsewhere: they go, and the controller there starts others. */
  | { readonly do: 'leave'; readonly for: string }
  /** Another controller has to do it; this one must not touch anything. */
  | { readonly do: 'refuse'; readonly why: string }

export interface WantedPlace {
  readonly runtime: RuntimeName
  readonly location?: string
}

/** `former`: where the executors are now, undefined if nowhere. */
export function dutyOf(place: ControllerPlace, former: DeployedTo | undefined, wanted: WantedPlace): Duty {
  const refused = refusedFormer(place, former)
  if (refused) return refused
  const isHere = wanted.location === undefined || isSame(wanted.location, place.location)
  if (isHere && place.runtimes.includes(wanted.runtime)) return { do: 'deploy' }
  const where = isHere ? `a controller that runs ${wanted.runtime}` : `location ${wanted.location}`
  if (former) return { do: 'leave', for: where }
  return { do: 'refuse', why: `it is for ${where}, and this controller is ${words(place)}: ${ROUTING}` }
}

/** Undefined if what is deployed can be removed from here. */
export function refusedFormer(
  place: ControllerPlace,
  former: DeployedTo | undefined,
): Extract<Duty, { do: 'refuse' }> | undefined {
  if (former === undefined) return undefined
  const isHere = former.location === undefined || isSame(former.location, place.location)
  if (isHere && place.runtimes.some((runtime) => runtime === former.runtime)) return undefined
  const where = former.location === undefined ? former.runtime : `${former.runtime} at location ${former.location}`
  return { do: 'refuse', why: `its executors run with ${where}, and this controller is ${words(place)}: ${ROUTING}` }
}

/** A name for the controller of a place, so that controllers of several places do not replace each other. */
export function controllerName(type: string, { location, runtimes }: ControllerPlace): string {
  const parts = [type, location, ...(runtimes.length < RUNTIMES.length ? runtimes : [])]
  return parts
    .filter((part) => part !== undefined)
    .map((part) => part.toLowerCase().replace(/[^a-z0-9]+/g, '-'))
    .join('-')
    .replace(/-+$/, '')
}

const ROUTING = "locationFrom and softwareFrom in the definition's handler send it to the right one"

function words({ location, runtimes }: ControllerPlace): string {
  return `one for ${runtimes.join(', ')}${location === undefined ? ' without a location' : ` at location ${location}`}`
}

function isSame(location: string, other: string | undefined): boolean {
  return location.toLowerCase() === other?.toLowerCase()
}
