/**
 * Loads the module that shows calls to the user: the dialog and the notice. The loader is set
 * before the page can redirect it, for example with an import map.
 *
 * @module
 */

import type { RenderedIntent } from '#core/intent/render.ts'
import type { Template } from '#core/intent/template.ts'
import type { ApprovalRequest, Choice } from './approver.ts'
import { bare, locked } from './builtins.ts'
import { natives, type Natives } from './natives.ts'
import { untilAborted } from './wait.ts'

/** What shows calls to the user. */
export interface Surface {
  /** Asks for a choice; resolves to null if nothing can be shown. */
  readonly ask: (
    request: ApprovalRequest,
    options: { readonly signal: AbortSignal },
  ) => Promise<Choice | 'deny' | null>
  /** Notifies the user that a tool runs. */
  readonly tell: (request: ApprovalRequest) => void
  /** Renders an intent template for one call. */
  readonly renderIntent: (template: Template, args: unknown) => RenderedIntent
}

/** A module that creates a surface with the captured platform functions. */
export interface SurfaceModule {
  readonly openSurface: (natives: Natives) => Surface
}

/** Loads the module, at once or on demand. */
export type SurfaceLoader = () => Promise<SurfaceModule>

/** Time limit of loading in milliseconds. */
const LOAD_MS = 15_000

let load: SurfaceLoader | null = null
let loading: Promise<Surface | null> | null = null

/** Sets the loader and discards what was loaded before. */
export function useSurface(loader: SurfaceLoader): void {
  load = loader
  loading = null
}

/** Returns the surface; null if it cannot be loaded, in which case no approval can be requested. */
export function surface(): Promise<Surface | null> {
  return (loading ??= locked(opened()))
}

async function opened(): Promise<Surface | null> {
  try {
    if (!load || !natives) return null
    const { openSurface } = await untilAborted(load(), AbortSignal.timeout(LOAD_MS))
    return bare(openSurface(natives))
  } catch (error) {
    console.warn('WebMCP: nothing can be asked, because the dialog did not load', error)
    loading = null // allows the next call to retry
    return null
  }
}
