/**
 * The surface: where a person meets calls. What it is loaded from is settled before the page can say
 * otherwise, with an import map for one.
 *
 * @module
 */

import type { RenderedIntent } from '#core/intent/render.ts'
import type { Template } from '#core/intent/template.ts'
import type { ApprovalRequest, Choice } from './approver.ts'
import { bare, locked } from './builtins.ts'
import { natives, type Natives } from './natives.ts'
import { untilAborted } from './wait.ts'

export interface Surface {
  /** Asks for a choice; answers null where nothing can be shown. */
  readonly ask: (
    request: ApprovalRequest,
    options: { readonly signal: AbortSignal },
  ) => Promise<Choice | 'deny' | null>
  /** Tells that a tool runs. */
  readonly tell: (request: ApprovalRequest) => void
  readonly renderIntent: (template: Template, args: unknown) => RenderedIntent
}

/** Makes a surface, with the functions that the platform had when this page began. */
export interface SurfaceModule {
  readonly openSurface: (natives: Natives) => Surface
}

export type SurfaceLoader = () => Promise<SurfaceModule>

/** How long it may take to load. */
const LOAD_MS = 15_000

let load: SurfaceLoader | null = null
let loading: Promise<Surface | null> | null = null

export function useSurface(loader: SurfaceLoader): void {
  load = loader
  loading = null
}

/** The surface, or null where there is none; then nobody can be asked. */
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
    loading = null // the next call tries again
    return null
  }
}
