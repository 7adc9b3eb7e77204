/**
 * The surface: where a person meets calls. It is loaded when the first tool is registered that a
 * person has to do with, so that a page without any does not pay for it.
 *
 * @module
 */

import type { RenderedIntent } from '#core/intent/render.ts'
import type { Template } from '#core/intent/template.ts'
import type { ApprovalRequest, Approver } from './approver.ts'
import { natives, type Natives } from './natives.ts'
import { untilAborted } from './wait.ts'

export interface Surface {
  readonly ask: Approver
  /** Tells that a tool runs. */
  readonly tell: (request: ApprovalRequest) => void
  readonly renderIntent: (template: Template, args: unknown) => RenderedIntent
}

/** Answers how to make a surface, with the functions that the platform had when this page began. */
export type SurfaceLoader = () => Promise<(natives: Natives) => Surface>

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
  return (loading ??= opened())
}

async function opened(): Promise<Surface | null> {
  try {
    if (!load || !natives) return null
    const open = await untilAborted(load(), AbortSignal.timeout(LOAD_MS))
    return open(natives)
  } catch (error) {
    console.warn('WebMCP: nothing can be asked, because the dialog did not load', error)
    loading = null // the next call tries again
    return null
  }
}
