/** Finds the act of the owner that a request is for. @module */

import { OWNER_ACTS, type ActName } from '#core/owner/acts.ts'

const isAct = (name: string): name is ActName => Object.hasOwn(OWNER_ACTS, name)

/** Returns the name of an act by method and path below the workspace; null if there is none. */
export function findAct(method: string, path: string): ActName | null {
  const names = Object.keys(OWNER_ACTS).filter(isAct)
  return (
    names.find((name) => {
      const act = OWNER_ACTS[name]
      return act.method === method && patternOf(act.path).test(path)
    }) ?? null
  )
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`)
