/** Change as a patch: its text, and copying and downloading it. @module */

import { printUnified } from '#core/diff/unified.ts'
import type { Bridge } from '../bridge.ts'
import type { Change } from './change.ts'

const READ_MS = 5_000

/**
 * Returns the patch of the server, with paths relative to its default root, else one made from the
 * hunks.
 */
export async function readPatch(bridge: Bridge, change: Change): Promise<string> {
  const own = () => printUnified(change.files)
  if (bridge.host.capabilities.serverResources === undefined) return own()
  const uri = `${change.review}.diff`
  return bridge.readResource(uri, { timeoutMs: READ_MS }).then(
    ({ contents }) => contents[0]?.text ?? own(),
    () => own(),
  )
}

/** Downloads the patch; resolves to false if the host declined. */
export async function downloadPatch(bridge: Bridge, change: Change): Promise<boolean> {
  const text = await readPatch(bridge, change)
  const path = change.files[0]?.to ?? change.files[0]?.from ?? ''
  const name = path.slice(path.lastIndexOf('/') + 1) || change.tool
  const uri = `file:///${encodeURIComponent(name)}.diff`
  const resource = { uri, mimeType: 'text/x-diff', text }
  return bridge.downloadFile([{ type: 'resource', resource }])
}

/** Copies a text; resolves to false if the frame may not write to the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text)
  }
}

/** Copies with `execCommand`, which needs no permission, only a recent gesture of the user. */
function copySelection(text: string): boolean {
  const copy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', copy)
  const copied = document.execCommand('copy')
  document.removeEventListener('copy', copy)
  return copied
}
