/**
 * Loads the module that shows calls to the user: the dialog and the notice. It is loaded when the loader is
 * set, before the page can redirect it, for example with an import map.
 *
 * @module
 */

import type { RenderedIntent } from '#core/intent/render.ts'
import type { Template } from '#core/intent/template.ts'
import type { ApprovalRequest, Choice } from './approver.ts'
import { bare, protect, untilAborted } from './builtins.ts'
import { intrinsics, type Intrinsics } from './intrinsics.ts'

/** Shows calls to the user. */
export interface Dialog {
  /** Asks for a choice; resolves to a reason if nothing can be shown. */
  readonly ask: (
    request: ApprovalRequest,
    options: { readonly signal: AbortSignal },
  ) => Promise<Choice | 'deny' | { readonly refused: string }>
  /** Notifies the user that a tool runs. */
  readonly notify: (request: ApprovalRequest) => void
  /** Renders an intent template for one call. */
  readonly renderIntent: (template: Template, args: unknown) => RenderedIntent
}

/** A module that creates a dialog with the captured platform functions. */
export interface DialogModule {
  readonly createDialog: (intrinsics: Intrinsics) => Dialog
}

/** Loads the module, at once or on demand. */
export type DialogLoader = () => Promise<DialogModule>

/** Time limit of loading in milliseconds. */
const MAX_LOAD_MS = 15_000

let load: DialogLoader | null = null
let loading: Promise<Dialog | null> | null = null

/** Sets the loader, discards what was loaded before, and loads at once. */
export function setDialogLoader(loader: DialogLoader): void {
  load = loader
  loading = null
  void loadDialog()
}

/** Loads the dialog; null if that fails, in which case no approval can be requested. */
export function loadDialog(): Promise<Dialog | null> {
  return (loading ??= protect(openDialog()))
}

async function openDialog(): Promise<Dialog | null> {
  try {
    if (!load || !intrinsics) return null
    const { createDialog } = await untilAborted(protect(load()), AbortSignal.timeout(MAX_LOAD_MS))
    return bare(createDialog(intrinsics))
  } catch (error) {
    console.warn('WebMCP: no dialog', error)
    loading = null // allows the next call to retry
    return null
  }
}
